import { useEffect, useEffectEvent, useState } from 'react'

// Whoever is led away is gone by then, or on the way.
const lookAgainMs = 1000

interface Covering {
  /** A launch is followed by an overlay, in this tab or in another. */
  launching: boolean
  /** A launch is opened to be changed. */
  reopening: boolean
  /** True while nothing leads away from this page. */
  stays: () => boolean
}

/**
 * True while the overlay of a launch takes the place of the sheets, and until its end has led elsewhere: a fresh wizard drawn in
 * between would find itself on a step that it cannot reach, and its way back through the history would overtake that. A launch
 * whose end another tab has seen leads nowhere here; then the sheets come back.
 */
export const useCovered = ({ launching, reopening, stays }: Covering): boolean => {
  const [covered, setCovered] = useState(launching)
  if (launching && !covered) setCovered(true)
  if (!launching && reopening && covered) setCovered(false)
  const look = useEffectEvent(() => stays() && setCovered(false))
  useEffect(() => {
    if (launching || !covered) return
    const timer = setInterval(() => look(), lookAgainMs)
    return () => clearInterval(timer)
  }, [launching, covered])
  return covered
}
