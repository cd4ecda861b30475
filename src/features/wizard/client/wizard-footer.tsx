import { useId } from 'react'
import { Button } from '#client/ui/states/button.tsx'

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
  return (
    <>
      <p id={id} className="footer-hint" aria-live="polite">
        {hint}
      </p>
      <Button disabled={step === 1} onClick={onBack}>
        Back
      </Button>
      <Button tone="primary" disabled={disabled} aria-describedby={hint ? id : undefined} onClick={onContinue}>
        {isLast ? 'Launch' : 'Continue'}
      </Button>
    </>
  )
}
