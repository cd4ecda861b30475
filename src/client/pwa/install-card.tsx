import { Button } from '../ui/states/button.tsx'
import { Card } from '../ui/lists/card.tsx'
import { install, useInstallOffer } from './install-offer.ts'
import { persistStorage } from './persist-storage.ts'

const installAndKeep = async (): Promise<void> => {
  if (await install()) await persistStorage()
}

/** Offers to install the app, in the way this device can; nothing where it cannot. For a moment after a success. */
export const InstallCard = ({ reason }: { reason: string }) => {
  const offer = useInstallOffer()
  if (offer === 'none') return null
  return (
    <Card title="Keep Tideline at hand">
      <p>{reason}</p>
      {offer === 'prompt' ? (
        <Button tone="accent" onClick={() => void installAndKeep()}>
          Install
        </Button>
      ) : (
        <p>Tap Share, then “Add to Home Screen”.</p>
      )}
    </Card>
  )
}
