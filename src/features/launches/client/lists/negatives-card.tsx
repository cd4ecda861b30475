import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { blockedKeywords } from '../../chosen-terms.ts'
import { draftOf } from '../../draft/payload-of.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import { ProblemNote } from '../steps/step-parts.tsx'
import { firstFew } from '../wizard/labels.ts'

export function NegativesCard(props: { state: WizardState; error: string | undefined; onConfigure: () => void }) {
  const { state, error, onConfigure } = props
  const count = state.negativeKeywords.length
  return (
    <Card title="Negative keywords">
      {error ? <ProblemNote>{error}</ProblemNote> : <BlockedNote state={state} />}
      <p className="muted">
        {count === 0
          ? 'Searches that no campaign of this launch shows your ads for. None so far.'
          : `${count} ${count === 1 ? 'search is' : 'searches are'} blocked in every campaign of this launch.`}
      </p>
      <Button onClick={onConfigure}>Configure negative keywords</Button>
    </Card>
  )
}

/** Warns of chosen keywords that a negative keyword blocks, since the launch would be rejected. */
export function BlockedNote({ state }: { state: WizardState }) {
  const blocked = blockedKeywords(draftOf(state)).map(text => `“${text}”`)
  return (
    blocked.length > 0 && (
      <ProblemNote>
        Never shown, because a negative keyword keeps {blocked.length === 1 ? 'it' : 'them'} out: {firstFew(blocked, 5)}
        . Take out the keyword or the negative one.
      </ProblemNote>
    )
  )
}
