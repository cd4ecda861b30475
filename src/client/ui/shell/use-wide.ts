import { useCallback, useSyncExternalStore } from 'react'

export function useMedia(condition: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const query = matchMedia(condition)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    [condition],
  )
  return useSyncExternalStore(subscribe, () => matchMedia(condition).matches)
}

/** True from 768 px, where lists stand beside their detail. */
export const useWide = (): boolean => useMedia('(min-width: 768px)')
