import { sql } from 'kysely'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { fromMicros, type Micros, roundToUnit, toMicros } from '#shared/money.ts'
import { addDays, dayIn, startOfDayIn } from '#shared/time.ts'
import { currentProfile, type Profile, readAccount } from '#features/accounts/server/public.ts'
import {
  campaignDays,
  curveOf,
  hourlyState,
  hoursOfCampaigns,
  paceOf,
  profileFreshness,
} from '#features/metrics/server/public.ts'
import { suggestBudget } from '#features/recommendations/server/public.ts'
import { mirrorCampaigns } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { budgetRescueEndpoints, RescueState } from '../contract.ts'
import { missedSales, recommendBudget } from '../rules.ts'
import { readState } from './state.ts'

type Advice = EndpointOutput<typeof budgetRescueEndpoints.read>

const CURVE_DAYS = 28
const WEEKS = 4
// Somebody waits with a thumb over the button; the pace and the budget as it was last read answer too.
const TIME_LIMIT_MS = 4000

interface Evidence {
  state: RescueState
  profile: Profile
  suggestedMicros: Micros | null
  missedBefore: Advice['missedBefore']
  today: Today
  /** Of the settled weeks before. */
  weeks: { costMicros: Micros; salesMicros: Micros }[]
}

interface Today {
  /** What the day costs at its pace with a budget without end; null while nothing can be said. */
  projectedMicros: Micros | null
  /** Whether it has cost as much as its budget is now, by the latest of what the marketplace reported. */
  isUsedUp: boolean
  /** What its budget was at the latest report; null where none came today. */
  reportedBudgetMicros: Micros | null
}

const nothingKnown: Today = { projectedMicros: null, isUsedUp: false, reportedBudgetMicros: null }

/** The budget that a campaign of the current account needs today, and what it misses without. Throws NOT_FOUND. */
export async function readAdvice(ctx: Ctx, campaignId: number): Promise<Advice> {
  const { state, profile, suggestedMicros, missedBefore, today: pace, weeks } = await evidenceFor(ctx, campaignId)
  const { budget, mostBudget, obstacle } = state
  const { projectedMicros, isUsedUp } = pace
  if (budget === null) return { ...state, isUsedUp, recommended: null, missedToday: null, missedBefore }
  const { currency } = profile
  const [budgetMicros, mostMicros] = [toMicros(budget), toMicros(mostBudget)]
  const recommended =
    obstacle === null ? recommendBudget({ budgetMicros, suggestedMicros, projectedMicros, mostMicros, currency }) : null
  const missed = projectedMicros === null ? null : missedSales(projectedMicros - budgetMicros, weeks)
  const today = dayIn(ctx.clock.now(), profile.timezone)
  return {
    ...state,
    isUsedUp,
    recommended: recommended && { budget: fromMicros(recommended.micros), source: recommended.source },
    missedToday: missed && presentMissed(missed, currency, { from: today, to: today }),
    missedBefore,
  }
}

const presentMissed = (
  { lowMicros, highMicros }: { lowMicros: Micros; highMicros: Micros },
  currency: string,
  { from, to }: { from: string; to: string },
) => ({
  low: fromMicros(roundToUnit(lowMicros, currency)),
  high: fromMicros(roundToUnit(highMicros, currency)),
  from,
  to,
})

/**
 * Reads the campaign at the marketplace again: a fifth more than a budget that somebody has just lowered there would be far
 * more than what was shown. Where that takes too long or fails, the budget as it was last read counts. Throws NOT_FOUND.
 */
export async function readAgain(ctx: Ctx, profile: Profile, campaignId: number): Promise<void> {
  const { merchantId } = profile
  const { row } = await ctx.db.reading(merchantId, tx => readState(tx, profile, campaignId, ctx.clock.now()))
  // One that is not created there yet has no id of theirs.
  if (!/^\d+$/.test(row.amazonId)) return
  try {
    await mirrorCampaigns(ctx, profile, [row.amazonId], AbortSignal.timeout(TIME_LIMIT_MS))
  } catch (error) {
    ctx.log.warn({ err: error, campaignId }, 'a campaign could not be read again before its budget is raised')
  }
}

/** What speaks for a budget of today. `isRead`: the campaign was just read at the marketplace. Throws NOT_FOUND. */
export async function evidenceFor(ctx: Ctx, campaignId: number, isRead = false): Promise<Evidence> {
  const profile = await currentProfile(ctx)
  const now = ctx.clock.now()
  const readAll = () =>
    readAccount(ctx, async tx => {
      const { row, state } = await readState(tx, profile, campaignId, now)
      const today =
        state.budget === null ? nothingKnown : await readToday(tx, profile, row.id, toMicros(state.budget), now)
      return { row, state, today, weeks: await settledWeeks(tx, profile, row.id) }
    })
  let read = await readAll()
  // Today's reports are of another budget than the one that we know: it was changed at the marketplace, perhaps just now.
  const { budget, rescue } = read.state
  const { reportedBudgetMicros } = read.today
  const isOld = budget !== null && reportedBudgetMicros !== null && reportedBudgetMicros !== toMicros(budget)
  if (isOld && rescue === null && !isRead) {
    await readAgain(ctx, profile, campaignId)
    read = await readAll()
  }
  const { row, ...known } = read
  // It recommends budgets for Sponsored Products alone, and for what it has already.
  const isAdvised = row.adType === 'SPONSORED_PRODUCTS' && /^\d+$/.test(row.amazonId) && read.state.obstacle === null
  const advised = isAdvised ? await inTime(ctx, suggestBudget(ctx, profile, row.amazonId)) : null
  const missed = advised?.missed
  return {
    ...known,
    profile,
    suggestedMicros: advised?.suggestedMicros ?? null,
    missedBefore: missed && missed.highMicros > 0 ? presentMissed(missed, profile.currency, missed) : null,
  }
}

// What the pace says is better than no answer, whatever keeps the marketplace from one.
async function inTime<T>(ctx: Ctx, answer: Promise<T>): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<null>(resolve => {
    timer = setTimeout(() => resolve(null), TIME_LIMIT_MS)
  })
  const orNone = answer.catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'the marketplace recommended no budget')
    return null
  })
  return Promise.race([orNone, tooLate]).finally(() => clearTimeout(timer))
}

/** Where today stands, by its hours until now and by the reports of its budget's use. */
async function readToday(
  tx: Db,
  profile: Profile,
  campaignId: number,
  budgetMicros: Micros,
  now: Date,
): Promise<Today> {
  const { timezone } = profile
  const today = dayIn(now, timezone)
  const { asOf } = await hourlyState(tx, profile)
  const past = { from: addDays(today, -CURVE_DAYS), to: addDays(today, -1) }
  const fromAt = startOfDayIn(today, timezone)
  const received = (await hoursOfCampaigns(tx, profile, [campaignId], { today, fromAt, past })).get(campaignId)
  const { hours = [], usage = [], past: pastHours = [] } = received ?? {}
  const spentMicros = hours.reduce((sum, hour) => sum + hour.costMicros, 0)
  const last = usage.at(-1)
  // A share of the budget that was reported with it, which may have been raised or lowered since.
  const reportedMicros = last ? (last.budgetMicros * last.usagePercent) / 100 : 0
  const reported = {
    isUsedUp: Math.max(spentMicros, reportedMicros) >= budgetMicros,
    reportedBudgetMicros: last?.budgetMicros ?? null,
  }
  // What was received yesterday says nothing of today.
  if (asOf === null || dayIn(asOf, timezone) !== today) return { ...reported, projectedMicros: null }
  const curve = curveOf(pastHours)
  const outSince = usedUpSince(usage)
  const { projectedMicros } = paceOf({ date: today, timezone, asOf, curve }, { budgetMicros, spentMicros, outSince })
  return { ...reported, projectedMicros }
}

/** Since when all of a day's budget is used, by its reports in order; null while some is left. */
function usedUpSince(usage: readonly { at: Date; usagePercent: number }[]): Date | null {
  const last = usage.findLastIndex(({ usagePercent }) => usagePercent < 100)
  return usage[last + 1]?.at ?? null
}

async function settledWeeks(tx: Db, profile: Profile, campaignId: number): Promise<Evidence['weeks']> {
  const { movingFrom } = await profileFreshness(tx, profile)
  if (movingFrom === null) return []
  const to = addDays(movingFrom, -1)
  const days = await campaignDays(tx, profile, sql`select ${campaignId}::bigint`, addDays(to, 1 - WEEKS * 7), to)
  return Array.from({ length: WEEKS }, (_, week) => {
    const own = days.slice(week * 7, week * 7 + 7)
    return {
      costMicros: own.reduce((sum, day) => sum + day.costMicros, 0),
      salesMicros: own.reduce((sum, day) => sum + day.salesMicros, 0),
    }
  })
}
