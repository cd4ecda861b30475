import { type RefObject, useEffect, useEffectEvent } from 'react'
import { whenIdle } from '../../../early/when-idle.ts'

type SwipeDown = typeof import('./swipe-down.ts').swipeDown

// Nobody waits for the first sheet to be swipeable; from then on each is at once.
let loaded: SwipeDown | undefined
async function load(): Promise<SwipeDown> {
  loaded ??= (await import('./swipe-down.ts')).swipeDown
  return loaded
}

/** Swiping the sheet down asks `onDown`; a sheet that stays then springs back. */
export function useSwipeDown(sheet: RefObject<HTMLElement | null>, enabled: boolean, onDown: () => void): void {
  const down = useEffectEvent(onDown)
  useEffect(() => {
    const element = sheet.current
    if (!element || !enabled) return
    let end = loaded?.(element, () => down())
    let ended = false
    const begin = async (): Promise<void> => {
      const swipeDown = await load()
      if (!ended) end = swipeDown(element, () => down())
    }
    if (!end) whenIdle(() => void begin().catch(() => undefined))
    return () => {
      ended = true
      end?.()
    }
  }, [sheet, enabled])
}
