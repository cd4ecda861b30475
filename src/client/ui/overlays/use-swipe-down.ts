import { type RefObject, useEffect, useEffectEvent } from 'react'
import { whenIdle } from '../../early/when-idle.ts'

/** Swiping the sheet down asks `onDown`; a sheet that stays then springs back. */
export const useSwipeDown = (sheet: RefObject<HTMLElement | null>, enabled: boolean, onDown: () => void): void => {
  const down = useEffectEvent(onDown)
  useEffect(() => {
    const element = sheet.current
    if (!element || !enabled) return
    let end: (() => void) | undefined
    let ended = false
    const begin = async (): Promise<void> => {
      if (ended) return
      const { swipeDown } = await import('./swipe-down.ts')
      if (!ended) end = swipeDown(element, () => down())
    }
    whenIdle(() => void begin().catch(() => undefined))
    return () => {
      ended = true
      end?.()
    }
  }, [sheet, enabled])
}
