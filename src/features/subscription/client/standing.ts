import { formatMomentLongDay, formatMoney } from '#client/ui/figures/format.ts'
import type { Plan, Subscription } from '../contract.ts'

/** What a subscriber can do next. Where it is empty, or says so, a plan is chosen below. */
export type Step = 'PAY' | 'CARD' | 'RESUME'

export interface StandingText {
  title: string
  tag: string
  sentence: string
  steps: readonly Step[]
}

export const longDay = formatMomentLongDay

const reasons: Record<string, string> = {
  insufficient_funds: ': the card has insufficient funds',
  expired_card: ': the card has expired',
  authentication_required: ': your bank asks you to confirm it',
  incorrect_cvc: ': the card’s security code is wrong',
  lost_card: ': the bank no longer accepts the card',
  stolen_card: ': the bank no longer accepts the card',
}
const failed = ({ paymentError }: Subscription): string =>
  `The last payment failed${reasons[paymentError ?? ''] ?? ''}.`

const keeps = 'Your campaigns keep running on the marketplace unchanged, and Tideline keeps your data.'

/** What a subscription means for its owner, in each of its states, and what to do about it. */
export function describeStanding(s: Subscription, plan: Plan | undefined): StandingText {
  const title = s.planName
  const isLeft = s.cancelAtPeriodEnd ? (['RESUME'] as const) : []
  if (s.isMerchantTrialUsed)
    return {
      title: `Free trial of ${title}`,
      tag: 'Not for this merchant',
      sentence: s.isBilled
        ? 'Another user already had the free trial for this merchant. You can work with it once your own trial is over.'
        : 'Another user already had the free trial for this merchant. Subscribe to a plan to work with it, or choose another merchant.',
      steps: [],
    }
  if (s.isTrialActive && s.trialEndDate) return { ...describeTrial(s, s.trialEndDate, plan), steps: trialSteps(s) }
  if (s.isTrialExpired)
    return {
      title: 'Your free trial has ended',
      tag: 'Ended',
      sentence: `${keeps} Choose a plan to see it again.`,
      steps: [],
    }
  switch (s.status) {
    case 'past_due':
      return s.hasAccess
        ? {
            title,
            tag: 'Payment late',
            sentence: `${failed(s)} ${s.graceEndDate ? `Pay by ${longDay(s.graceEndDate)} to keep your access.` : 'Pay to keep your access.'}`,
            steps: ['PAY', 'CARD'],
          }
        : {
            title,
            tag: 'Payment needed',
            sentence: `${failed(s)} Your access has ended; pay to get it back. ${keeps}`,
            steps: ['PAY', 'CARD'],
          }
    case 'unpaid':
      return {
        title,
        tag: 'Payment needed',
        sentence: `Several payments failed, and your access has ended. Pay the open invoice to get it back. ${keeps}`,
        steps: ['PAY', 'CARD'],
      }
    case 'incomplete':
      return {
        title,
        tag: 'Payment not finished',
        sentence: 'Your first payment is not finished. Finish it to begin, or choose a plan to start over.',
        steps: ['PAY'],
      }
    case 'incomplete_expired':
      return {
        title,
        tag: 'Not paid',
        sentence: 'The first payment was not finished in time, and nothing was charged. Choose a plan to start over.',
        steps: [],
      }
    case 'active':
      return {
        title,
        tag: s.cancelAtPeriodEnd ? 'Ending' : 'Active',
        ...describeActive(s),
        steps: s.hasCard === false ? [...isLeft, 'CARD'] : isLeft,
      }
    default:
      return {
        title,
        tag: 'Ended',
        sentence: `Your subscription has ended. ${keeps} Choose a plan to see it again.`,
        steps: [],
      }
  }
}

function describeTrial(s: Subscription, end: string, plan: Plan | undefined) {
  const price = plan ? `${formatMoney(plan.basePrice, plan.currency)} a month` : 'the price of the plan'
  const then =
    s.hasCard === false
      ? `Then ${price} is due, but there is no card: add one.`
      : `Then ${price} is charged to your card.`
  return {
    title: `Free trial of ${s.planName}`,
    tag: `${s.trialDaysRemaining} ${s.trialDaysRemaining === 1 ? 'day' : 'days'} left`,
    sentence: s.cancelAtPeriodEnd
      ? `It ends on ${longDay(end)} and will not continue. You will not be charged.`
      : s.isBilled
        ? `It runs until ${longDay(end)}. ${then}`
        : `It runs until ${longDay(end)}. You will not be charged: you have not subscribed to a plan.`,
  }
}

function trialSteps({ cancelAtPeriodEnd, isBilled, hasCard }: Subscription): Step[] {
  if (cancelAtPeriodEnd) return ['RESUME']
  return isBilled && hasCard === false ? ['CARD'] : []
}

/** What canceling means, before it is done: for the access, for what was paid, and for the ad spend that is not invoiced yet. */
export function describeCancellation({ isBilled, isTrialActive }: Subscription, isImmediate: boolean): string {
  const isPaid = isBilled && !isTrialActive
  if (!isImmediate)
    return isPaid
      ? 'You keep your access until the end of the period. The fee on your ad spend until then is still invoiced, after the month is over.'
      : 'You keep your access until the end of the period.'
  return [
    `Your access ends immediately${isPaid ? ', and what you have paid is not refunded' : ''}.`,
    ...(isPaid
      ? ['The fee on your ad spend of this month until today is still invoiced, after the month is over.']
      : []),
    'Your campaigns keep running on the marketplace unchanged.',
  ].join(' ')
}

function describeActive(s: Subscription): { sentence: string } {
  if (!s.periodEndDate) return { sentence: 'It renews every month.' }
  const day = longDay(s.periodEndDate)
  if (s.cancelAtPeriodEnd) return { sentence: `It ends on ${day}. Until then you keep your access.` }
  return {
    sentence:
      s.hasCard === false ? `It renews on ${day}, but there is no card to charge: add one.` : `It renews on ${day}.`,
  }
}
