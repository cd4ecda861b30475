import { formatMoney, formatPercent } from '#client/ui/figures/format.ts'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { Plan } from '../contract.ts'

interface PlanCardProps {
  plan: Plan
  mine: boolean
  starting?: boolean
  disabled?: boolean
  /** Absent when no trial can be started. */
  onStart?: () => void
}

const forWhom: Record<Plan['type'], string> = {
  STARTER: 'For a seller who begins to advertise.',
  GROWTH: 'For a seller whose campaigns are a daily matter.',
  AGENCY: 'For those who look after several sellers.',
}

/** One plan with its price. */
export const PlanCard = ({ plan, mine, starting = false, disabled = false, onStart }: PlanCardProps) => (
  <Card title={plan.name} aside={mine && <span className="tag tag-good">Your plan</span>}>
    <p className="metric-value figure">
      {formatMoney(plan.basePrice, plan.currency)} <small className="metric-label">a month</small>
    </p>
    <p>{forWhom[plan.type]}</p>
    <KeyValue
      items={[
        { label: 'Ad spend included', value: `${formatMoney(plan.minimumTaxablePrice, plan.currency)} a month` },
        { label: 'Above that', value: `${formatPercent(plan.adSpendPercentage, 1)} of the excess` },
      ]}
    />
    {onStart && (
      <Button tone="primary" block busy={starting} busyLabel="Starting…" disabled={disabled} onClick={onStart}>
        Start {plan.trialDays} days free with {plan.name}
      </Button>
    )}
  </Card>
)
