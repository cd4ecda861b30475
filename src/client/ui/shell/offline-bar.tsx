import { useOnline } from '../../api/online.ts'

/** A quiet line while the device has no network. */
export function OfflineBar() {
  const online = useOnline()
  return (
    <output className="offline-bar" hidden={online}>
      {online ? '' : 'You are offline. What you see was saved earlier.'}
    </output>
  )
}
