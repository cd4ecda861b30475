import { profilesOf, readAccount } from '#features/accounts/server/public.ts'
import { currentRates } from '#features/exchange-rates/server/public.ts'
import { figureStates, freshnessOf, presentFreshness, profileBreakdown } from '#features/metrics/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { convertMicros, type ExchangeRates } from '#shared/exchange-rates.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { type FigureSums, noSums, toFigures } from '#shared/metrics.ts'
import { fromMicros } from '#shared/money.ts'
import type { homeEndpoints } from '../contract.ts'

/**
 * A row for every marketplace of the current merchant, in its own currency and converted to that of the current one.
 * Amounts of different currencies are never added. Throws RULE_VIOLATED when no marketplace is chosen.
 */
export function getBreakdown(
  ctx: Ctx,
  { dateFrom, dateTo }: { dateFrom: string; dateTo: string },
): Promise<EndpointOutput<typeof homeEndpoints.breakdown>> {
  return readAccount(ctx, async (tx, { merchantId, currency: userCurrency }) => {
    const profiles = await profilesOf(tx, merchantId)
    const breakdown = await profileBreakdown(tx, merchantId, dateFrom, dateTo)
    const states = await figureStates(tx, merchantId)
    const rates = await currentRates(tx)
    const rows = profiles.map(({ profileId, marketplaceId, countryCode, currency, accountType }) => {
      const sums = breakdown.find(row => row.profileId === profileId) ?? noSums
      return {
        marketplaceId,
        countryCode,
        name: marketplaceById(marketplaceId)?.name ?? countryCode,
        currency,
        ...toFigures(sums),
        converted: convert(sums, currency, userCurrency, rates),
        freshness: presentFreshness(freshnessOf(states.get(profileId) ?? null, accountType)),
      }
    })
    return { userCurrency, ratesOf: rates.day, rows }
  })
}

/** Spend and sales in the user's currency, and the units of the row's currency for one unit of the user's; null without a rate. */
function convert(
  { costMicros, salesMicros }: FigureSums,
  currency: string,
  userCurrency: string,
  rates: ExchangeRates,
) {
  const cost = convertMicros(costMicros, currency, userCurrency, rates)
  const sales = convertMicros(salesMicros, currency, userCurrency, rates)
  if (cost === null || sales === null) return null
  const rate = (rates.perEuro[currency] ?? 0) / (rates.perEuro[userCurrency] ?? 1)
  return { cost: fromMicros(cost), sales: fromMicros(sales), rate }
}
