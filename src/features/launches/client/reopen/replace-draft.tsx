import { Button } from '#client/ui/states/button.tsx'
import type { Draft } from '../../draft/draft.ts'
import { DraftStanding } from '../draft/draft-standing.tsx'
import { draftName } from '../wizard/words.ts'

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
  return (
    <section className="card draft-offer" aria-labelledby="draft-title">
      <h2 id="draft-title">You have begun another campaign</h2>
      <DraftStanding draft={draft} />
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
