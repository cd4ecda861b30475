import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { convertMicros, type ExchangeRates } from '#shared/exchange-rates.ts'
import { fromMicros } from '#shared/money.ts'
import { noFigures } from '#shared/metrics.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { profilesOf, readAccount } from '#features/accounts/server/public.ts'
import { currentRates } from '#features/exchange-rates/server/public.ts'
import { figureStates, freshnessOf as freshnessAt, profileBreakdown } from '#features/metrics/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { homeEndpoints } from '../contract.ts'
import { figuresOf, freshnessOf, withRatios } from './figures.ts'

/**
 * A row for every marketplace of the current merchant, in its own currency and converted to that of the current one.
 * Amounts of different currencies are never added. Throws RULE_VIOLATED when no marketplace is chosen.
 */
export const getBreakdown = (
  ctx: Ctx,
  range: { dateFrom: string; dateTo: string },
): Promise<EndpointOutput<typeof homeEndpoints.breakdown>> =>
  readAccount(ctx, async (tx, current) => {
    const profiles = await profilesOf(tx, current.merchantId)
    const sums = new Map(
      (await profileBreakdown(tx, current.merchantId, range.dateFrom, range.dateTo)).map(row => [row.profileId, row]),
    )
    const states = await figureStates(tx, current.merchantId)
    const rates = await currentRates(tx)
    const rows = []
    for (const profile of profiles) {
      const own = sums.get(profile.profileId)
      const figures = own ? figuresOf(own) : noFigures
      const cost = convertMicros(figures.cost, profile.currency, current.currency, rates)
      const sales = convertMicros(figures.sales, profile.currency, current.currency, rates)
      rows.push({
        marketplaceId: profile.marketplaceId,
        countryCode: profile.countryCode,
        name: marketplaceById(profile.marketplaceId)?.name ?? profile.countryCode,
        currency: profile.currency,
        ...withRatios(figures),
        converted:
          cost === null || sales === null
            ? null
            : {
                cost: fromMicros(cost),
                sales: fromMicros(sales),
                rate: rateOf(rates, current.currency, profile.currency),
              },
        freshness: freshnessOf(freshnessAt(states.get(profile.profileId) ?? null, profile.accountType)),
      })
    }
    return { userCurrency: current.currency, ratesOf: rates.day, rows }
  })

/** Units of one currency for one unit of another, by the table. */
const rateOf = ({ perEuro }: ExchangeRates, of: string, inUnitsOf: string): number =>
  (perEuro[inUnitsOf] ?? 0) / (perEuro[of] ?? 1)
