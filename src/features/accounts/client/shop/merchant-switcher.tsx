import { useQuery } from '@tanstack/react-query'
import { swapHorizontalOutline } from 'ionicons/icons'
import { lazy, Suspense, useState } from 'react'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { accountQueries } from '../queries.ts'

// Home stands without it: the sheet, its fields and its changes come when the finger is down.
const loadSheet = () => import('./merchant-sheet.tsx')
const MerchantSheet = lazy(() => loadSheet().then(m => ({ default: m.MerchantSheet })))

/** Says which merchant and marketplace is worked with, and changes them in a sheet. For toolbars and page heads. */
export const MerchantSwitcher = () => {
  const [open, setOpen] = useState<boolean>()
  const { data: merchant } = useQuery(accountQueries.currentMerchant())
  const { data: marketplace } = useQuery(accountQueries.currentMarketplace())
  const name = [merchant?.name, marketplace?.key].filter(Boolean).join(' · ') || 'Choose a merchant'
  return (
    <>
      <Button
        onPointerDown={() => void loadSheet()}
        onClick={() => setOpen(true)}
        aria-label={`Merchant and marketplace: ${name}. Change`}
      >
        <span>{name}</span>
        <Icon icon={swapHorizontalOutline} />
      </Button>
      {open !== undefined && (
        <Suspense>
          <MerchantSheet open={open} merchantId={merchant?.id ?? null} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
