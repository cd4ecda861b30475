import { useSyncExternalStore } from 'react'

const wide = () => matchMedia('(min-width: 768px)')
function subscribe(listener: () => void): () => void {
  const query = wide()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** True from 768 px, where lists stand beside their detail. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => wide().matches)
