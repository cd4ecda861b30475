import { Page } from '#client/ui/ionic/page.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { Draft } from '../../draft/draft.ts'
import { draftName, wizardStepLabels, templateName } from '../wizard/labels.ts'
import { formatMoment } from '#client/ui/figures/format.ts'
import { STEP_COUNT } from '../../draft/wizard-state.ts'

interface DraftOfferProps {
  draft: Draft
  onGoOn: () => void
  onStartAnew: () => void
}

/** A campaign was begun and not launched: go on with it, or begin another. */
export function DraftOffer({ draft, onGoOn, onStartAnew }: DraftOfferProps) {
  const name = draftName(draft.state)
  const askAnew = async () => {
    const sure = await confirm({
      title: 'Start over?',
      message: `“${name}” will be deleted from all your devices.`,
      confirmText: 'Start over',
      tone: 'danger',
    })
    if (sure) onStartAnew()
  }
  return (
    <Page title="New campaign" back="/home">
      <section className="card draft-offer" aria-labelledby="draft-title">
        <h2 id="draft-title">You have an unfinished campaign</h2>
        <DraftStanding draft={draft} />
        <Button tone="primary" block onClick={onGoOn}>
          Continue editing “{name}”
        </Button>
        <Button block onClick={() => void askAnew()}>
          Start over
        </Button>
      </section>
    </Page>
  )
}

/** Which draft it is: its name, how far it has come, when it was changed. */
export function DraftStanding({ draft: { state, changedAt } }: { draft: Draft }) {
  return (
    <>
      <p>
        <strong>{draftName(state)}</strong>
      </p>
      <p className="muted">
        {state.template && `${templateName(state.template)} · `}
        Step {state.currentStep} of {STEP_COUNT}: {wizardStepLabels[state.currentStep - 1]?.title} · changed{' '}
        {formatMoment(changedAt)}
      </p>
    </>
  )
}

interface ReplaceDraftProps {
  draft: Draft
  /** What the launch is called that would take its place. */
  launch: string
  onReplace: () => void
  onKeep: () => void
}

/** There is one draft at a time: which one is it to be? */
export function ReplaceDraft({ draft, launch, onReplace, onKeep }: ReplaceDraftProps) {
  const name = draftName(draft.state)
  return (
    <section className="card draft-offer" aria-labelledby="draft-title">
      <h2 id="draft-title">You have another unfinished campaign</h2>
      <DraftStanding draft={draft} />
      <p>
        Only one draft is kept. Replaced, “{name}” is gone on all your devices. “{launch}” stays in the log of launches
        either way.
      </p>
      <Button tone="primary" block onClick={onKeep}>
        Continue editing “{name}”
      </Button>
      <Button tone="danger" block onClick={onReplace}>
        Replace it with “{launch}”
      </Button>
    </section>
  )
}
