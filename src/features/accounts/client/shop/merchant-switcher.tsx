import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { accountQueries } from '../queries.ts'

// Home stands without it: the sheet, its fields and its changes come when the finger is down.
const loadSheet = () => import('./merchant-sheet.tsx')
const MerchantSheet = lazy(() => loadSheet().then(m => ({ default: m.MerchantSheet })))

/** Says which merchant and marketplace is worked with, and changes them in a sheet: the first chip of a ContextBar. */
export function MerchantSwitcher() {
  const [open, setOpen] = useState<boolean>()
  const { data: merchant } = useQuery(accountQueries.currentMerchant())
  const { data: marketplace } = useQuery(accountQueries.currentMarketplace())
  const name = [merchant?.name, marketplace?.key].filter(Boolean).join(' · ')
  return (
    <>
      <button
        type="button"
        className="chip chip-drop account-chip"
        onPointerDown={() => void loadSheet()}
        onClick={() => setOpen(true)}
        aria-label={`Merchant and marketplace: ${name || 'none'}. Change`}
      >
        <span>{merchant?.name ?? 'Choose a merchant'}</span>
        {merchant && marketplace && <b>· {marketplace.key}</b>}
      </button>
      {open !== undefined && (
        <Suspense>
          <MerchantSheet open={open} merchantId={merchant?.id ?? null} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
