import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useOnline } from '#client/api/online.ts'
import { formatMoney } from '#client/ui/figures/format.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { actionSheet, confirm } from '#client/ui/overlays/dialogs.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { Plan, Subscription } from '../contract.ts'
import { cancelSubscription, payOpenInvoice, resumeSubscription } from './mutations.ts'
import { describeCancellation, describeStanding, longDay } from './standing.ts'

// A plain string: this feature does not know which addresses others registered.
const billing: string = '/subscription/billing'
const atEnd = 'At the end of the period'
const now = 'Immediately'

interface CurrentSubscriptionProps {
  subscription: Subscription
  plan: Plan | undefined
  /** False for viewers. */
  mayChange: boolean
}

/** What the subscription is now, what to do about it, and how to end it. */
export function CurrentSubscription({ subscription, plan, mayChange }: CurrentSubscriptionProps) {
  const { title, tag, sentence, steps } = describeStanding(subscription, plan)
  const isGood = subscription.hasAccess && subscription.status !== 'past_due'
  const client = useQueryClient()
  const cancel = useMutation(cancelSubscription(client))
  const resume = useMutation(resumeSubscription(client))
  const pay = useMutation(payOpenInvoice(client))
  const online = useOnline()
  const ask = async () => {
    const when = await actionSheet({
      title: 'When should the subscription end?',
      actions: [...(subscription.cancelAtPeriodEnd ? [] : [{ label: atEnd }]), { label: now, tone: 'danger' as const }],
    })
    if (when === undefined) return
    const sure = await confirm({
      title: 'Cancel the subscription?',
      message: describeCancellation(subscription, when === now),
      confirmText: 'Cancel subscription',
      cancelText: 'Keep it',
      tone: 'danger',
    })
    if (sure) cancel.mutate(when === atEnd)
  }
  return (
    <Card title={title} aside={<span className={`tag ${isGood ? 'tag-good' : 'tag-danger'}`}>{tag}</span>}>
      <div className="standing">
        <p>{sentence}</p>
        {subscription.overLimits.map(over => (
          <p key={over.limit}>
            {limitSentences[over.limit](over)}{' '}
            {new Date(over.upgradeBy) <= new Date()
              ? 'Choose a larger plan to continue.'
              : `Choose a larger plan by ${longDay(over.upgradeBy)}.`}
          </p>
        ))}
        {!subscription.isOwn && <p>It belongs to another user who shares this merchant with you.</p>}
        {subscription.isOwn && mayChange && (
          <div className="button-row">
            {steps.includes('PAY') && (
              <Button tone="primary" busy={pay.isPending} disabled={!online} onClick={() => pay.mutate()}>
                {subscription.status === 'incomplete' ? 'Finish payment' : 'Pay now'}
              </Button>
            )}
            {steps.includes('CARD') && (
              <Link to={billing} className="button button-quiet">
                {subscription.hasCard === false ? 'Add a card' : 'Update card'}
              </Link>
            )}
            {steps.includes('RESUME') && (
              <Button tone="primary" busy={resume.isPending} disabled={!online} onClick={() => resume.mutate()}>
                Keep the subscription
              </Button>
            )}
            {subscription.hasActiveSubscription && (
              <Button tone="danger" busy={cancel.isPending} disabled={!online} onClick={() => void ask()}>
                Cancel subscription
              </Button>
            )}
          </div>
        )}
      </div>
    </Card>
  )
}

type OverLimit = Subscription['overLimits'][number]

const limitSentences: Record<OverLimit['limit'], (over: OverLimit) => string> = {
  MERCHANTS: ({ used, allowed }) => `You have connected ${used} merchants; your plan allows ${allowed}.`,
  PROFILES: ({ used, allowed }) => `You manage ${used} advertising accounts; your plan allows ${allowed}.`,
  SPEND: ({ used, allowed }) =>
    `Your ad spend in the last 30 days is ${formatMoney(used, 'USD')}; your plan allows ${formatMoney(allowed, 'USD')}.`,
}
