import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { budgetDays } from '#features/campaigns/server/public.ts'
import {
  type BudgetOfToday,
  budgetsOfToday,
  type CampaignToday,
  curveOf,
  type HourlyCurve,
  hourlyState,
  hoursOfCampaigns,
  type Pace,
  paceOf,
  presentFreshness,
  profileDays,
  profileFreshness,
  projectMonth,
  readHours,
} from '#features/metrics/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { fromMicros, type Micros } from '#shared/money.ts'
import { addDays, dayIn, daysBetween, startOfDayIn } from '#shared/time.ts'
import type { homeEndpoints } from '../contract.ts'
import { thresholds } from '../thresholds.ts'

type Budgets = EndpointOutput<typeof homeEndpoints.budgets>

const curveDays = 28
const mostCampaigns = 30

/** Today's budgets of the current account: what is spent, what was to be expected by now, and when each will end at this pace. */
export function getBudgets(ctx: Ctx): Promise<Budgets> {
  const now = ctx.clock.now()
  return readAccount(ctx, async (tx, profile) => {
    const today = dayIn(now, profile.timezone)
    const freshness = await profileFreshness(tx, profile)
    const hourly = await hourlyState(tx, profile)
    const isHourly = hourly.asOf !== null && dayIn(hourly.asOf, profile.timezone) === today
    const asOf = isHourly ? hourly.asOf : freshness.asOf
    const settledTo = freshness.movingFrom === null ? null : addDays(freshness.movingFrom, -1)
    const month = await readMonth(tx, profile, today, settledTo)
    const answer = { currency: profile.currency, timezone: profile.timezone, month, ...presentFreshness(freshness) }
    // A figure of yesterday says nothing of today.
    if (asOf === null || dayIn(asOf, profile.timezone) !== today)
      return { ...answer, asOf: asOf?.toISOString() ?? null, today: null }
    const past = { from: addDays(today, -curveDays), to: addDays(today, -1) }
    const curve = await accountCurve(tx, profile, past, hourly.since, today)
    const day = { date: today, timezone: profile.timezone, asOf }
    const whole = paceOf({ ...day, curve }, { budgetMicros: 0, spentMicros: 0, outSince: null })
    const { campaigns, ...all } = await budgetsOfToday(tx, profile, today, isHourly ? 'HOURS' : 'DAYS', {
      // A campaign that is on its way to less than most of its budget needs nobody.
      leastShare: (isHourly ? whole.share : 1) * (thresholds.nearBudgetPercent / 100),
      most: mostCampaigns,
    })
    const fromAt = startOfDayIn(today, profile.timezone)
    const ids = campaigns.map(one => one.campaignId)
    const received = ids.length ? await hoursOfCampaigns(tx, profile, ids, { today, fromAt, past }) : new Map()
    const pace = paceOf({ ...day, curve }, { ...all, outSince: null })
    return {
      ...answer,
      asOf: asOf.toISOString(),
      today: {
        source: isHourly ? ('HOURS' as const) : ('DAYS' as const),
        campaigns: campaigns
          .map(one => presentCampaign(one, received.get(one.campaignId), day, isHourly ? hourly : null, now))
          .toSorted((a, b) => urgencyOf(b) - urgencyOf(a)),
        count: all.count,
        total: {
          budget: fromMicros(all.budgetMicros),
          spent: fromMicros(all.spentMicros),
          ...presentPace(isHourly ? pace : null, curve),
        },
      },
    }
  })
}

async function readMonth(tx: Db, profile: Profile, today: string, settledTo: string | null) {
  const first = `${today.slice(0, 7)}-01`
  const settledFrom = settledTo === null ? first : addDays(settledTo, -6)
  const from = settledFrom < first ? settledFrom : first
  const days = await profileDays(tx, profile.merchantId, [profile.profileId], from, today)
  const { spentMicros, averageMicros, projectedMicros, ...month } = projectMonth(today, days, settledTo)
  return {
    ...month,
    spent: fromMicros(spentMicros),
    average: amountOf(averageMicros),
    projected: amountOf(projectedMicros),
  }
}

const amountOf = (micros: Micros | null) => (micros === null ? null : fromMicros(micros))

async function accountCurve(
  tx: Db,
  profile: Profile,
  past: { from: string; to: string },
  since: Date | null,
  today: string,
): Promise<HourlyCurve | null> {
  if (since === null) return null
  const days = Math.min(curveDays, daysBetween(dayIn(since, profile.timezone), today))
  const byHour = Map.groupBy(await readHours(tx, profile, [past]), row => row.hour)
  return curveOf(
    [...byHour].map(([hour, rows]) => ({ hour, days, costMicros: rows.reduce((sum, row) => sum + row.costMicros, 0) })),
  )
}

function presentCampaign(
  { campaignId, name, budgetMicros, spentMicros }: BudgetOfToday,
  received: CampaignToday | undefined,
  day: { date: string; timezone: string; asOf: Date },
  hourly: { since: Date | null; asOf: Date | null } | null,
  now: Date,
) {
  const { usage = [], hours = [], past = [] } = received ?? {}
  const curve = curveOf(past)
  const [use] = budgetDays([day.date], day.timezone, now, {
    usage,
    hours,
    since: null,
    asOf: null,
    ...hourly,
  })
  const outSince = use?.outSince ? new Date(use.outSince) : null
  const pace = hourly && paceOf({ ...day, curve }, { budgetMicros, spentMicros, outSince })
  return {
    campaignId,
    name,
    budget: fromMicros(budgetMicros),
    spent: fromMicros(spentMicros),
    ...presentPace(pace, curve),
    endsAt: pace?.endsAt?.toISOString() ?? null,
    outSince: outSince?.toISOString() ?? null,
    lostMinutes: use?.lostMinutes ?? null,
    lostMinutesAhead: pace?.lostMinutesAhead ?? 0,
  }
}

// A daily report lacks the last hours, so that without hours there is no pace to speak of.
const presentPace = (pace: Pace | null, curve: HourlyCurve | null) => ({
  expected: pace && fromMicros(pace.expectedMicros),
  projected: pace && amountOf(pace.projectedMicros),
  curve: curve ? ('OWN' as const) : ('CLOCK' as const),
})

/** What goes beyond the budget at this pace: the money that the ads would have spent. */
const urgencyOf = ({ projected, budget }: { projected: number | null; budget: number }): number =>
  (projected ?? 0) - budget
