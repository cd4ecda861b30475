import { useLocation, useRouter } from '@tanstack/react-router'
import { useState } from 'react'

interface SheetHistory {
  /** How many of the steps below this entry we pushed; none after a deep link. */
  sheets?: number
}

/**
 * The step of a stack of sheets, kept in the address (`?step=3`), 1 when absent. Going up pushes, going down walks back
 * through what was pushed, so that the back button, Escape and the swipe all mean the same.
 */
export const useSheetStep = (count: number, param = 'step'): { step: number; go: (step: number) => void } => {
  const router = useRouter()
  const read = (search: Record<string, unknown>): number =>
    Math.min(count, Math.max(1, Math.trunc(Number(search[param])) || 1))
  const step = useLocation({ select: location => read(location.search as Record<string, unknown>) })
  const [own] = useState(router.state.location.pathname)
  const go = (next: number): void => {
    const { location } = router.state
    // A sheet that sinks while its page is being left must not walk back through the next page's history.
    if (location.pathname !== own) return
    const current = read(location.search)
    if (next === current) return
    const pushed = (location.state as SheetHistory).sheets ?? 0
    if (next < current && pushed >= current - next) return router.history.go(next - current)
    const search = new URLSearchParams(location.searchStr)
    search.set(param, String(next))
    const state: SheetHistory = { sheets: next > current ? pushed + 1 : 0 }
    const href = `${location.pathname}?${search.toString()}`
    if (next > current) router.history.push(href, state)
    else router.history.replace(href, state)
  }
  return { step, go }
}
