import { useOnline } from '#client/api/online.ts'

/** Says, while there is no network, that nothing can be changed. */
export const OfflineNote = () =>
  useOnline() ? null : (
    <p className="offline-note" aria-live="polite">
      You are offline. These are the last figures; changes can be made once you are online again.
    </p>
  )
