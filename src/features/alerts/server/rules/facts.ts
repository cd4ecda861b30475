import type { Evidence, NotificationAction, NotificationKind } from '#features/notifications/contract.ts'
import type { Micros } from '#shared/money.ts'
import type { ReaderText } from '#shared/reader-text.ts'
import { attributionDays, type CampaignPast, curveOf, type HourlyCurve } from '#features/metrics/server/public.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { TestedCampaign } from '#features/structure/server/public.ts'
import { addDays, dayIn } from '#shared/time.ts'

/** One of the days before, with what it cost by the same time of the day. */
export interface PastDay {
  date: string
  costMicros: Micros
  clicks: number
  orders: number
  salesMicros: Micros
  /** Until the end of the current hour of the day. */
  costSoFarMicros: Micros
  clicksSoFar: number
  ordersSoFar: number
}

/** What is known of a campaign when it is tested. */
export interface CampaignFacts {
  campaignId: number
  name: string
  currency: string
  timezone: string
  now: Date
  /** The day in the account's time zone. */
  today: string
  /** Null where it has none for a day. */
  budgetMicros: Micros | null
  targetAcos: number | null
  /** The last report of today's budget use, and when all of it was first used. */
  usage: { at: Date; spentMicros: Micros; fullSince: Date | null } | null
  /** Of today: what was received so far. */
  hours: readonly { hour: number; costMicros: Micros; clicks: number; orders: number }[]
  /** The 28 days before, oldest first; days without figures are missing. */
  past: readonly PastDay[]
  curve: HourlyCurve | null
  /** What came after the last order, by day; an order lags behind its click. */
  sinceOrder: readonly { date: string; clicks: number; costMicros: Micros }[]
  /** Days that may still change begin here. */
  movingFrom: string
  /** The account's own rate on settled days, where the campaign has too few orders. */
  account: { clicks: number; orders: number; salesMicros: Micros } | null
}

/** The facts by what the stream brought. */
export function factsOfCampaign(
  { usage, hours, days, byHour, sinceOrder }: CampaignPast,
  campaign: Pick<TestedCampaign, 'campaignId' | 'name' | 'budgetMicros' | 'targetAcos' | 'updatedAt'>,
  { timezone, currency, accountType }: Pick<Profile, 'timezone' | 'currency' | 'accountType'>,
  { now, rate }: { now: Date; rate: CampaignFacts['account'] },
): CampaignFacts {
  const today = dayIn(now, timezone)
  const last = usage.at(-1)
  // The later of the two counts: the report of its use, or a change of the campaign since.
  const reportedMicros = last && new Date(last.at) > campaign.updatedAt ? last.budgetMicros : null
  const firstFull = usage.slice(usage.findLastIndex(one => one.usagePercent < 100) + 1)[0]
  const shown = days.flatMap(({ shownUntil }) => shownUntil ?? [])
  return {
    campaignId: campaign.campaignId,
    name: campaign.name,
    currency,
    timezone,
    now,
    today,
    budgetMicros: campaign.budgetMicros === null ? null : (reportedMicros ?? campaign.budgetMicros),
    targetAcos: campaign.targetAcos,
    usage: last
      ? {
          at: new Date(last.at),
          spentMicros: Math.round((last.budgetMicros * last.usagePercent) / 100),
          fullSince: firstFull ? new Date(firstFull.at) : null,
        }
      : null,
    hours,
    past: days.map(({ untilCostMicros, untilClicks, untilOrders, ...day }) => ({
      ...day,
      costSoFarMicros: untilCostMicros,
      clicksSoFar: untilClicks,
      ordersSoFar: untilOrders,
    })),
    // A day that ended without budget says nothing of its later hours.
    curve: curveOf(
      byHour.map(({ hour, costMicros }) => ({ hour, costMicros, days: shown.filter(until => until >= hour).length })),
    ),
    sinceOrder,
    movingFrom: addDays(today, -attributionDays[accountType]),
    account: rate,
  }
}

/** Something that needs a decision, before it is compared with what was raised. */
export interface AlertDraft {
  kind: NotificationKind
  cause: string
  occasion: string
  title: ReaderText
  body: ReaderText
  url: string
  evidence: (Omit<Evidence, 'value'> & { value: number | ReaderText })[]
  stakeMicros: Micros | null
  actions: NotificationAction[]
  actionDetail?: string
  /** How far it has come, in the unit of the kind's threshold in the user's preferences. */
  measure?: number
  /** How far beyond the threshold: 1 is just so. What somebody dismissed must become stronger to come again. */
  strength: number
  /** Changes only when the alert has something new to say. */
  says: string
  endsAt: Date | null
  /** It must still be so an hour later: what it lacks may be on its way. */
  isDoubtful?: true
  /** Another occasion is no new event while it is open: what lasts for days is pushed once. */
  isLasting?: true
}
