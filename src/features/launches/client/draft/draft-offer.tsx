import { Page } from '#client/ui/ionic/page.tsx'
import { confirm } from '#client/ui/overlays/confirm.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { Draft } from '../../draft/draft.ts'
import { draftName } from '../wizard/words.ts'
import { DraftStanding } from './draft-standing.tsx'

interface DraftOfferProps {
  draft: Draft
  onGoOn: () => void
  onStartAnew: () => void
}

/** A campaign was begun and not launched: go on with it, or begin another. */
export const DraftOffer = ({ draft, onGoOn, onStartAnew }: DraftOfferProps) => {
  const name = draftName(draft.state)
  const askAnew = async () => {
    const sure = await confirm({
      title: 'Start anew?',
      message: `“${name}” is thrown away, on all your devices.`,
      confirmText: 'Start anew',
      tone: 'danger',
    })
    if (sure) onStartAnew()
  }
  return (
    <Page title="New campaign" back="/home">
      <section className="card draft-offer" aria-labelledby="draft-title">
        <h2 id="draft-title">You have begun a campaign</h2>
        <DraftStanding draft={draft} />
        <Button tone="primary" block onClick={onGoOn}>
          Go on with “{name}”
        </Button>
        <Button block onClick={() => void askAnew()}>
          Start anew
        </Button>
      </section>
    </Page>
  )
}
