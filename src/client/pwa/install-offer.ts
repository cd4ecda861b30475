import { useSyncExternalStore } from 'react'
import { isAppleMobile, isInstalled } from './device.ts'

/** The event with which Chromium offers an installation; other browsers have none. */
interface BeforeInstallPromptEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let offer: BeforeInstallPromptEvent | undefined
// The page stays an ordinary tab after the installation.
let justInstalled = false
const listeners = new Set<() => void>()
const change = (next: BeforeInstallPromptEvent | undefined): void => {
  offer = next
  listeners.forEach(listener => listener())
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Keeps the browser's offer for a better moment than page load. */
export const watchInstallOffer = (): void => {
  addEventListener('beforeinstallprompt', event => {
    event.preventDefault()
    change(event as BeforeInstallPromptEvent)
  })
  addEventListener('appinstalled', () => {
    justInstalled = true
    change(undefined)
  })
}

/**
 * How this device can install the app: by the browser's prompt, through the share sheet (iOS), or not now; or that the
 * app already runs as an installed one.
 */
export type InstallOffer = 'prompt' | 'share' | 'installed' | 'none'

/** The current way to install the app here. */
export const useInstallOffer = (): InstallOffer => useSyncExternalStore(subscribe, currentOffer)

const currentOffer = (): InstallOffer => {
  if (isInstalled() || justInstalled) return 'installed'
  if (offer) return 'prompt'
  return isAppleMobile() ? 'share' : 'none'
}

/** Shows the browser's prompt, which the browser allows once per offer. True when the user installed. */
export const install = async (): Promise<boolean> => {
  const outcome = await offer?.prompt()
  change(undefined)
  return outcome?.outcome === 'accepted'
}
