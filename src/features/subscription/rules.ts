import type { Subscription } from './contract.ts'

export const trialDays = 14
/** Days for which a payment that is late does not lock the user out. */
export const graceDays = 7

const dayMs = 86_400_000

/** What is stored of a subscription. */
export interface StoredSubscription {
  status: Subscription['status']
  trialStartedAt: Date | null
  trialEndsAt: Date | null
  periodEndsAt: Date | null
  cancelAtPeriodEnd: boolean
  pastDueSince: Date | null
}

type Standing = Omit<Subscription, 'planId' | 'planName'>

/** The end of a trial that starts now. */
export const trialEnd = (now: Date): Date => new Date(now.getTime() + trialDays * dayMs)

/**
 * What a subscription gives at a moment. A trial that ran out without a card counts as paused (as canceled, when it was to
 * end there); a late payment keeps access for seven days. `requiresUpgrade` says that something must be paid or chosen.
 */
export const standingOf = (stored: StoredSubscription, now: Date): Standing => {
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
    // Someone who paid once has no trial to speak of any more.
    isTrialExpired:
      ended && stored.trialEndsAt !== null && stored.periodEndsAt?.getTime() === stored.trialEndsAt.getTime(),
    trialDaysRemaining: status === 'trialing' ? Math.max(0, Math.ceil(left / dayMs)) : 0,
    trialStartDate: stored.trialStartedAt?.toISOString() ?? null,
    trialEndDate: stored.trialEndsAt?.toISOString() ?? null,
    cancelAtPeriodEnd: stored.cancelAtPeriodEnd && hasAccess,
    periodEndDate: stored.periodEndsAt?.toISOString() ?? null,
  }
}

const statusAt = (stored: StoredSubscription, now: Date): Subscription['status'] => {
  const { status, cancelAtPeriodEnd, periodEndsAt, trialEndsAt } = stored
  const over = (end: Date | null) => end !== null && end <= now
  if (status === 'trialing' && over(trialEndsAt)) return cancelAtPeriodEnd ? 'canceled' : 'paused'
  if (status === 'active' && cancelAtPeriodEnd && over(periodEndsAt)) return 'canceled'
  return status
}

const withinGrace = (since: Date | null, now: Date): boolean =>
  since !== null && now.getTime() - since.getTime() < graceDays * dayMs
