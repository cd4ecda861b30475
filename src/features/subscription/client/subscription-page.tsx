import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { CurrentSubscription } from './current-subscription.tsx'
import type { Plan } from '../contract.ts'
import { startTrial } from './mutations.ts'
import { PlanCard } from './plan-card.tsx'
import { subscriptionQueries } from './queries.ts'
import './subscription.css'

/** The plans, the free trial, and what the user has now. */
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
    // A refusal is shown by the mutation's own notification.
    const onChoose = () => void begin(plan).catch(() => undefined)
    if (current === null)
      return { label: `Start ${plan.trialDays} days free with ${plan.name}`, busyLabel: 'Starting…', onChoose }
    if (current.isTrialActive && current.isOwn && current.planId !== plan.id)
      return { label: `Switch to ${plan.name}`, busyLabel: 'Switching…', onChoose }
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
              busy={start.isPending && start.variables === plan.id}
              disabled={start.isPending}
              {...(choice && { choice })}
            />
          )
        })}
      </div>
    </Page>
  )
}
