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
    const readPeriod = async (from: string, to: string): Promise<Period> => {
      const ofPeriod = days.filter(day => day.date >= from && day.date <= to)
      const imported = importedDays(ofPeriod, freshness.importedTo)
      const sold = await readSold(tx, profile, imported)
      return { days: ofPeriod, imported, profit: profitOf(sold, addSums(imported).costMicros) }
    }
    const current = await readPeriod(range.dateFrom, range.dateTo)
    const ofCompared = compared && {
      now: compared.to === range.dateTo ? current : await readPeriod(compared.from, compared.to),
      before: await readPeriod(compared.previousFrom, compared.previousTo),
    }
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
      cards: buildCards(current, ofCompared),
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
