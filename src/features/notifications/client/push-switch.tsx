import { SwitchField } from '#client/ui/forms/choices.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { type PushState, usePush } from './use-push.ts'

const words: Record<PushState, string> = {
  on: 'You are told here when a launch has ended, also while Tideline is closed.',
  off: 'Be told here when a launch has ended, also while Tideline is closed.',
  unknown: 'Be told here when a launch has ended, also while Tideline is closed.',
  denied:
    'Notifications of Tideline are blocked in this browser. Allow them in the browser’s settings for this site, then come back.',
  'install-first':
    'On iPhone and iPad only installed apps may notify you: tap Share, then “Add to Home Screen”, and open Tideline from there.',
  unable: 'This browser cannot show notifications of websites.',
  'off-server': 'This Tideline server sends no notifications. Whoever runs it can switch them on.',
}

/** Whether this device is notified, with why not and what to do about it. */
export function PushSwitch() {
  const { state, busy, failure, turnOn, turnOff } = usePush()
  return (
    <Card title="Push notifications">
      <SwitchField
        label="On this device"
        help={words[state]}
        checked={state === 'on'}
        disabled={busy || (state !== 'on' && state !== 'off')}
        onChange={wanted => (wanted ? turnOn() : turnOff())}
      />
      {failure && (
        <p role="alert" className="field-error">
          {failure}
        </p>
      )}
    </Card>
  )
}
