import { createAtom, useSelector } from '@tanstack/react-store'

/** The event with which Chromium offers an installation; other browsers have none. */
interface BeforeInstallPromptEvent extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

// The page stays an ordinary tab after an installation, so it has to remember that.
const chromiumOffer = createAtom<BeforeInstallPromptEvent | 'installed' | null>(null)

/** True when the app runs as an installed one, in a window of its own. */
export const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches

/** True on iPhone and iPad, also when an iPad claims to be a Mac. */
export function isAppleMobile(): boolean {
  return (
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)
  )
}

/**
 * How a browser of an iPhone or iPad names itself: Safari, Chrome, one that has Share in its menu, or one that cannot add to the Home
 * Screen: inside another app, and any but Safari before iOS 16.4.
 */
export function appleBrowser(): 'safari' | 'chrome' | 'menu' | 'unable' {
  const { userAgent } = navigator
  const isOther = /CriOS|FxiOS|EdgiOS|OPT\//.test(userAgent)
  const [, major = '99', minor = '0'] = / OS (\d+)_(\d+)/.exec(userAgent) ?? []
  const isOld = Number(major) < 16 || (major === '16' && Number(minor) < 4)
  if (!userAgent.includes('Safari/') || userAgent.includes('GSA/') || (isOther && isOld)) return 'unable'
  if (!isOther) return 'safari'
  return userAgent.includes('CriOS') ? 'chrome' : 'menu'
}

/** Holds the browser's offer back for a better moment than page load. */
export function watchInstallOffer(): void {
  addEventListener('beforeinstallprompt', event => {
    event.preventDefault()
    chromiumOffer.set(event as BeforeInstallPromptEvent)
  })
  addEventListener('appinstalled', () => chromiumOffer.set('installed'))
}

/**
 * How this device can install the app: with the browser's prompt, through the share sheet (iOS), not now, or not at all
 * because the app already runs as an installed one.
 */
export function useInstallOffer(): 'prompt' | 'share' | 'installed' | 'none' {
  const offer = useSelector(chromiumOffer)
  if (isInstalled() || offer === 'installed') return 'installed'
  if (offer) return 'prompt'
  return isAppleMobile() ? 'share' : 'none'
}

/** Shows the browser's prompt, which the browser allows once per offer. True when the user installed. */
export async function install(): Promise<boolean> {
  const offer = chromiumOffer.get()
  if (!offer || offer === 'installed') return false
  const { outcome } = await offer.prompt()
  chromiumOffer.set(shown => (shown === offer ? null : shown))
  return outcome === 'accepted'
}

/**
 * Asks the browser to keep this device's data under pressure; the server stays the truth. Some browsers ask the user, so it
 * is for an installed app, or right after a tap that wants something kept. True when the browser promises.
 */
export async function persistStorage(): Promise<boolean> {
  if (!navigator.storage?.persist) return false
  return (await navigator.storage.persisted()) || navigator.storage.persist()
}
