import { useOnline } from '../../api/online.ts'
import { Skeleton } from '../states/skeleton.tsx'
import { OfflineState } from '../states/state-views.tsx'

/** What stands in place of a screen whose data is not there yet. */
export const PendingScreen = () => (
  <main className="whole-screen pending">{useOnline() ? <Skeleton rows={6} /> : <OfflineState />}</main>
)
