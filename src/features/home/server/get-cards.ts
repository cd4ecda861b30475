import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { productCosts } from '#features/catalogue/server/public.ts'
import { productTrade, profileDays, profileFreshness, tradeAsOf, tradeDays } from '#features/metrics/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { homeEndpoints } from '../contract.ts'
import { buildCards, importedDays, type Period, periodBefore, type ProductTrade, profitOf } from '../rules.ts'
import { figuresOf, freshnessOf } from './figures.ts'

/**
 * The cards of Home for the current marketplace and range, each with the period of equal length before. Money is in the
 * account's currency. Throws RULE_VIOLATED when no merchant or marketplace is chosen.
 */
export const getCards = (
  ctx: Ctx,
  range: { dateFrom: string; dateTo: string },
): Promise<EndpointOutput<typeof homeEndpoints.cards>> =>
  readAccount(ctx, async (tx, profile) => {
    const before = periodBefore(range.dateFrom, range.dateTo)
    // The two periods touch: their days are read as one.
    const days = await daysOf(tx, profile, before.from, range.dateTo)
    const costs = await productCosts(tx, profile.merchantId, profile.marketplaceId)
    const freshness = await profileFreshness(tx, profile)
    const period = async (from: string, to: string): Promise<Period> => {
      const own = days.filter(day => day.date >= from && day.date <= to)
      const imported = importedDays(own, freshness.importedTo)
      const cost = imported.reduce((total, day) => total + day.cost, 0)
      return { days: own, imported, profit: profitOf(await productsOf(tx, profile, costs, imported), cost) }
    }
    const current = await period(range.dateFrom, range.dateTo)
    const previous = await period(before.from, before.to)
    return {
      currency: profile.currency,
      ...range,
      previousFrom: before.from,
      previousTo: before.to,
      freshness: freshnessOf({
        ...freshness,
        asOf: olderOf(freshness.asOf, await tradeAsOf(tx, profile, before.from, range.dateTo)),
      }),
      cards: buildCards(current, previous),
    }
  })

const daysOf = async (tx: Db, profile: Profile, from: string, to: string): Promise<Period['days']> => {
  const sums = await profileDays(tx, profile.merchantId, [profile.profileId], from, to)
  const trade = new Map((await tradeDays(tx, profile, from, to)).map(day => [day.date, day.salesMicros]))
  return sums.map(day => ({ date: day.date, ...figuresOf(day), totalSales: trade.get(day.date) ?? null }))
}

/** What each product sold and costs; null when the sales by product are not known of every day. */
const productsOf = async (
  tx: Db,
  profile: Profile,
  costs: Awaited<ReturnType<typeof productCosts>>,
  imported: readonly { date: string }[],
): Promise<ProductTrade[] | null> => {
  const [first, last] = [imported[0]?.date, imported.at(-1)?.date]
  if (!first || !last) return null
  const { knownDays, products } = await productTrade(tx, profile, first, last)
  if (knownDays < imported.length) return null
  return products.map(({ asin, units, salesMicros }) => {
    const cost = costs.get(asin)
    return { units, sales: salesMicros, cogs: cost?.cogsMicros ?? null, fees: cost?.feesMicros ?? null }
  })
}

/** The earlier of two moments; a missing one does not count. */
const olderOf = (a: Date | null, b: Date | null): Date | null => (a && b ? (a < b ? a : b) : (a ?? b))
