import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { formatMoney, formatPercent } from '#client/ui/figures/format.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { Plan } from '../contract.ts'
import { CurrentSubscription } from './current-subscription.tsx'
import { startTrial } from './mutations.ts'
import { subscriptionQueries } from './queries.ts'
import './subscription.css'

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
      return { children: `Switch to ${plan.name}`, busyLabel: 'Switching…' }
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
