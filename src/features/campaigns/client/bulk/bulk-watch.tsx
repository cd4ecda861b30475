import { lazy, Suspense } from 'react'
import { useActiveBulk } from './active-bulk.ts'

const BulkProgress = lazy(() => import('./bulk-progress.tsx').then(m => ({ default: m.BulkProgress })))

/** Shows the bulk change that this device follows on every page: as a sheet first, as a card after the user closes it. */
export function BulkWatch() {
  const active = useActiveBulk()
  if (!active) return null
  return (
    <Suspense>
      <BulkProgress key={active.groupId} active={active} />
    </Suspense>
  )
}
