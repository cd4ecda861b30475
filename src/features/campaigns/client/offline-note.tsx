import { useOnline } from '#client/api/online.ts'

/** Says, while there is no network, what becomes of changes. */
export function OfflineNote() {
  return useOnline() ? null : (
    <p className="offline-note" aria-live="polite">
      You are offline. These are the last figures; changes wait until you are online again.
    </p>
  )
}
