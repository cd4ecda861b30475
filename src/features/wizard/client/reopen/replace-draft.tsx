import { formatMoment } from '#client/ui/figures/format-time.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { Draft } from '../../draft.ts'
import { STEP_COUNT } from '../../wizard-state.ts'
import { draftName, stepWords } from '../words.ts'

interface ReplaceDraftProps {
  draft: Draft
  /** What the launch is called that would take its place. */
  launch: string
  onReplace: () => void
  onKeep: () => void
}

/** There is one draft at a time: which one is it to be? */
export const ReplaceDraft = ({ draft, launch, onReplace, onKeep }: ReplaceDraftProps) => {
  const name = draftName(draft.state)
  const { currentStep } = draft.state
  return (
    <section className="card draft-offer" aria-labelledby="draft-title">
      <h2 id="draft-title">You have begun another campaign</h2>
      <p>
        <strong>{name}</strong>
      </p>
      <p className="muted">
        Step {currentStep} of {STEP_COUNT}: {stepWords[currentStep - 1]?.title} · changed{' '}
        {formatMoment(draft.changedAt)}
      </p>
      <p>
        Only one draft is kept. Replaced, “{name}” is gone on all your devices. “{launch}” stays in the log of launches
        either way.
      </p>
      <Button tone="primary" block onClick={onKeep}>
        Go on with “{name}”
      </Button>
      <Button tone="danger" block onClick={onReplace}>
        Replace it by “{launch}”
      </Button>
    </section>
  )
}
