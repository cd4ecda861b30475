import './subscription.css'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { arrowUndoOutline } from 'ionicons/icons'
import { type ComponentProps, useState } from 'react'
import { useUserAuthorities } from '#features/auth/client/public.ts'
import { useEvents } from '#client/api/events.ts'
import { useOnline } from '#client/api/online.ts'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { formatMoney } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { feeInWords } from '#shared/ad-spend-fee.ts'
import type { Plan, Subscription } from '../contract.ts'
import { ChangePlanSheet } from './change-plan-sheet.tsx'
import { CurrentSubscription } from './current-subscription.tsx'
import { startCheckout, startTrial } from './mutations.ts'
import { subscriptionQueries } from './queries.ts'

export function SubscriptionPage() {
  const { checkout } = useSearch({ strict: false })
  const { data: plans, dataUpdatedAt: plansAt } = useSuspenseQuery(subscriptionQueries.plans())
  const { data: current, refetch, dataUpdatedAt } = useSuspenseQuery(subscriptionQueries.current())
  const navigate = useNavigate()
  const client = useQueryClient()
  const start = useMutation(startTrial(client))
  const buy = useMutation(startCheckout(client))
  const [changingTo, setChangingTo] = useState<Plan | null>(null)
  const online = useOnline()
  // Until that is known the buttons are there, and the server decides.
  const mayChoose = useUserAuthorities()?.includes('ACCOUNT_MANAGER') ?? true
  // It was paid, canceled or late elsewhere.
  useEvents('/events', ({ event }) => event === 'subscription' && void refetch(), { onReconnect: () => void refetch() })
  const isBusy = start.isPending || buy.isPending
  const begin = async (plan: Plan) => {
    await start.mutateAsync(plan.id)
    toast({ title: current ? `You are on ${plan.name} now` : 'Your free trial has begun', tone: 'success' })
    const to: string = '/home'
    await navigate({ to })
  }
  const actions = {
    TRY: (plan: Plan) => ({
      busy: start.isPending && start.variables === plan.id,
      busyLabel: 'Starting…',
      // The mutation's own notification shows a rejection.
      onClick: () => void begin(plan).catch(() => undefined),
    }),
    BUY: (plan: Plan) => ({
      busy: buy.isPending && buy.variables === plan.id,
      busyLabel: 'Opening the payment page…',
      onClick: () => buy.mutate(plan.id),
    }),
    CHANGE: (plan: Plan) => ({ onClick: () => setChangingTo(plan) }),
  }
  return (
    <Page title="Subscription" status={<OfflineAge updatedAt={[plansAt, dataUpdatedAt]} />} onRefresh={refetch}>
      {checkout === 'left' && (
        <output className="notice">
          <Icon icon={arrowUndoOutline} />
          <span>
            <strong>You left the payment page</strong>
            Nothing was charged. Choose the plan again to return to it.
          </span>
        </output>
      )}
      {!mayChoose && (
        <p>You view figures and change nothing. The owner of the merchant chooses its plan and pays for it.</p>
      )}
      {current ? (
        <CurrentSubscription subscription={current} plan={plans.find(plan => plan.id === current.planId)} />
      ) : (
        mayChoose && (
          <p>
            Try Tideline for {plans[0]?.trialDays ?? 14} days, without a card, or subscribe at once. Choose the plan
            that fits; you can change it later.
          </p>
        )
      )}
      <h2 className="visually-hidden">Plans</h2>
      <div className="plans">
        {plans.map(plan => (
          <PlanCard
            key={plan.id}
            plan={plan}
            mine={current?.planId === plan.id && current.hasActiveSubscription}
            choices={(mayChoose ? choicesOf(plan, current) : []).map(({ kind, ...choice }) => ({
              disabled: isBusy || !online,
              ...actions[kind](plan),
              ...choice,
            }))}
          />
        ))}
      </div>
      <ChangePlanSheet plan={changingTo} onClose={() => setChangingTo(null)} />
    </Page>
  )
}

interface Choice {
  kind: 'TRY' | 'BUY' | 'CHANGE'
  children: string
  tone?: 'quiet'
}

/** What can be done with a plan: try it, buy it, or change to it. */
export function choicesOf({ id, name, trialDays }: Plan, current: Subscription | null): Choice[] {
  const buy = (tone?: 'quiet'): Choice => ({ kind: 'BUY', children: `Subscribe to ${name}`, ...(tone && { tone }) })
  if (current === null)
    return [{ kind: 'TRY', children: `Start ${trialDays} days free with ${name}` }, { ...buy('quiet') }]
  if (!current.isOwn) return []
  const { isBilled, isTrialActive, status, planId } = current
  if (isBilled)
    return planId === id || status === 'past_due' || status === 'unpaid'
      ? []
      : [{ kind: 'CHANGE', children: `Change to ${name}`, tone: 'quiet' }]
  if (!isTrialActive || planId === id) return [buy()]
  return [buy('quiet'), { kind: 'TRY', children: `Switch to ${name}`, tone: 'quiet' }]
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
  /** The buttons that choose the plan; none when it cannot be chosen. */
  choices: readonly (ComponentProps<typeof Button> & { children: string })[]
}

function PlanCard({ plan, mine, choices }: PlanCardProps) {
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
          { label: 'Ad spend fee', value: feeInWords(plan) },
        ]}
      />
      {choices.map(choice => (
        <Button key={choice.children} tone="primary" block {...choice} />
      ))}
    </Card>
  )
}
