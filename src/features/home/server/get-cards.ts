import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { type SoldAtCost, soldAtCost } from '#features/catalogue/server/public.ts'
import {
  importedTradeDays,
  presentFreshness,
  profileDays,
  profileFreshness,
  tradeAsOf,
  tradeDays,
} from '#features/metrics/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { addSums } from '#shared/metrics.ts'
import { addDays, daysBetween } from '#shared/time.ts'
import { buildCards, type HomeDay, type Period, profitOf } from '../cards.ts'
import type { homeEndpoints } from '../contract.ts'
import { importedDays } from '../days.ts'

/**
 * The cards of Home for the current marketplace and range, each with the period of equal length before. Money is in the
 * account's currency. Throws RULE_VIOLATED when no merchant or marketplace is chosen.
 */
export function getCards(
  ctx: Ctx,
  range: { dateFrom: string; dateTo: string },
): Promise<EndpointOutput<typeof homeEndpoints.cards>> {
  return readAccount(ctx, async (tx, profile) => {
    const length = daysBetween(range.dateFrom, range.dateTo) + 1
    const before = { from: addDays(range.dateFrom, -length), to: addDays(range.dateFrom, -1) }
    // The two periods are adjacent: their days are read in one statement.
    const days = await readDays(tx, profile, before.from, range.dateTo)
    const freshness = await profileFreshness(tx, profile)
    const readPeriod = async (from: string, to: string): Promise<Period> => {
      const ofPeriod = days.filter(day => day.date >= from && day.date <= to)
      const imported = importedDays(ofPeriod, freshness.importedTo)
      const sold = await readSold(tx, profile, imported)
      return { days: ofPeriod, imported, profit: profitOf(sold, addSums(imported).costMicros) }
    }
    const current = await readPeriod(range.dateFrom, range.dateTo)
    const previous = await readPeriod(before.from, before.to)
    return {
      currency: profile.currency,
      ...range,
      previousFrom: before.from,
      previousTo: before.to,
      freshness: presentFreshness({
        ...freshness,
        asOf: earlierOf(freshness.asOf, await tradeAsOf(tx, profile, before.from, range.dateTo)),
      }),
      cards: buildCards(current, previous),
    }
  })
}

async function readDays(tx: Db, profile: Profile, from: string, to: string): Promise<HomeDay[]> {
  const sums = await profileDays(tx, profile.merchantId, [profile.profileId], from, to)
  const trade = new Map((await tradeDays(tx, profile, from, to)).map(day => [day.date, day.salesMicros]))
  return sums.map(day => ({ ...day, totalSalesMicros: trade.get(day.date) ?? null }))
}

/** What was sold at which cost; null when the sales by product of a day are missing. */
async function readSold(tx: Db, profile: Profile, imported: readonly { date: string }[]): Promise<SoldAtCost | null> {
  const [from, to] = [imported[0]?.date, imported.at(-1)?.date]
  if (!from || !to) return null
  if ((await importedTradeDays(tx, profile, { from, to })) < imported.length) return null
  return soldAtCost(tx, profile, { from, to })
}

/** The earlier of two moments; a missing one does not count. */
const earlierOf = (a: Date | null, b: Date | null): Date | null => (a && b ? (a < b ? a : b) : (a ?? b))
