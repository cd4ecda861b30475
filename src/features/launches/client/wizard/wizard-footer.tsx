import { useEffect, useId, useState } from 'react'
import { Button } from '#client/ui/states/button.tsx'

// Longer than the second tap of an impatient finger takes, which would otherwise skip a sheet, or launch.
const restMs = 350

interface WizardFooterProps {
  step: number
  isLast: boolean
  /** What is still missing here. */
  hint: string | undefined
  disabled: boolean
  onBack: () => void
  onContinue: () => void
}

/** Back and Continue; the last Continue launches. */
export const WizardFooter = ({ step, isLast, hint, disabled, onBack, onContinue }: WizardFooterProps) => {
  const id = useId()
  const rests = useRest(step)
  return (
    <>
      <p id={id} className="footer-hint" aria-live="polite">
        {hint}
      </p>
      <Button disabled={step === 1} onClick={onBack}>
        Back
      </Button>
      <Button
        tone="primary"
        className={rests ? 'rests' : ''}
        disabled={disabled}
        aria-disabled={rests || undefined}
        aria-describedby={hint ? id : undefined}
        // A key cannot press it twice: the next sheet takes the focus.
        onClick={({ detail }) => (detail === 0 || !rests) && onContinue()}
      >
        {isLast ? 'Launch' : 'Continue'}
      </Button>
    </>
  )
}

// True from each change of the step on for a moment.
const useRest = (step: number): boolean => {
  const [settled, setSettled] = useState(step)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(step), restMs)
    return () => clearTimeout(timer)
  }, [step])
  return settled !== step
}
