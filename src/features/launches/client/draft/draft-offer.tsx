import type { ReactNode } from 'react'
import { formatMoment } from '#client/ui/figures/format.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { Draft } from '../../draft/draft.ts'
import { STEP_COUNT } from '../../draft/wizard-state.ts'
import { templateOf } from '../../templates.ts'
import { draftName, wizardStepLabels } from '../wizard/labels.ts'

export function DraftOffer(props: { draft: Draft; onContinue: () => void; onStartOver: () => void }) {
  const { draft, onContinue, onStartOver } = props
  const confirmStartOver = async () => {
    const confirmed = await confirm({
      title: 'Start over?',
      message: `“${draftName(draft.state)}” will be deleted from all your devices.`,
      confirmText: 'Start over',
      tone: 'danger',
    })
    if (confirmed) onStartOver()
  }
  return (
    <Page title="New campaign" back="/home">
      <DraftCard title="You have an unfinished campaign" draft={draft} onContinue={onContinue}>
        <Button block onClick={() => void confirmStartOver()}>
          Start over
        </Button>
      </DraftCard>
    </Page>
  )
}

interface DraftCardProps {
  title: string
  draft: Draft
  note?: ReactNode
  onContinue: () => void
  children: ReactNode
}

export function DraftCard({ title, draft: { state, changedAt }, note, onContinue, children }: DraftCardProps) {
  const { template, currentStep } = state
  const name = draftName(state)
  return (
    <section className="card draft-offer" aria-labelledby="draft-title">
      <h2 id="draft-title">{title}</h2>
      <p>
        <strong>{name}</strong>
      </p>
      <p className="muted">
        {template && `${templateOf(template).name} · `}
        Step {currentStep} of {STEP_COUNT}: {wizardStepLabels[currentStep - 1]?.title} · changed{' '}
        {formatMoment(changedAt)}
      </p>
      {note}
      <Button tone="primary" block onClick={onContinue}>
        Continue editing “{name}”
      </Button>
      {children}
    </section>
  )
}
