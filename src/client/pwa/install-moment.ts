import { useSyncExternalStore } from 'react'
import { onWipe } from '../api/wipe-client-data.ts'

const winKey = 'tideline.install.win'
const dismissedKey = 'tideline.install.dismissed'
const restDays = 30
const maxDismissals = 2

const listeners = new Set<() => void>()
const changed = (): void => listeners.forEach(listener => listener())
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Notes on this device that something worth coming back for has happened: a launch, figures that arrived, notifications
 * switched on. Only then is it offered to install the app.
 */
export const noteWin = (): void => {
  localStorage.setItem(winKey, 'yes')
  changed()
}

const dismissals = (): { count: number; lastAt: number } => {
  const [count, lastAt] = (localStorage.getItem(dismissedKey) ?? '').split(' ').map(Number)
  return { count: count || 0, lastAt: lastAt || 0 }
}

/** Hides the offer for 30 days, and for good when it is declined a second time. */
export const dismissInstall = (): void => {
  localStorage.setItem(dismissedKey, `${dismissals().count + 1} ${Date.now()}`)
  changed()
}

const isInstallMoment = (): boolean => {
  const { count, lastAt } = dismissals()
  if (!localStorage.getItem(winKey) || count >= maxDismissals) return false
  return !count || Date.now() - lastAt > restDays * 86_400_000
}

/** True after a win, unless the user declined the offer lately. */
export const useInstallMoment = (): boolean => useSyncExternalStore(subscribe, isInstallMoment)

// The next user of this device has won nothing yet, and declined nothing.
onWipe(() => {
  localStorage.removeItem(winKey)
  localStorage.removeItem(dismissedKey)
  changed()
})
