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
    const ranges = [{ from: range.dateFrom, to: range.dateTo }]
    if (compared) ranges.push({ from: compared.previousFrom, to: compared.previousTo })
    // Today counts in the range and not in what is compared.
    if (compared && compared.to !== range.dateTo) ranges.push({ from: compared.from, to: compared.to })
    // The two periods are adjacent: their days are read in one statement.
    const days = readDays(tx, profile, firstDay, range.dateTo)
    const ofRange = days.then(all => all.filter(day => day.date >= range.dateFrom))
    const [[current, before, now], tradeAt, band] = await Promise.all([
      readPeriods(tx, profile, days, ranges, freshness.importedTo),
      tradeAsOf(tx, profile, firstDay, range.dateTo),
      ofRange.then(of => settlingBand(tx, profile, of)),
    ])
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
        asOf: earlierOf(freshness.asOf, tradeAt),
      }),
      cards: buildCards(current, ofCompared, band),
    }
  })
}

async function readDays(tx: Db, profile: Profile, from: string, to: string): Promise<HomeDay[]> {
  const [sums, ofTrade] = await Promise.all([
    profileDays(tx, profile.merchantId, [profile.profileId], from, to),
    tradeDays(tx, profile, from, to),
  ])
  const trade = new Map(ofTrade.map(day => [day.date, day.salesMicros]))
  return sums.map(day => ({ ...day, totalSalesMicros: trade.get(day.date) ?? null }))
}

/** The days of each range with its profit, which is unknown where the sales by product of a day are missing. */
async function readPeriods(
  tx: Db,
  profile: Profile,
  reading: Promise<readonly HomeDay[]>,
  ranges: readonly { from: string; to: string }[],
  importedTo: string | null,
): Promise<Period[]> {
  // A range of which nothing is imported ends before it begins.
  const imported = ranges.map(({ from, to }) => {
    const last = importedTo !== null && importedTo < to ? importedTo : to
    return { from, to: importedTo === null || last < from ? addDays(from, -1) : last }
  })
  const [days, sold] = await Promise.all([reading, soldAtCost(tx, profile, imported)])
  return ranges.map(({ from, to }, index) => {
    const ofRange = days.filter(day => day.date >= from && day.date <= to)
    const ofImported = importedDays(ofRange, importedTo)
    const ofPeriod = sold[index]
    const isComplete = ofImported.length > 0 && ofPeriod?.importedDays === ofImported.length
    return {
      days: ofRange,
      imported: ofImported,
      profit: profitOf(isComplete ? ofPeriod : null, addSums(ofImported).costMicros),
    }
  })
}

/** The earlier of two moments; a missing one does not count. */
const earlierOf = (a: Date | null, b: Date | null): Date | null => (a && b ? (a < b ? a : b) : (a ?? b))
