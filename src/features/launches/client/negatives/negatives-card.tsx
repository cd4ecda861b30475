import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { WizardState } from '../../draft/wizard-state.ts'
import { BlockedNote } from './blocked-note.tsx'

interface NegativesCardProps {
  state: WizardState
  /** What the launch was refused for. */
  error: string | undefined
  onConfigure: () => void
}

/** Step 4's way to the negative keywords, with how many there are. */
export const NegativesCard = ({ state, error, onConfigure }: NegativesCardProps) => {
  const count = state.negativeKeywords.length
  return (
    <Card title="Negative keywords">
      {error ? (
        <p className="field-error" role="alert" tabIndex={-1} data-fault>
          {error}
        </p>
      ) : (
        <BlockedNote state={state} />
      )}
      <p className="muted">
        {count === 0
          ? 'Searches that your ads shall not be shown for, in every campaign of this launch. None so far.'
          : `${count} ${count === 1 ? 'search is' : 'searches are'} kept out of every campaign of this launch.`}
      </p>
      <Button onClick={onConfigure}>Configure negative keywords</Button>
    </Card>
  )
}
