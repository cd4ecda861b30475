import { formatMoney, formatPercent } from '#client/ui/figures/format.ts'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { Plan } from '../contract.ts'

interface PlanCardProps {
  plan: Plan
  mine: boolean
  busy?: boolean
  disabled?: boolean
  /** What choosing the plan does; absent when it cannot be chosen. */
  choice?: { label: string; busyLabel: string; onChoose: () => void }
}

const forWhom: Record<Plan['type'], string> = {
  STARTER: 'For a seller who begins to advertise.',
  GROWTH: 'For a seller whose campaigns are a daily matter.',
  AGENCY: 'For those who look after several sellers.',
}

const allowed = (limit: number | null): string => (limit === null ? 'No limit' : `Up to ${limit}`)

/** One plan with its price and limits. */
export function PlanCard({ plan, mine, busy = false, disabled = false, choice }: PlanCardProps) {
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
      {choice && (
        <Button
          tone="primary"
          block
          busy={busy}
          busyLabel={choice.busyLabel}
          disabled={disabled}
          onClick={choice.onChoose}
        >
          {choice.label}
        </Button>
      )}
    </Card>
  )
}
