import { CheckField } from '#client/ui/forms/choices.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { type PushState, usePush } from './push.ts'

const help: Record<PushState, string> = {
  on: 'This device notifies you when a launch has ended, even while Tideline is closed.',
  off: 'Get a notification here when a launch has ended, even while Tideline is closed.',
  unknown: 'Get a notification here when a launch has ended, even while Tideline is closed.',
  denied:
    'Tideline’s notifications are blocked in this browser. Allow them in the browser’s settings for this site, then come back.',
  'install-first':
    'On iPhone and iPad only installed apps may notify you: tap Share, then “Add to Home Screen”, and open Tideline from there.',
  unable: 'This browser cannot show notifications from websites.',
  'off-server': 'This Tideline server does not send notifications. Its operator can turn them on.',
}

/** Turns notifications on this device on and off, and says why they are unavailable. */
export function PushSwitch() {
  const { state, busy, failure, turnOn, turnOff } = usePush()
  return (
    <Card title="Push notifications">
      <div className="switch">
        <CheckField
          label="On this device"
          help={help[state]}
          checked={state === 'on'}
          disabled={busy || (state !== 'on' && state !== 'off')}
          onChange={isOn => (isOn ? turnOn() : turnOff())}
        />
      </div>
      {failure && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
    </Card>
  )
}
