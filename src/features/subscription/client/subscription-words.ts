import { formatMoney } from '#client/ui/figures/format.ts'
import type { Subscription } from '../contract.ts'

export interface Standing {
  title: string
  tag: string
  sentence: string
}

const day = (iso: string): string => new Date(iso).toLocaleDateString(undefined, { dateStyle: 'long' })
const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`)

type OverLimit = Subscription['overLimits'][number]

const limitSentences: Record<OverLimit['limit'], (over: OverLimit) => string> = {
  MERCHANTS: ({ used, allowed }) => `You connected ${used} merchants; your plan allows ${allowed}.`,
  PROFILES: ({ used, allowed }) => `You manage ${used} advertising accounts; your plan allows ${allowed}.`,
  SPEND: ({ used, allowed }) =>
    `Your ad spend of the last 30 days is ${formatMoney(used, 'USD')}; your plan allows ${formatMoney(allowed, 'USD')}.`,
}

/** How a plan is exceeded and until when a larger one must be chosen. */
export function overLimitSentence(over: OverLimit, now: Date): string {
  const due = new Date(over.upgradeBy) <= now
  return `${limitSentences[over.limit](over)} ${due ? 'Choose a larger plan to continue.' : `Choose a larger plan by ${day(over.upgradeBy)}.`}`
}

/** A subscription's standing in the user's words. */
export function standingWords(s: Subscription): Standing {
  if (s.isMerchantTrialUsed)
    return {
      title: `Free trial of ${s.planName}`,
      tag: 'Not for this merchant',
      sentence:
        'The merchant you chose has had its free trial with another user. Choose another merchant, or disconnect this one.',
    }
  if (s.isTrialActive && s.trialEndDate)
    return {
      title: `Free trial of ${s.planName}`,
      tag: `${days(s.trialDaysRemaining)} left`,
      sentence: s.cancelAtPeriodEnd
        ? `It ends on ${day(s.trialEndDate)} and will not go on after that.`
        : `It runs until ${day(s.trialEndDate)}. Nothing is charged: no card was asked for.`,
    }
  if (s.isTrialExpired)
    return {
      title: 'Your free trial has ended',
      tag: 'Ended',
      sentence:
        'Your campaigns go on at the marketplace as they are. Tideline keeps your data, but shows it with a plan only.',
    }
  if (s.status === 'past_due')
    return {
      title: s.planName,
      tag: s.hasAccess ? 'Payment is late' : 'Payment needed',
      sentence: s.hasAccess
        ? 'The last payment did not succeed. Please pay within seven days to keep your access.'
        : 'The last payment did not succeed and your access has ended.',
    }
  if (s.hasAccess)
    return {
      title: s.planName,
      tag: 'Active',
      sentence: s.periodEndDate
        ? `${s.cancelAtPeriodEnd ? 'It ends' : 'It renews'} on ${day(s.periodEndDate)}.`
        : 'It renews every month.',
    }
  return { title: s.planName, tag: 'No access', sentence: 'This subscription has ended or was never paid.' }
}
