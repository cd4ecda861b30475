import { CheckField, ChoiceCards } from '#client/ui/forms/choices.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { settingsBlocks, type WizardState } from '../../draft/wizard-state.ts'
import { phases } from '../../templates.ts'
import type { StepProps } from '../steps/step-parts.tsx'
import { matchLabels, productMatchLabels } from '../wizard/labels.ts'
import type { WizardFields } from '../wizard/wizard-reducer.ts'
import { CampaignDetails } from './campaign-details.tsx'
import { PhaseShares } from './phase-shares.tsx'

const modeLabels = { AUTO: 'Automatic', MANUAL: 'Manual' }
const typeLabels = { CATEGORY: 'Category Targeting', PRODUCT: 'Product Targeting' }
const targetingChoices = [
  { block: 'automation', field: 'automationMode', legend: 'Targeting Mode', labels: modeLabels },
  { block: 'keywordMatch', field: 'keywordMatchType', legend: 'Keyword Match Type', labels: matchLabels },
  { block: 'productTargetType', field: 'productTargetType', legend: 'Product Targeting Type', labels: typeLabels },
  { block: 'productMatch', field: 'productMatchType', legend: 'Product Match Type', labels: productMatchLabels },
] as const

export function SettingsStep(props: StepProps) {
  const { state, dispatch, messages } = props
  const blocks = settingsBlocks(state)
  const set = (fields: Partial<WizardFields>) => dispatch({ type: 'fieldsSet', fields })
  return (
    <>
      <CampaignDetails {...props} />
      {blocks.funnel && (
        <Card title="Funnel structure preview">
          <ol className="phases">
            {phaseSummaries(state).map(({ name, targeting }) => (
              <li key={name}>
                <strong>{name}</strong> <span className="muted">({targeting})</span>
              </li>
            ))}
          </ol>
          <CheckField
            label="Include High Impact Campaign"
            help="Aggressive bidding on high-intent keywords for customers ready to buy."
            checked={state.includeHighImpact}
            onChange={includeHighImpact => set({ includeHighImpact })}
          />
          <CheckField
            label="Include Ranking"
            help="Competes for the best placements. Without it, the other phases share its budget in proportion, and its keywords go to Performance."
            checked={state.includeRanking}
            onChange={includeRanking => set({ includeRanking })}
          />
          <PhaseShares {...props} />
        </Card>
      )}
      {targetingChoices.map(
        ({ block, field, legend, labels }) =>
          blocks[block] && (
            <ChoiceCards
              key={field}
              legend={legend}
              value={state[field]}
              error={messages[field]}
              onChange={value => set({ [field]: value })}
              options={Object.entries(labels).map(([value, label]) => ({ value, label }))}
            />
          ),
      )}
      {blocks.brandTerms && (
        <Card title="Brand terms">
          <CheckField
            label="Separate campaigns for brand terms"
            help="Keywords with your own brand and keywords with a competitor’s brand get one campaign each, with 10% of the budget. The other campaigns exclude them."
            checked={state.separateBrandTerms}
            onChange={separateBrandTerms => set({ separateBrandTerms })}
          />
        </Card>
      )}
    </>
  )
}

function phaseSummaries({
  includeHighImpact,
  includeRanking,
}: Pick<WizardState, 'includeHighImpact' | 'includeRanking'>) {
  return [
    { name: phases.DISCOVERY, targeting: 'auto, broad' },
    { name: phases.RESEARCH, targeting: 'manual, phrase' },
    { name: phases.PERFORMANCE, targeting: 'manual, exact' },
    ...(includeRanking ? [{ name: phases.RANKING, targeting: 'manual, competitive bidding' }] : []),
    ...(includeHighImpact ? [{ name: phases.HIGH_IMPACT, targeting: 'manual, aggressive' }] : []),
  ]
}
