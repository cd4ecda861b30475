import { type AnyRouter, useLocation, useRouter } from '@tanstack/react-router'
import { useMemo, useState } from 'react'

interface SheetHistory {
  /** How many of the steps below this entry we pushed; none after a deep link. */
  sheets?: number
}

/**
 * The step of a stack of sheets, kept in the address (`?step=3`), 1 when absent. Going up pushes, going down walks back
 * through what was pushed, so that the back button, Escape and the swipe all mean the same. The sheet moves at once, the
 * address after it: no tap waits for the router. While its page is being left the step stays.
 */
export function useSheetStep(count: number): { step: number; go: (step: number) => void } {
  const router = useRouter()
  const [own] = useState(router.state.location.pathname)
  const address = useLocation({
    // The address is already the next page's while this one is being left.
    select: ({ pathname, search }) => (pathname === own ? stepIn(search, count) : null),
  })
  const [shown, setShown] = useState({ step: address ?? 1, address })
  if (address !== null && address !== shown.address) setShown({ step: address, address })
  const go = useMemo(() => {
    const walk = walker(router, own, count)
    return (next: number): void => {
      setShown(before => ({ ...before, step: next }))
      walk(next)
    }
  }, [router, own, count])
  return { step: shown.step, go }
}

const stepIn = (search: Record<string, unknown>, count: number): number =>
  Math.min(count, Math.max(1, Math.trunc(Number(search['step'])) || 1))

// One after the other: each counts from where the one before has led.
function walker(router: AnyRouter, own: string, count: number): (next: number) => void {
  const waiting: number[] = []
  const walkNext = (): void => {
    const next = waiting[0]
    if (next === undefined) return
    walkTo(router, own, count, next)
    afterPaint(() => {
      waiting.shift()
      walkNext()
    })
  }
  return next => {
    waiting.push(next)
    if (waiting.length === 1) afterPaint(walkNext)
  }
}

function walkTo(router: AnyRouter, own: string, count: number, next: number): void {
  const { pathname, search: query, state } = router.history.location
  // A sheet that sinks while its page is being left must not walk back through the next page's history.
  if (pathname !== own) return
  const search = new URLSearchParams(query)
  const current = stepIn(Object.fromEntries(search), count)
  if (next === current) return
  const pushed = (state as SheetHistory).sheets ?? 0
  if (next < current && pushed >= current - next) return router.history.go(next - current)
  search.set('step', String(next))
  const historyState: SheetHistory = { sheets: next > current ? pushed + 1 : 0 }
  const href = `${pathname}?${search.toString()}`
  if (next > current) router.history.push(href, historyState)
  else router.history.replace(href, historyState)
}

/** Calls `run` after the next paint. Returns a function that cancels it. */
export function afterPaint(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
