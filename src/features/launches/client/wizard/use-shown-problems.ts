import { useEffect, useMemo, useState } from 'react'
import type { FieldProblem } from '../../draft/rules.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import { sameExcept } from './wizard-reducer.ts'

const everyMs = 100
const tries = 20
const noProblems: readonly FieldProblem[] = []

/**
 * Shows the problems of a rejected launch next to their fields until the draft changes: opens the step of the first one and
 * focuses its field. `initial` problems are shown the same way, but their step is already open.
 */
export function useShownProblems(
  state: WizardState,
  step: number,
  go: (step: number) => void,
  initial: readonly FieldProblem[] = noProblems,
) {
  const [shown, setShown] = useState(initial.length ? { state, problems: initial } : null)
  const target = shown?.problems[0]?.step
  useEffect(() => {
    if (!shown || target === undefined || step !== target) return
    // The sheets above close first, and each of them moves the focus.
    let left = tries
    const timer = setInterval(() => {
      left -= 1
      const fields = document.querySelectorAll<HTMLElement>(
        '[aria-invalid="true"], [data-invalid] input, [data-problem]',
      )
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
  const valid = shown && sameExcept(shown.state, state, ['currentStep']) ? shown.problems : noProblems
  return {
    /** By field. */
    messages: useMemo(
      () => Object.fromEntries([...valid].reverse().map(({ field, message }) => [field, message])),
      [valid],
    ),
    show: (problems: readonly FieldProblem[]) => {
      setShown({ state, problems })
      const first = problems[0]
      if (first) go(first.step)
    },
  }
}
