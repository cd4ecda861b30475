import './install.css'
import {
  addCircleOutline,
  cloudOfflineOutline,
  compassOutline,
  flashOutline,
  logInOutline,
  notificationsOutline,
  shareOutline,
} from 'ionicons/icons'
import { useEffect, useState } from 'react'
import { Icon } from '../ui/ionic/icon.tsx'
import { Card } from '../ui/lists/card.tsx'
import { Sheet } from '../ui/overlays/sheet.tsx'
import { currentToasts, toast, type ToastContent } from '../ui/shell/toast-store.ts'
import { Button } from '../ui/states/button.tsx'
import { useInstallMoment } from './install-moment.ts'
import { appleBrowser, install, persistStorage, useInstallOffer } from './install-offer.ts'

// A user who says no to the browser's own question has declined as well.
async function installAndPersist(declined: () => void = () => undefined): Promise<void> {
  if (!(await install())) return declined()
  toast({ title: 'Tideline is installed', message: 'Open it from your home screen or app list.', tone: 'success' })
  await persistStorage()
}

const share = {
  safari: 'Tap Share in Safari’s toolbar. If you do not see it, tap ••• first.',
  chrome: 'Tap Share in the address bar.',
  menu: 'Open the browser’s menu and tap Share.',
}

// Browsers without a prompt: iPhone and iPad.
function ShareSteps() {
  const browser = appleBrowser()
  const steps = [
    ...(browser === 'unable'
      ? [[compassOutline, 'Open Tideline in Safari: this browser cannot install it.'] as const]
      : []),
    [shareOutline, share[browser === 'unable' ? 'safari' : browser]] as const,
    [addCircleOutline, 'Choose “Add to Home Screen”, then “Add”.'] as const,
    [logInOutline, 'Open Tideline from the Home Screen and log in.'] as const,
  ]
  return (
    <ol className="install-steps">
      {steps.map(([icon, text]) => (
        <li key={text}>
          <Icon icon={icon} />
          <span>{text}</span>
        </li>
      ))}
    </ol>
  )
}

// Where there is room for more than a sentence.
function Benefits() {
  return (
    <ul className="install-benefits">
      <li>
        <Icon icon={flashOutline} />
        <span>It opens in one tap, in a window of its own.</span>
      </li>
      <li>
        <Icon icon={cloudOfflineOutline} />
        <span>It works offline with your last figures.</span>
      </li>
      <li>
        <Icon icon={notificationsOutline} />
        <span>It can notify you when something needs a decision.</span>
      </li>
    </ul>
  )
}

const reason = 'It opens in one tap, works offline with your last figures, and can notify you.'

/** How the device can be offered an installation; null where it cannot, or where there is nothing to install. */
function useOfferedWay(): 'prompt' | 'share' | null {
  const offer = useInstallOffer()
  return offer === 'prompt' || offer === 'share' ? offer : null
}

const overlays =
  'ion-modal.show-modal, ion-action-sheet, ion-alert, dialog[open], .full-screen-overlay, .sheet-pile, .sheet-column'
const isPassing = ({ durationMs }: ToastContent): boolean => durationMs !== Number.POSITIVE_INFINITY
// Long enough to see what the win was.
const calmMs = 1000

// Whether nothing has been open above the page for a moment, once the offer is due.
function useCalm(isDue: boolean): boolean {
  const [isCalm, setCalm] = useState(false)
  useEffect(() => {
    if (!isDue) return
    const timer = setInterval(() => {
      const isCovered = document.querySelector(overlays) !== null || currentToasts().some(isPassing)
      if (document.visibilityState === 'visible' && !isCovered) setCalm(true)
    }, calmMs)
    return () => {
      clearInterval(timer)
      setCalm(false)
    }
  }, [isDue])
  return isCalm
}

/** Offers to install the app right after a first success, on whichever screen that is; never when the app opens. */
export function InstallSheet() {
  const way = useOfferedWay()
  const { isFresh, dismiss } = useInstallMoment()
  const isDue = isFresh && way !== null
  const isCalm = useCalm(isDue)
  if (!isDue || !isCalm) return null
  return (
    <Sheet
      open
      short
      title="Install Tideline"
      onClose={dismiss}
      footer={
        <>
          <Button onClick={dismiss}>{way === 'share' ? 'Close' : 'Not now'}</Button>
          {way === 'prompt' && (
            <Button tone="primary" onClick={() => void installAndPersist(dismiss)}>
              Install
            </Button>
          )}
        </>
      }
    >
      <div className="install-offer">
        <img src="/icon-192.png" alt="" width="64" height="64" />
        <p>{way === 'share' ? reason : 'Keep Tideline at hand, like an app from a store.'}</p>
      </div>
      {way === 'share' ? <ShareSteps /> : <Benefits />}
    </Sheet>
  )
}

/** Offers it on a later visit too, among the cards of a screen; can be dismissed. */
export function InstallCard() {
  const way = useOfferedWay()
  const { isMoment, isFresh, dismiss } = useInstallMoment()
  if (!isMoment || isFresh || way === null) return null
  return (
    <Card title="Install Tideline">
      <p>{reason}</p>
      {way === 'share' && <ShareSteps />}
      <div className="button-row">
        {way === 'prompt' && (
          <Button tone="accent" onClick={() => void installAndPersist(dismiss)}>
            Install
          </Button>
        )}
        <Button onClick={dismiss}>Not now</Button>
      </div>
    </Card>
  )
}

/** The same among the settings, at any time: whether the app is installed here, and how to install it. */
export function InstallSetting() {
  const offer = useInstallOffer()
  return (
    <Card title="App">
      {offer === 'installed' && <p>Tideline is installed on this device.</p>}
      {offer === 'none' && (
        <p>This browser cannot install apps right now. If its menu has “Install” or “Add to Home Screen”, use that.</p>
      )}
      {(offer === 'prompt' || offer === 'share') && <p>{reason}</p>}
      {offer === 'share' && <ShareSteps />}
      {offer === 'prompt' && <Button onClick={() => void installAndPersist()}>Install</Button>}
    </Card>
  )
}
