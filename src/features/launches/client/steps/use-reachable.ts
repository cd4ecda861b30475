import { useEffect, useEffectEvent } from 'react'
import { afterPaint } from '#client/ui/overlays/sheets/after-paint.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { firstIncomplete, hasProgress, type MarketView } from '../../draft/rules.ts'
import type { DraftedWizard } from '../draft/use-draft.ts'

// The sheet has risen by then; keeping a long draft before would hold it up.
const seenAfterMs = 400

/** A step that cannot be reached yet, by a deep link or the browser's Forward, gives way to the first that is not complete. */
export const useReachable = (
  { state, dispatch }: DraftedWizard,
  view: MarketView,
  step: number,
  go: (step: number) => void,
): void => {
  const check = useEffectEvent((wanted: number) => {
    const first = firstIncomplete(state, view)
    if (!first || wanted <= first.step) return
    if (hasProgress(state))
      toast({ title: 'Configuration Required', message: first.faults[0]?.message ?? '', tone: 'warning' })
    go(first.step)
  })
  useEffect(() => {
    const callOff = afterPaint(() => check(step))
    const timer = setTimeout(() => dispatch({ type: 'stepSeen', step }), seenAfterMs)
    return () => {
      callOff()
      clearTimeout(timer)
    }
  }, [step, dispatch])
}
