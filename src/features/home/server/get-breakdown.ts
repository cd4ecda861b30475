import { currentProfileIn, type Profile, profilesOf } from '#features/accounts/server/public.ts'
import { currentRates } from '#features/exchange-rates/server/public.ts'
import { figureStates, freshnessOf, presentFreshness, profileBreakdown } from '#features/metrics/server/public.ts'
import { coveredMerchants } from '#features/subscription/server/public.ts'
import { type Ctx, requireMerchant } from '#server/context.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { convertMicros, type ExchangeRates } from '#shared/exchange-rates.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { addSums, type FigureSums, noSums, toFigures } from '#shared/metrics.ts'
import { fromMicros } from '#shared/money.ts'
import type { homeEndpoints } from '../contract.ts'

type Breakdown = EndpointOutput<typeof homeEndpoints.breakdown>

/**
 * A row for every marketplace of every merchant of the user that a subscription covers, in its own currency and converted
 * to that of the current marketplace. Only converted amounts are added. Throws RULE_VIOLATED when no marketplace is chosen.
 */
export async function getBreakdown(
  ctx: Ctx,
  { dateFrom, dateTo }: { dateFrom: string; dateTo: string },
): Promise<Breakdown> {
  const current = requireMerchant(ctx)
  const own = [...ctx.actor.merchantIds]
  const covered = await coveredMerchants(ctx.db.system, own, ctx.clock.now())
  const merchantIds = own.filter(id => id === current || covered.has(id))
  return ctx.db.reading(merchantIds, async tx => {
    const { currency: userCurrency } = await currentProfileIn(tx, ctx)
    const profiles = await profilesOf(tx, merchantIds)
    const figures = await profileBreakdown(tx, profiles, dateFrom, dateTo)
    const sumsOf = new Map(figures.map(row => [row.profileId, row]))
    const states = await figureStates(tx, merchantIds)
    const rates = await currentRates(tx)
    const rows = profiles.map(profile => {
      const sums = sumsOf.get(profile.profileId) ?? noSums
      return {
        ...present(profile),
        ...toFigures(sums),
        converted: convert(sums, profile.currency, userCurrency, rates),
        freshness: presentFreshness(freshnessOf(states.get(profile.profileId) ?? null, profile.accountType)),
      }
    })
    const answer = rows.map(({ converted, ...row }) => ({
      ...row,
      converted: converted && presentConverted(converted),
    }))
    return {
      userCurrency,
      ratesOf: rates.day,
      total: totalOf(rows.map(row => row.converted)),
      withoutAccess: own.length - merchantIds.length,
      rows: answer,
    }
  })
}

const present = ({ merchantId, merchantName, marketplaceId, countryCode, currency }: Profile) => ({
  merchantId,
  merchantName,
  marketplaceId,
  countryCode,
  name: marketplaceById(marketplaceId)?.name ?? countryCode,
  currency,
})

interface Converted {
  costMicros: number
  salesMicros: number
  rate: number
}

/** Spend and sales in the user's currency, and the units of the row's currency for one unit of the user's; null without a rate. */
function convert(
  { costMicros, salesMicros }: FigureSums,
  currency: string,
  userCurrency: string,
  rates: ExchangeRates,
): Converted | null {
  const cost = convertMicros(costMicros, currency, userCurrency, rates)
  const sales = convertMicros(salesMicros, currency, userCurrency, rates)
  if (cost === null || sales === null) return null
  const rate = currency === userCurrency ? 1 : (rates.perEuro[currency] ?? 0) / (rates.perEuro[userCurrency] ?? 1)
  return { costMicros: cost, salesMicros: sales, rate }
}

const presentConverted = ({ costMicros, salesMicros, rate }: Converted) => ({
  cost: fromMicros(costMicros),
  sales: fromMicros(salesMicros),
  rate,
})

/** The sum of the rows as they are shown; null where an amount could not be converted, for a part would look like the whole. */
function totalOf(rows: readonly (Converted | null)[]): Breakdown['total'] {
  const converted = rows.filter(row => row !== null)
  if (rows.length < 2 || converted.length < rows.length) return null
  const { cost, sales, acos, roas } = toFigures(addSums(converted.map(row => ({ ...noSums, ...row }))))
  return { cost, sales, acos, roas }
}
