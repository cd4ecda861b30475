import { Card } from '../ui/lists/card.tsx'
import { toast } from '../ui/shell/toast-store.ts'
import { Button } from '../ui/states/button.tsx'
import { useInstallMoment } from './install-moment.ts'
import { install, useInstallOffer } from './install-offer.ts'

/** Asks the browser to keep this device's data under pressure. True when it promises; the server stays the truth. */
async function persistStorage(): Promise<boolean> {
  if (!navigator.storage?.persist) return false
  return (await navigator.storage.persisted()) || navigator.storage.persist()
}

async function installAndPersist(): Promise<void> {
  if (!(await install())) return
  toast({ title: 'Tideline is installed', message: 'Open it from your home screen or app list.', tone: 'success' })
  await persistStorage()
}

function ShareSteps() {
  return (
    <ol className="install-steps">
      <li>Tap Share in the browser’s toolbar.</li>
      <li>Choose “Add to Home Screen”.</li>
      <li>Open Tideline from the Home Screen and log in.</li>
    </ol>
  )
}

const reason = 'It opens in one tap, works offline with your last figures, and can notify you.'

/** Offers to install the app after a first success, where this device can; can be dismissed. */
export function InstallCard() {
  const offer = useInstallOffer()
  const { isMoment, dismiss } = useInstallMoment()
  if (!isMoment || (offer !== 'prompt' && offer !== 'share')) return null
  return (
    <Card title="Install Tideline">
      <p>{reason}</p>
      {offer === 'share' && <ShareSteps />}
      <div className="button-row">
        {offer === 'prompt' && (
          <Button tone="accent" onClick={() => void installAndPersist()}>
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
