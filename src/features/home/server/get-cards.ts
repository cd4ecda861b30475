import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { soldAtCost } from '#features/catalogue/server/public.ts'
import {
  presentFreshness,
  profileDays,
  profileFreshness,
  settlingBand,
  tradeAsOf,
  tradeDays,
} from '#features/metrics/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { addSums } from '#shared/metrics.ts'
import { addDays } from '#shared/time.ts'
import { buildCards, type HomeDay, type Period, profitOf } from '../cards.ts'
import type { homeEndpoints } from '../contract.ts'
import { comparedDays, importedDays } from '../days.ts'

/**
 * The cards of Home for the current marketplace and range, each with its days that are over and as many days before. Money
 * is in the account's currency. Throws RULE_VIOLATED when no merchant or marketplace is chosen.
 */
export function getCards(
  ctx: Ctx,
  range: { dateFrom: string; dateTo: string },
): Promise<EndpointOutput<typeof homeEndpoints.cards>> {
  return readAccount(ctx, async (tx, profile) => {
    const freshness = await profileFreshness(tx, profile)
    const compared = comparedDays(range, freshness.asOf, profile.timezone)
    const firstDay = compared?.previousFrom ?? range.dateFrom
    // The two periods are adjacent: their days are read in one statement.
    const days = await readDays(tx, profile, firstDay, range.dateTo)
    const ranges = [{ from: range.dateFrom, to: range.dateTo }]
    if (compared) ranges.push({ from: compared.previousFrom, to: compared.previousTo })
    // Today counts in the range and not in what is compared.
    if (compared && compared.to !== range.dateTo) ranges.push({ from: compared.from, to: compared.to })
    const [current, before, now] = await readPeriods(tx, profile, days, ranges, freshness.importedTo)
    if (!current) throw new Error('the range is always read')
    const ofCompared = before ? { now: now ?? current, before } : null
    return {
      currency: profile.currency,
      ...range,
      comparedTo: compared?.to ?? null,
      previousFrom: compared?.previousFrom ?? null,
      previousTo: compared?.previousTo ?? null,
      freshness: presentFreshness({
        ...freshness,
        asOf: earlierOf(freshness.asOf, await tradeAsOf(tx, profile, firstDay, range.dateTo)),
      }),
      cards: buildCards(current, ofCompared, await settlingBand(tx, profile, current.days)),
    }
  })
}

async function readDays(tx: Db, profile: Profile, from: string, to: string): Promise<HomeDay[]> {
  const sums = await profileDays(tx, profile.merchantId, [profile.profileId], from, to)
  const trade = new Map((await tradeDays(tx, profile, from, to)).map(day => [day.date, day.salesMicros]))
  return sums.map(day => ({ ...day, totalSalesMicros: trade.get(day.date) ?? null }))
}

/** The days of each range with its profit, which is unknown where the sales by product of a day are missing. */
async function readPeriods(
  tx: Db,
  profile: Profile,
  days: readonly HomeDay[],
  ranges: readonly { from: string; to: string }[],
  importedTo: string | null,
): Promise<Period[]> {
  const periods = ranges.map(({ from, to }) => {
    const ofRange = days.filter(day => day.date >= from && day.date <= to)
    const imported = importedDays(ofRange, importedTo)
    // A range of which nothing is imported ends before it begins.
    return { days: ofRange, imported, from, to: imported.at(-1)?.date ?? addDays(from, -1) }
  })
  const sold = await soldAtCost(tx, profile, periods)
  return periods.map(({ days: ofRange, imported }, index) => {
    const ofPeriod = sold[index]
    const isComplete = imported.length > 0 && ofPeriod !== undefined && ofPeriod.importedDays === imported.length
    return {
      days: ofRange,
      imported,
      profit: profitOf(isComplete ? ofPeriod : null, addSums(imported).costMicros),
    }
  })
}

/** The earlier of two moments; a missing one does not count. */
const earlierOf = (a: Date | null, b: Date | null): Date | null => (a && b ? (a < b ? a : b) : (a ?? b))
