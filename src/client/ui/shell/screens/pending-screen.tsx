import { useOnline } from '../../../api/online.ts'
import { Skeleton } from '../../states/skeleton.tsx'
import { OfflineState } from '../../states/state-views.tsx'

/** What stands in place of a screen whose data is not there yet. Its heading is where the skip link leads meanwhile. */
export function PendingScreen() {
  const online = useOnline()
  return (
    <main className="whole-screen pending">
      <h1 id="page-title" tabIndex={-1} className="visually-hidden">
        {online ? 'Loading' : 'Not loaded'}
      </h1>
      {online ? <Skeleton rows={6} /> : <OfflineState />}
    </main>
  )
}
