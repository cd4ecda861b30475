import { settingsBlocks } from '../../draft/wizard-state.ts'
import { stepProblems } from '../../draft/rules.ts'
import type { Dispatch } from 'react'
import { CheckField, ChoiceCards } from '#client/ui/forms/choices.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import type { WizardAction, WizardFields } from '../wizard/wizard-reducer.ts'
import { CampaignDetails, type CampaignDetailsProps } from './campaign-details.tsx'
import { FunnelCard } from './funnel-card.tsx'
import type { WizardState } from '../../draft/wizard-state.ts'
import { automationLabels, matchLabels, productMatchLabels, targetTypeLabels } from '../wizard/labels.ts'

interface SettingsStepProps extends Omit<CampaignDetailsProps, 'problems' | 'set'> {
  dispatch: Dispatch<WizardAction>
}

/** Step 3: name, budget, target ACOS, and the choices of the template. */
export function SettingsStep({ dispatch, ...details }: SettingsStepProps) {
  const { state, messages, market, budget } = details
  const problems = stepProblems(state, 3, market)
  const set = (fields: Partial<WizardFields>) => dispatch({ type: 'fieldsSet', fields })
  const sharesError = messages['budgetShares'] ?? problems.find(f => f.field === 'budgetShares')?.message
  return (
    <>
      <CampaignDetails {...details} problems={problems} set={set} />
      {settingsBlocks(state).funnel && (
        <FunnelCard
          state={state}
          currency={market.currency}
          split={budget?.split ?? []}
          sharesError={sharesError}
          set={set}
        />
      )}
      <TargetingChoices state={state} messages={messages} set={set} />
      {settingsBlocks(state).brandTerms && (
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

interface TargetingChoicesProps {
  state: WizardState
  messages: Record<string, string>
  set: (fields: Partial<WizardFields>) => void
}

function optionsOf<V extends string>(words: Record<V, string>) {
  return (Object.entries(words) as [V, string][]).map(([value, label]) => ({ value, label }))
}

/** The targeting choices of the template. */
function TargetingChoices({ state, messages, set }: TargetingChoicesProps) {
  const blocks = settingsBlocks(state)
  return (
    <>
      {blocks.automation && (
        <ChoiceCards
          legend="Targeting Mode"
          value={state.automationMode}
          error={messages['automationMode']}
          onChange={automationMode => set({ automationMode })}
          options={optionsOf(automationLabels)}
        />
      )}
      {blocks.keywordMatch && (
        <ChoiceCards
          legend="Keyword Match Type"
          value={state.keywordMatchType}
          error={messages['keywordMatchType']}
          onChange={keywordMatchType => set({ keywordMatchType })}
          options={optionsOf(matchLabels)}
        />
      )}
      {blocks.productTargetType && (
        <ChoiceCards
          legend="Product Targeting Type"
          value={state.productTargetType}
          error={messages['productTargetType']}
          onChange={productTargetType => set({ productTargetType })}
          options={optionsOf(targetTypeLabels)}
        />
      )}
      {blocks.productMatch && (
        <ChoiceCards
          legend="Product Match Type"
          value={state.productMatchType}
          error={messages['productMatchType']}
          onChange={productMatchType => set({ productMatchType })}
          options={optionsOf(productMatchLabels)}
        />
      )}
    </>
  )
}
