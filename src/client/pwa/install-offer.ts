import { useSyncExternalStore } from 'react'
import { isAppleMobile, isInstalled } from './device.ts'

/** The event with which Chromium offers an installation; other browsers have none. */
interface BeforeInstallPromptEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let offer: BeforeInstallPromptEvent | undefined
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
  addEventListener('appinstalled', () => change(undefined))
}

/** How this device can install the app: by the browser's prompt, by the share sheet (iOS), or not (any more). */
export const useInstallOffer = (): 'prompt' | 'share' | 'none' => useSyncExternalStore(subscribe, kindOfOffer)

const kindOfOffer = (): 'prompt' | 'share' | 'none' => {
  if (isInstalled()) return 'none'
  if (offer) return 'prompt'
  return isAppleMobile() ? 'share' : 'none'
}

/** Shows the browser's prompt. True when the user installed. */
export const install = async (): Promise<boolean> => {
  const outcome = await offer?.prompt()
  change(undefined)
  return outcome?.outcome === 'accepted'
}
