import { blockedKeywords } from '../../chosen-terms.ts'
import { draftOf } from '../../draft/payload-of.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { WizardState } from '../../draft/wizard-state.ts'

interface NegativesCardProps {
  state: WizardState
  /** Message of a rejected launch. */
  error: string | undefined
  onConfigure: () => void
}

/** Opens the negative keywords from step 4, and shows their number. */
export const NegativesCard = ({ state, error, onConfigure }: NegativesCardProps) => {
  const count = state.negativeKeywords.length
  return (
    <Card title="Negative keywords">
      {error ? (
        <p className="field-error" role="alert" tabIndex={-1} data-problem>
          {error}
        </p>
      ) : (
        <BlockedNote state={state} />
      )}
      <p className="muted">
        {count === 0
          ? 'Searches that no campaign of this launch shows your ads for. None so far.'
          : `${count} ${count === 1 ? 'search is' : 'searches are'} blocked in every campaign of this launch.`}
      </p>
      <Button onClick={onConfigure}>Configure negative keywords</Button>
    </Card>
  )
}

const shownAtOnce = 5

/** Warns of chosen keywords that a negative keyword blocks, since the launch would be rejected. */
export function BlockedNote({ state }: { state: WizardState }) {
  const blocked = blockedKeywords(draftOf(state))
  if (!blocked.length) return null
  const named = blocked.slice(0, shownAtOnce).map(text => `“${text}”`)
  const others = blocked.length - named.length
  return (
    <p className="field-error" role="alert" tabIndex={-1} data-problem>
      Never shown, because a negative keyword keeps {blocked.length === 1 ? 'it' : 'them'} out: {named.join(', ')}
      {others > 0 && ` and ${others} more`}. Take out the keyword or the negative one.
    </p>
  )
}
