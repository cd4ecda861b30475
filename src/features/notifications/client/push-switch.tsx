import './push-switch.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { failureMessage } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { serverAheadMs } from '#client/api/server-clock.ts'
import { lastPushAt } from '#client/worker/worker-store.ts'
import { DataAge } from '#client/ui/figures/data-age.tsx'
import { currentSubscription } from '#client/pwa/push-subscription.ts'
import { CheckField } from '#client/ui/forms/choices.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { pushEndpoints } from '../contract.ts'
import { type PushState, usePush } from './push.ts'

const help: Record<PushState, string> = {
  on: 'This device notifies you when something needs a decision and when a launch has ended, even while Tideline is closed.',
  off: 'Get a notification here when something needs a decision and when a launch has ended, even while Tideline is closed.',
  unknown:
    'Get a notification here when something needs a decision and when a launch has ended, even while Tideline is closed.',
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
      {state === 'on' && <TestPush />}
      {state === 'on' && <LastPush />}
    </Card>
  )
}

async function sendTest() {
  const subscription = await currentSubscription()
  if (!subscription) throw new Error('This browser has lost its subscription. Turn notifications off and on again.')
  return call(pushEndpoints.test, { body: { endpoint: subscription.endpoint } })
}

/** Sends a notification to this device alone, and says what became of it. */
function TestPush() {
  const online = useOnline()
  const { mutate, data, error, isPending } = useMutation({ mutationFn: sendTest, meta: { silent: true } })
  return (
    <div className="push-test">
      <Button busy={isPending} busyLabel="Sending…" disabled={!online} onClick={() => mutate()}>
        Send a test notification
      </Button>
      <output>{error ? failureMessage(error) : data?.message}</output>
    </div>
  )
}

const OFTEN_MS = 5000

/** When this device last received one: it may have lost them although its browser says that they are on. */
function LastPush() {
  const { data } = useQuery({
    queryKey: ['push', 'last'],
    queryFn: lastPushAt,
    networkMode: 'always',
    refetchInterval: OFTEN_MS,
    staleTime: 0,
    meta: { silent: true },
  })
  if (data === undefined) return null
  return (
    <p className="push-last">
      {data === null ? (
        'No notification was received on this device yet.'
      ) : (
        <DataAge at={data + serverAheadMs()} prefix="Last notification received" />
      )}
    </p>
  )
}
