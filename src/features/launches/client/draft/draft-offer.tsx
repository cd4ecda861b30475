import { Page } from '#client/ui/ionic/page.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { Draft } from '../../draft/draft.ts'
import { draftName, wizardStepLabels, templateName } from '../wizard/labels.ts'
import { formatMoment } from '#client/ui/figures/format.ts'
import { STEP_COUNT } from '../../draft/wizard-state.ts'

interface DraftOfferProps {
  draft: Draft
  onContinue: () => void
  onStartOver: () => void
}

/** Offers an unfinished campaign: continue it, or start over. */
export function DraftOffer({ draft, onContinue, onStartOver }: DraftOfferProps) {
  const name = draftName(draft.state)
  const confirmStartOver = async () => {
    const confirmed = await confirm({
      title: 'Start over?',
      message: `“${name}” will be deleted from all your devices.`,
      confirmText: 'Start over',
      tone: 'danger',
    })
    if (confirmed) onStartOver()
  }
  return (
    <Page title="New campaign" back="/home">
      <section className="card draft-offer" aria-labelledby="draft-title">
        <h2 id="draft-title">You have an unfinished campaign</h2>
        <DraftSummary draft={draft} />
        <Button tone="primary" block onClick={onContinue}>
          Continue editing “{name}”
        </Button>
        <Button block onClick={() => void confirmStartOver()}>
          Start over
        </Button>
      </section>
    </Page>
  )
}

/** The name of a draft, its step, and when it was changed. */
export function DraftSummary({ draft: { state, changedAt } }: { draft: Draft }) {
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
  /** Name of the launch that would replace it. */
  launch: string
  onReplace: () => void
  onKeep: () => void
}

/** Asks which draft to keep, since there is only one at a time. */
export function ReplaceDraft({ draft, launch, onReplace, onKeep }: ReplaceDraftProps) {
  const name = draftName(draft.state)
  return (
    <section className="card draft-offer" aria-labelledby="draft-title">
      <h2 id="draft-title">You have another unfinished campaign</h2>
      <DraftSummary draft={draft} />
      <p>
        You can have only one draft. If you replace it, “{name}” will be deleted from all your devices. “{launch}” stays
        in the launch log either way.
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
