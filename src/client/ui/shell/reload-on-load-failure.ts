/**
 * A page that was built anew no longer finds its old parts; loading it again does. That happens once for each distinct
 * message, so that a part that is really missing shows its error. Route components do the same by themselves.
 */
export function reloadOnLoadFailure(): void {
  addEventListener('vite:preloadError', event => {
    const { message } = event.payload
    if (!navigator.onLine || !firstTime(message)) return
    event.preventDefault()
    location.reload()
  })
}

/** True the first time that this session meets the message. */
export function firstTime(message: string, storage: Storage = sessionStorage): boolean {
  const key = `tideline.reloaded:${message}`
  if (storage.getItem(key) !== null) return false
  storage.setItem(key, '1')
  return true
}
