import { formatMoney, formatPercent } from '#client/ui/figures/format.ts'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import type { budgetOf } from './structure-preview.ts'
import { BudgetSplit } from '../settings/budget-split.tsx'
import { strategyLabels, templateName } from './labels.ts'

interface WizardSummaryProps {
  state: WizardState
  budget: ReturnType<typeof budgetOf>
  market: MarketplaceFacts
}

/** The choices so far, next to the sheets. */
export function WizardSummary({ state, budget, market }: WizardSummaryProps) {
  return (
    <Card title="Summary">
      <KeyValue
        items={[
          { label: 'Marketplace', value: market.name },
          { label: 'Setup', value: state.setupMode === 'SMART' ? 'Smart' : 'Guided' },
          { label: 'Template', value: state.template ? templateName(state.template) : '–' },
          { label: 'Strategy', value: state.strategy ? strategyLabels[state.strategy].name : '–' },
          { label: 'Name', value: state.campaignName.trim() || '–' },
          { label: 'Daily budget', value: state.budget ? formatMoney(state.budget, market.currency) : '–' },
          { label: 'Target ACOS', value: state.targetAcos ? formatPercent(state.targetAcos) : '–' },
          {
            label: 'Products',
            value: productsLabel(state),
          },
        ]}
      />
      {budget && budget.split.length > 1 && <BudgetSplit split={budget.split} currency={market.currency} />}
    </Card>
  )
}

const namedAtOnce = 3

function productsLabel({ products }: WizardState): string {
  const named = products.slice(0, namedAtOnce).map(p => p.title ?? p.asin)
  const others = products.length - named.length
  return others > 0 ? `${named.join(', ')} and ${others} more` : named.join(', ') || '–'
}
