import type { Dispatch } from 'react'
import { ChoiceCards } from '#client/ui/forms/choices.tsx'
import { strategies } from '#features/recommendations/contract.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import type { WizardAction } from '../wizard/wizard-reducer.ts'
import { strategyLabels } from '../wizard/labels.ts'

export interface StepProps {
  state: WizardState
  dispatch: Dispatch<WizardAction>
  /** Messages of a rejected launch, by field. */
  messages: Record<string, string>
}

/** Step 2: the bidding strategy. */
export function StrategyStep({ state, dispatch, messages }: StepProps) {
  return (
    <ChoiceCards
      legend="Bidding strategy"
      value={state.strategy}
      error={messages['strategy']}
      onChange={strategy => dispatch({ type: 'fieldsSet', fields: { strategy } })}
      options={strategies.map(value => ({
        value,
        label: strategyLabels[value].name,
        hint: strategyLabels[value].hint,
      }))}
    />
  )
}
