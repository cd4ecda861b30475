import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { accountQueries } from '../queries.ts'
import { AccountChip } from './account-chip.tsx'

// Home stands without it: the sheet, its fields and its changes come when the finger is down.
const loadSheet = () => import('./merchant-sheet.tsx')
const MerchantSheet = lazy(() => loadSheet().then(m => ({ default: m.MerchantSheet })))

/** Says which merchant and marketplace is worked with, and changes them in a sheet: the first chip of a ContextBar. */
export function MerchantSwitcher() {
  const [open, setOpen] = useState<boolean>()
  const { data: merchant } = useQuery(accountQueries.currentMerchant())
  const { data: marketplace } = useQuery(accountQueries.currentMarketplace())
  return (
    <>
      <AccountChip
        merchant={merchant}
        marketplace={marketplace}
        onPointerDown={() => void loadSheet()}
        onClick={() => setOpen(true)}
      />
      {open !== undefined && (
        <Suspense>
          <MerchantSheet open={open} merchantId={merchant?.id ?? null} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
