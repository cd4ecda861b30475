import { useState } from 'react'
import { Button } from '#client/ui/states/button.tsx'
import { declinePush, isPushDeclined } from './push-wishes.ts'
import { usePush } from './use-push.ts'
import './push-offer.css'

/** Offers to be told on this device, once somebody waits for something; silent where that is settled or impossible. */
export function PushOffer() {
  const { state, busy, failure, turnOn } = usePush()
  const [declined, setDeclined] = useState(isPushDeclined)
  if (state === 'on') return <p className="push-offer-settled">A notification tells you when it is done.</p>
  if (declined || (state !== 'off' && state !== 'install-first' && !failure)) return null
  const decline = () => {
    declinePush()
    setDeclined(true)
  }
  return (
    <section className="push-offer" aria-label="Be told when it is done">
      <strong>Be told when it is done</strong>
      <p>
        {state === 'install-first'
          ? 'Add Tideline to the Home Screen first: tap Share, then “Add to Home Screen”.'
          : 'With a notification on this device, also while Tideline is closed.'}
      </p>
      {failure && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
      <div className="button-row">
        {state === 'off' && (
          <Button tone="accent" busy={busy} busyLabel="Asking…" onClick={turnOn}>
            Notify me
          </Button>
        )}
        <Button onClick={decline}>Not now</Button>
      </div>
    </section>
  )
}
