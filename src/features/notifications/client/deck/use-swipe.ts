import { type PointerEvent, useRef, useState } from 'react'

export type Direction = 'left' | 'right' | 'up'

const FAR = 96
/** Within it a finger only rests. */
const REST = 8

interface Offset {
  x: number
  y: number
}

/** Where a card that is dragged so far goes when it is let go; null where it returns. */
export function directionOf({ x, y }: Offset): Direction | null {
  if (-y > FAR && -y > Math.abs(x)) return 'up'
  if (Math.abs(x) < FAR) return null
  return x > 0 ? 'right' : 'left'
}

/** Drags a card by a finger or pen. The mouse has the buttons, and selects text. */
export function useSwipe(onSwipe: (direction: Direction) => void) {
  const start = useRef<Offset | null>(null)
  const [offset, setOffset] = useState<Offset>({ x: 0, y: 0 })
  const end = (): void => {
    start.current = null
    setOffset({ x: 0, y: 0 })
  }
  const moved = ({ clientX, clientY }: PointerEvent): Offset => {
    const from = start.current ?? { x: clientX, y: clientY }
    // Down is no way to go.
    return { x: clientX - from.x, y: Math.min(0, clientY - from.y) }
  }
  return {
    offset,
    direction: directionOf(offset),
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.pointerType === 'mouse' || !event.isPrimary) return
        if ((event.target as Element).closest('button, a')) return
        start.current = { x: event.clientX, y: event.clientY }
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (!start.current) return
        const next = moved(event)
        if (Math.hypot(next.x, next.y) < REST) return
        event.currentTarget.setPointerCapture?.(event.pointerId)
        setOffset(next)
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        if (!start.current) return
        const direction = directionOf(moved(event))
        end()
        if (direction) onSwipe(direction)
      },
      onPointerCancel: end,
    },
  }
}
