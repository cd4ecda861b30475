import { formatMoney, formatPercent } from '#client/ui/figures/format.ts'
import {} from '#client/ui/lists/card.tsx'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import { templateOf } from '../../templates.ts'
import type {} from '../steps/step-parts.tsx'
import { modeNames, strategyLabels } from './labels.ts'
import type { BudgetPreview } from './structure-preview.ts'

export function choicesOf(state: WizardState, { currency }: MarketplaceFacts) {
  const { template, strategy, setupMode, budget, targetAcos } = state
  return {
    setup: { label: 'Setup', value: modeNames[setupMode] },
    template: { label: 'Template', value: template ? templateOf(template).name : '–' },
    strategy: { label: 'Strategy', value: strategy ? strategyLabels[strategy].name : '–' },
    name: { label: 'Name', value: state.campaignName.trim() || '–' },
    budget: { label: 'Daily budget', value: budget ? formatMoney(budget, currency) : '–' },
    targetAcos: { label: 'Target ACOS', value: targetAcos ? formatPercent(targetAcos) : '–' },
  }
}

export function BudgetSplit({ split, currency }: Pick<BudgetPreview, 'split'> & { currency: string }) {
  return (
    <dl className="split" aria-label="How the budget is shared">
      {split.map(({ name, budget }, i) => (
        <div key={`${name} ${i}`}>
          <dt>{name}</dt>
          <dd>{formatMoney(budget, currency)}</dd>
        </div>
      ))}
    </dl>
  )
}
