import './subscription.css'
import { useMutation, useQueryClient, useSuspenseQuery, mutationOptions, type QueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { formatMoney, formatPercent } from '#client/ui/figures/format.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { type Plan, type Subscription, subscriptionEndpoints } from '../contract.ts'
import { subscriptionQueries } from './queries.ts'
import { useOnline } from '#client/api/online.ts'
import { actionSheet, confirm } from '#client/ui/overlays/dialogs.ts'
import { call } from '#client/api/call.ts'

export function SubscriptionPage() {
  const { data: plans, dataUpdatedAt: plansAt } = useSuspenseQuery(subscriptionQueries.plans())
  const { data: current, refetch, dataUpdatedAt } = useSuspenseQuery(subscriptionQueries.current())
  const navigate = useNavigate()
  const start = useMutation(startTrial(useQueryClient()))
  const begin = async (plan: Plan) => {
    await start.mutateAsync(plan.id)
    toast({ title: current ? `You are on ${plan.name} now` : 'Your free trial has begun', tone: 'success' })
    const to: string = '/home'
    await navigate({ to })
  }
  const choiceOf = (plan: Plan) => {
    if (current === null)
      return { children: `Start ${plan.trialDays} days free with ${plan.name}`, busyLabel: 'Starting…' }
    if (current.isTrialActive && current.isOwn && current.planId !== plan.id)
      return { children: `Switch to ${plan.name}`, busyLabel: 'Switching…', tone: 'quiet' as const }
    return undefined
  }
  return (
    <Page title="Subscription" status={<OfflineAge updatedAt={[plansAt, dataUpdatedAt]} />} onRefresh={refetch}>
      {current ? (
        <CurrentSubscription subscription={current} />
      ) : (
        <p>
          Try Tideline for {plans[0]?.trialDays ?? 14} days, without a card. Choose the plan that fits; you can change
          it later.
        </p>
      )}
      <h2 className="visually-hidden">Plans</h2>
      <div className="plans">
        {plans.map(plan => {
          const choice = choiceOf(plan)
          return (
            <PlanCard
              key={plan.id}
              plan={plan}
              mine={current?.planId === plan.id}
              choice={
                choice && {
                  ...choice,
                  busy: start.isPending && start.variables === plan.id,
                  disabled: start.isPending,
                  // The mutation's own notification shows a rejection.
                  onClick: () => void begin(plan).catch(() => undefined),
                }
              }
            />
          )
        })}
      </div>
    </Page>
  )
}

const forWhom: Record<Plan['type'], string> = {
  STARTER: 'For sellers who are new to advertising.',
  GROWTH: 'For sellers who work on their campaigns every day.',
  AGENCY: 'For agencies that manage several sellers.',
}

const allowed = (limit: number | null): string => (limit === null ? 'No limit' : `Up to ${limit}`)

interface PlanCardProps {
  plan: Plan
  mine: boolean
  /** The button that chooses the plan; undefined when it cannot be chosen. */
  choice: ComponentProps<typeof Button> | undefined
}

function PlanCard({ plan, mine, choice }: PlanCardProps) {
  return (
    <Card title={plan.name} aside={mine && <span className="tag tag-good">Your plan</span>}>
      <p className="metric-value figure">
        {formatMoney(plan.basePrice, plan.currency)} <small className="metric-label">a month</small>
      </p>
      <p>{forWhom[plan.type]}</p>
      <KeyValue
        items={[
          { label: 'Merchants', value: allowed(plan.maxMerchants) },
          { label: 'Advertising accounts', value: allowed(plan.maxProfiles) },
          {
            label: 'Ad spend in 30 days',
            value: plan.maxSpend === null ? 'No limit' : `Up to ${formatMoney(plan.maxSpend, plan.currency)}`,
          },
          { label: 'Ad spend included', value: `${formatMoney(plan.minimumTaxablePrice, plan.currency)} a month` },
          { label: 'Above that', value: `${formatPercent(plan.adSpendPercentage, 1)} of the excess` },
        ]}
      />
      {choice && <Button tone="primary" block {...choice} />}
    </Card>
  )
}

const atEnd = 'At the end of the period'
const now = 'Immediately'

function CurrentSubscription({ subscription }: { subscription: Subscription }) {
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

const remember = (client: QueryClient, subscription: Subscription): void =>
  void client.setQueryData(subscriptionQueries.current().queryKey, subscription)

function startTrial(client: QueryClient) {
  return mutationOptions({
    mutationFn: (planId: number) => call(subscriptionEndpoints.startTrial, { body: { planId } }),
    onSuccess: subscription => remember(client, subscription),
    meta: { errorTitle: 'The plan could not be chosen' },
  })
}

export function cancelSubscription(client: QueryClient) {
  return mutationOptions({
    mutationFn: (cancelAtPeriodEnd: boolean) => call(subscriptionEndpoints.cancel, { query: { cancelAtPeriodEnd } }),
    onSuccess: (subscription, cancelAtPeriodEnd) => {
      remember(client, subscription)
      toast({
        title: 'Subscription canceled',
        message: cancelAtPeriodEnd
          ? 'Subscription will be canceled at the end of the current period'
          : 'Subscription has been canceled immediately',
        tone: 'success',
      })
    },
    meta: { errorTitle: 'Cancellation failed', errorDefault: 'Failed to cancel subscription' },
  })
}
