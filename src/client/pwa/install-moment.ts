import { createAtom, useSelector } from '@tanstack/react-store'
import { useSyncExternalStore } from 'react'
import { storedValue } from '../api/stored-value.ts'
import { onWipe } from '../api/wipe-client-data.ts'

const restMs = 30 * 86_400_000
const maxDismissals = 2

const win = storedValue('tideline.install.win', text => text !== null)
const dismissals = storedValue('tideline.install.dismissed', text => {
  const [count, lastAt] = (text ?? '').split(' ').map(Number)
  return { count: count || 0, lastAt: lastAt || 0 }
})
const freshWin = createAtom(false)

/**
 * Remembers on this device that something worth coming back for has happened: a launch, a decision, figures that arrived,
 * notifications switched on. Only then does the app offer to be installed.
 */
export function noteWin(): void {
  win.set('yes')
  freshWin.set(true)
}

/**
 * Whether now is the time to offer it: after a win, unless the user declined the offer lately; `isFresh` when the win was in
 * this visit. `dismiss` hides the offer for 30 days, and for good when it is declined a second time.
 */
export function useInstallMoment() {
  const isMoment = useSyncExternalStore(subscribe, isInstallMoment)
  return { isMoment, isFresh: useSelector(freshWin) && isMoment, dismiss }
}

function dismiss(): void {
  const { count, lastAt } = dismissals.get()
  // A sheet says more than once that it was closed.
  if (Date.now() - lastAt < 1000) return
  freshWin.set(false)
  dismissals.set(`${count + 1} ${Date.now()}`)
}

function subscribe(listener: () => void): () => void {
  const subscriptions = [win.subscribe(listener), dismissals.subscribe(listener)]
  return () => subscriptions.forEach(one => one.unsubscribe())
}

function isInstallMoment(): boolean {
  const { count, lastAt } = dismissals.get()
  return win.get() && count < maxDismissals && (count === 0 || Date.now() - lastAt > restMs)
}

// The next user of this device has neither won nor declined anything yet.
onWipe(() => {
  win.set(null)
  dismissals.set(null)
  freshWin.set(false)
})
