import { formatMoment } from '#client/ui/figures/format-time.ts'
import type { Draft } from '../../draft/draft.ts'
import { STEP_COUNT } from '../../draft/wizard-state.ts'
import { draftName, stepWords, templateName } from '../wizard/words.ts'

/** Which draft it is: its name, how far it has come, when it was changed. */
export const DraftStanding = ({ draft: { state, changedAt } }: { draft: Draft }) => (
  <>
    <p>
      <strong>{draftName(state)}</strong>
    </p>
    <p className="muted">
      {state.template && `${templateName(state.template)} · `}
      Step {state.currentStep} of {STEP_COUNT}: {stepWords[state.currentStep - 1]?.title} · changed{' '}
      {formatMoment(changedAt)}
    </p>
  </>
)
