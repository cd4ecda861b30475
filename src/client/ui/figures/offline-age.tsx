import { useOnline } from '../../api/online.ts'
import { serverAheadMs } from '../../api/server-clock.ts'
import { DataAge } from './data-age.tsx'

/** While offline: how old what the screen shows is, by the oldest of its answers (device time, as the query cache notes it). */
export function OfflineAge({ updatedAt }: { updatedAt: readonly number[] }) {
  const online = useOnline()
  if (online) return null
  // Ages go by the server's clock.
  return <DataAge at={Math.min(...updatedAt) + serverAheadMs()} prefix="Saved" />
}
