import type { Dispatch } from 'react'
import { CheckField } from '#client/ui/forms/choices.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { settingsBlocks, stepFaults } from '../../draft/rules.ts'
import type { WizardAction, WizardFields } from '../wizard/state-actions.ts'
import { CampaignDetails, type CampaignDetailsProps } from './campaign-details.tsx'
import { FunnelCard } from './funnel-card.tsx'
import { TargetingChoices } from './targeting-choices.tsx'

interface SettingsStepProps extends Omit<CampaignDetailsProps, 'found' | 'set'> {
  dispatch: Dispatch<WizardAction>
}

/** Step 3: name, budget, target ACOS, and what the template asks beside them. */
export const SettingsStep = ({ dispatch, ...details }: SettingsStepProps) => {
  const { state, faults, market, budget } = details
  const found = stepFaults(state, 3, { budgetFault: budget?.fault ?? null })
  const set = (fields: Partial<WizardFields>) => dispatch({ type: 'fieldsSet', fields })
  const sharesError = faults['budgetShares'] ?? found.find(f => f.field === 'budgetShares')?.message
  return (
    <>
      <CampaignDetails {...details} found={found} set={set} />
      {settingsBlocks(state).funnel && (
        <FunnelCard
          state={state}
          currency={market.currency}
          split={budget?.split ?? []}
          sharesError={sharesError}
          set={set}
        />
      )}
      <TargetingChoices state={state} faults={faults} set={set} />
      {settingsBlocks(state).brandTerms && (
        <Card title="Brand terms">
          <CheckField
            label="Keep brand terms in campaigns of their own"
            help="Keywords with your own brand and keywords with a competitor’s brand get a campaign each, with 10% of the budget, and are kept out of the other campaigns."
            checked={state.separateBrandTerms}
            onChange={separateBrandTerms => set({ separateBrandTerms })}
          />
        </Card>
      )}
    </>
  )
}
