import { useState } from 'react'
import { Button } from '#client/ui/states/button.tsx'
import { declinedKey, usePush } from './push.ts'
import './push-offer.css'

interface PushOfferProps {
  title?: string
  /** What a notification is good for here. */
  reason?: string
  /** What those read who have them already; null for nothing. */
  settled?: string | null
}

/** Offers notifications on this device to a user who is waiting; shows nothing if they declined or it is impossible. */
export function PushOffer({
  title = 'Get notified when it’s done',
  reason = 'With a notification on this device, even while Tideline is closed.',
  settled = 'You’ll get a notification when it’s done.',
}: PushOfferProps) {
  const { state, busy, failure, turnOn } = usePush()
  const [declined, setDeclined] = useState(() => localStorage.getItem(declinedKey) !== null)
  if (state === 'on') return settled === null ? null : <p className="push-offer-settled">{settled}</p>
  if (declined || (state !== 'off' && state !== 'install-first' && !failure)) return null
  const decline = () => {
    localStorage.setItem(declinedKey, 'yes')
    setDeclined(true)
  }
  return (
    <section className="push-offer" aria-label={title}>
      <strong>{title}</strong>
      <p>
        {state === 'install-first'
          ? 'Add Tideline to the Home Screen first: tap Share, then “Add to Home Screen”.'
          : reason}
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
