import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useOnline } from '#client/api/online.ts'
import { formatMoney } from '#client/ui/figures/format.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { actionSheet, confirm } from '#client/ui/overlays/dialogs.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { Subscription } from '../contract.ts'
import { cancelSubscription } from './mutations.ts'

const atEnd = 'At the end of the period'
const now = 'Immediately'

export function CurrentSubscription({ subscription }: { subscription: Subscription }) {
  const { title, tag, sentence } = describe(subscription)
  const cancel = useMutation(cancelSubscription(useQueryClient()))
  const online = useOnline()
  const ask = async () => {
    const when = await actionSheet({
      title: 'When should the subscription end?',
      actions: [...(subscription.cancelAtPeriodEnd ? [] : [{ label: atEnd }]), { label: now, tone: 'danger' as const }],
    })
    if (when === undefined) return
    const sure = await confirm({
      title: 'Cancel the subscription?',
      message:
        when === now
          ? 'Your access ends immediately. Your campaigns keep running on the marketplace unchanged.'
          : 'You keep your access until the end of the period.',
      confirmText: 'Cancel subscription',
      cancelText: 'Keep it',
      tone: 'danger',
    })
    if (sure) cancel.mutate(when === atEnd)
  }
  return (
    <Card
      title={title}
      aside={<span className={subscription.hasAccess ? 'tag tag-good' : 'tag tag-danger'}>{tag}</span>}
    >
      <div className="standing">
        <p>{sentence}</p>
        {subscription.overLimits.map(over => (
          <p key={over.limit}>
            {limitSentences[over.limit](over)}{' '}
            {new Date(over.upgradeBy) <= new Date()
              ? 'Choose a larger plan to continue.'
              : `Choose a larger plan by ${day(over.upgradeBy)}.`}
          </p>
        ))}
        {!subscription.isOwn && <p>It belongs to another user who shares this merchant with you.</p>}
        {subscription.isOwn && subscription.hasActiveSubscription && (
          <Button tone="danger" busy={cancel.isPending} disabled={!online} onClick={() => void ask()}>
            Cancel subscription
          </Button>
        )}
      </div>
    </Card>
  )
}

const day = (iso: string): string => new Date(iso).toLocaleDateString(undefined, { dateStyle: 'long' })

type OverLimit = Subscription['overLimits'][number]

const limitSentences: Record<OverLimit['limit'], (over: OverLimit) => string> = {
  MERCHANTS: ({ used, allowed }) => `You have connected ${used} merchants; your plan allows ${allowed}.`,
  PROFILES: ({ used, allowed }) => `You manage ${used} advertising accounts; your plan allows ${allowed}.`,
  SPEND: ({ used, allowed }) =>
    `Your ad spend in the last 30 days is ${formatMoney(used, 'USD')}; your plan allows ${formatMoney(allowed, 'USD')}.`,
}

function describe(s: Subscription): { title: string; tag: string; sentence: string } {
  if (s.isMerchantTrialUsed)
    return {
      title: `Free trial of ${s.planName}`,
      tag: 'Not for this merchant',
      sentence:
        'Another user already had the free trial for this merchant. Choose another merchant, or disconnect this one.',
    }
  if (s.isTrialActive && s.trialEndDate)
    return {
      title: `Free trial of ${s.planName}`,
      tag: `${s.trialDaysRemaining} ${s.trialDaysRemaining === 1 ? 'day' : 'days'} left`,
      sentence: s.cancelAtPeriodEnd
        ? `It ends on ${day(s.trialEndDate)} and will not continue.`
        : `It runs until ${day(s.trialEndDate)}. You will not be charged: you have not entered a card.`,
    }
  if (s.isTrialExpired)
    return {
      title: 'Your free trial has ended',
      tag: 'Ended',
      sentence:
        'Your campaigns keep running on the marketplace unchanged. Tideline keeps your data: choose a plan to see it again.',
    }
  if (s.status === 'past_due')
    return {
      title: s.planName,
      tag: s.hasAccess ? 'Payment late' : 'Payment needed',
      sentence: s.hasAccess
        ? 'The last payment failed. Pay within seven days to keep your access.'
        : 'The last payment failed, and your access has ended.',
    }
  if (!s.hasAccess)
    return { title: s.planName, tag: 'No access', sentence: 'This subscription has ended or was never paid for.' }
  const end = s.periodEndDate && `${s.cancelAtPeriodEnd ? 'It ends' : 'It renews'} on ${day(s.periodEndDate)}.`
  return { title: s.planName, tag: 'Active', sentence: end ?? 'It renews every month.' }
}
