import { useEffect, useEffectEvent } from 'react'

/** Runs `run` some time after each change of `trigger`, unless it changes again or is falsy. */
export function useLater(trigger: unknown, ms: number, run: () => void): void {
  const runLatest = useEffectEvent(run)
  useEffect(() => {
    if (!trigger) return
    const timer = setTimeout(() => runLatest(), ms)
    return () => clearTimeout(timer)
  }, [trigger, ms])
}
