import type { Micros } from '#shared/money.ts'
import type { Subscription } from './contract.ts'

export const trialDays = 14
/** How long a user with a late payment keeps access. */
export const graceDays = 7

/** How long the plan's limits may be exceeded before the user must choose a larger plan. */
export const overLimitDays = 7
/** The number of days whose ad spend counts for the plan's limit. */
export const spendDays = 30

const dayMs = 86_400_000

/** A subscription as stored. */
export interface StoredSubscription {
  status: Subscription['status']
  trialStartedAt: Date | null
  trialEndsAt: Date | null
  periodEndsAt: Date | null
  cancelAtPeriodEnd: boolean
  pastDueSince: Date | null
}

type Standing = Omit<
  Subscription,
  'planId' | 'planName' | 'isOwn' | 'isMerchantTrialUsed' | 'overLimits' | PaymentFields
>
/** What only the payment provider knows. */
type PaymentFields = 'isBilled' | 'hasCard' | 'hasOpenInvoice' | 'paymentError'

/** A plan's limits; null means no limit. Spend is for 30 days, in micros of USD. */
export interface PlanLimits {
  maxMerchants: number | null
  maxProfiles: number | null
  maxSpendMicros: Micros | null
}

/** A subscriber's usage: since when each merchant and profile is connected, and the ad spend per day, oldest first. */
export interface PlanUsage {
  merchants: readonly Date[]
  profiles: readonly Date[]
  /** In micros of USD, without gaps. */
  spendMicros: readonly { date: string; micros: Micros }[]
}

/** Spend in micros of USD; the grace period ends at `upgradeBy`. */
export type OverLimit = Omit<Subscription['overLimits'][number], 'upgradeBy'> & { upgradeBy: Date }

/** The limits that are exceeded. Their grace period starts at `planSince`, when the plan was chosen, or later. */
export function overLimits(limits: PlanLimits, usage: PlanUsage, planSince: Date): OverLimit[] {
  const from = (since: Date): Date => new Date(Math.max(since.getTime(), planSince.getTime()) + overLimitDays * dayMs)
  const counted = (limit: 'MERCHANTS' | 'PROFILES', allowed: number | null, sinces: readonly Date[]): OverLimit[] => {
    const first = allowed === null ? undefined : [...sinces].sort((a, b) => a.getTime() - b.getTime())[allowed]
    return allowed === null || !first ? [] : [{ limit, used: sinces.length, allowed, upgradeBy: from(first) }]
  }
  return [
    ...counted('MERCHANTS', limits.maxMerchants, usage.merchants),
    ...counted('PROFILES', limits.maxProfiles, usage.profiles),
    ...overSpend(limits.maxSpendMicros, usage.spendMicros).map(({ since, ...one }) => ({
      ...one,
      upgradeBy: from(since),
    })),
  ]
}

function overSpend(allowed: number | null, days: PlanUsage['spendMicros']) {
  if (allowed === null) return []
  const upTo = (end: number): number =>
    days.slice(Math.max(0, end - spendDays), end).reduce((sum, d) => sum + d.micros, 0)
  let end = days.length
  while (end > 0 && upTo(end) > allowed) end--
  const first = days[end]
  if (!first) return []
  return [{ limit: 'SPEND' as const, used: upTo(days.length), allowed, since: new Date(`${first.date}T00:00:00Z`) }]
}

/** Whether the grace period of an exceeded limit is over. */
export const isUpgradeDue = (over: readonly OverLimit[], now: Date): boolean =>
  over.some(({ upgradeBy }) => upgradeBy <= now)

/** The end of a trial that starts now. */
export const trialEnd = (now: Date): Date => new Date(now.getTime() + trialDays * dayMs)

/**
 * The state of a subscription at a moment. A trial that ended without a card counts as paused, or as canceled if it was to
 * end; with a late payment, access lasts for seven more days. `requiresUpgrade` is true if the user must pay or choose a plan.
 */
export function standingOf(stored: StoredSubscription, now: Date): Standing {
  const status = statusAt(stored, now)
  const left = stored.trialEndsAt ? stored.trialEndsAt.getTime() - now.getTime() : 0
  const inGrace = status === 'past_due' && withinGrace(stored.pastDueSince, now)
  const hasAccess = status === 'trialing' || status === 'active' || inGrace
  const ended = status === 'canceled' || status === 'paused'
  return {
    status,
    hasAccess,
    requiresUpgrade: !hasAccess,
    hasActiveSubscription: hasAccess || status === 'past_due' || status === 'unpaid',
    isTrialActive: status === 'trialing',
    // For someone who has paid, the trial no longer matters.
    isTrialExpired:
      ended && stored.trialEndsAt !== null && stored.periodEndsAt?.getTime() === stored.trialEndsAt.getTime(),
    trialDaysRemaining: status === 'trialing' ? Math.max(0, Math.ceil(left / dayMs)) : 0,
    trialStartDate: stored.trialStartedAt?.toISOString() ?? null,
    trialEndDate: stored.trialEndsAt?.toISOString() ?? null,
    cancelAtPeriodEnd: stored.cancelAtPeriodEnd && hasAccess,
    periodEndDate: stored.periodEndsAt?.toISOString() ?? null,
    graceEndDate: status === 'past_due' && stored.pastDueSince ? graceEnd(stored.pastDueSince).toISOString() : null,
  }
}

function statusAt(stored: StoredSubscription, now: Date): Subscription['status'] {
  const { status, cancelAtPeriodEnd, periodEndsAt, trialEndsAt } = stored
  const over = (end: Date | null) => end !== null && end <= now
  if (status === 'trialing' && over(trialEndsAt)) return cancelAtPeriodEnd ? 'canceled' : 'paused'
  if (status === 'active' && cancelAtPeriodEnd && over(periodEndsAt)) return 'canceled'
  return status
}

/** Until when a payment that is late since then leaves access. */
export const graceEnd = (since: Date): Date => new Date(since.getTime() + graceDays * dayMs)

const withinGrace = (since: Date | null, now: Date): boolean => since !== null && now < graceEnd(since)
