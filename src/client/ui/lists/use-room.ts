import { useCallback, useState } from 'react'

/** How many px there are for a table; more than enough where that cannot be measured. */
export function useRoom(): [(element: HTMLElement | null) => (() => void) | undefined, number] {
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY)
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element || typeof ResizeObserver === 'undefined') return undefined
    const measure = (): void => setRoom(element.clientWidth || Number.POSITIVE_INFINITY)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, room]
}
