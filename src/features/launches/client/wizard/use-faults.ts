import type { FieldProblem } from '../../draft/rules.ts'
import { useEffect, useMemo, useState } from 'react'
import type { WizardState } from '../../draft/wizard-state.ts'
import { sameExcept } from './wizard-reducer.ts'

const everyMs = 100
const tries = 20

/** Faults with the steps where they are mended, in their order. */
export type Told = readonly FieldProblem[]

/**
 * What a launch was refused for, shown beside its fields: opens the step of the first and puts the focus there. What is `told`
 * at the start is shown the same way; its step is opened by who tells it.
 */
export function useFaults(state: WizardState, step: number, go: (step: number) => void, told: Told = []) {
  const [shown, setShown] = useState<{ state: WizardState; faults: Told } | null>(
    told.length ? { state, faults: told } : null,
  )
  const target = shown?.faults[0]?.step
  useEffect(() => {
    if (!shown || target === undefined || step !== target) return
    // The sheets above have to close first, and each moves the focus as it does.
    let left = tries
    const timer = setInterval(() => {
      left -= 1
      const fields = document.querySelectorAll<HTMLElement>('[aria-invalid="true"], [data-invalid] input, [data-fault]')
      const field = [...fields].find(f => !f.closest('[inert]'))
      if (field && document.activeElement !== field) field.focus()
      if (left === 0) clearInterval(timer)
    }, everyMs)
    const stop = () => clearInterval(timer)
    addEventListener('pointerdown', stop, { once: true })
    addEventListener('keydown', stop, { once: true })
    return () => {
      stop()
      removeEventListener('pointerdown', stop)
      removeEventListener('keydown', stop)
    }
  }, [shown, target, step])
  // As soon as something is mended, what was said of it no longer holds.
  const valid = shown && sameExcept(shown.state, state, ['currentStep']) ? shown.faults : none
  return {
    messages: useMemo(() => messagesOf(valid), [valid]),
    show: (faults: Told) => {
      setShown({ state, faults })
      const first = faults[0]
      if (first) go(first.step)
    },
  }
}

const none: readonly FieldProblem[] = []

function messagesOf(faults: readonly FieldProblem[]): Record<string, string> {
  return Object.fromEntries([...faults].reverse().map(f => [f.field, f.message]))
}
