import { ChoiceCards } from '#client/ui/forms/choices.tsx'
import { settingsBlocks } from '../../draft/rules.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import type { WizardFields } from '../wizard/state-actions.ts'
import { automationWords, matchWords, productMatchWords, targetTypeWords } from '../wizard/words.ts'

interface TargetingChoicesProps {
  state: WizardState
  faults: Record<string, string>
  set: (fields: Partial<WizardFields>) => void
}

const optionsOf = <V extends string>(words: Record<V, string>) =>
  (Object.entries(words) as [V, string][]).map(([value, label]) => ({ value, label }))

/** What the template still has to be told: how targeting goes, and by which match. */
export const TargetingChoices = ({ state, faults, set }: TargetingChoicesProps) => {
  const blocks = settingsBlocks(state)
  return (
    <>
      {blocks.automation && (
        <ChoiceCards
          legend="Targeting Mode"
          value={state.automationMode}
          error={faults['automationMode']}
          onChange={automationMode => set({ automationMode })}
          options={optionsOf(automationWords)}
        />
      )}
      {blocks.keywordMatch && (
        <ChoiceCards
          legend="Keyword Match Type"
          value={state.keywordMatchType}
          error={faults['keywordMatchType']}
          onChange={keywordMatchType => set({ keywordMatchType })}
          options={optionsOf(matchWords)}
        />
      )}
      {blocks.productTargetType && (
        <ChoiceCards
          legend="Product Targeting Type"
          value={state.productTargetType}
          error={faults['productTargetType']}
          onChange={productTargetType => set({ productTargetType })}
          options={optionsOf(targetTypeWords)}
        />
      )}
      {blocks.productMatch && (
        <ChoiceCards
          legend="Product Match Type"
          value={state.productMatchType}
          error={faults['productMatchType']}
          onChange={productMatchType => set({ productMatchType })}
          options={optionsOf(productMatchWords)}
        />
      )}
    </>
  )
}
