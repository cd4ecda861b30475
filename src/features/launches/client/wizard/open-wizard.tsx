import type { LaunchMarket } from '../../problems.ts'
import { useCallback, useMemo, useState, useEffect, useEffectEvent, useId } from 'react'
import { useRouter, useBlocker } from '@tanstack/react-router'
import { useOnline } from '#client/api/online.ts'
import { useHoldReload } from '#client/pwa/can-reload-now.ts'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { FullScreenOverlay } from '#client/ui/overlays/full-screen-overlay.tsx'
import { SheetStack } from '#client/ui/overlays/sheets/sheet-stack.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { firstIncomplete, hasProgress, stepProblems } from '../../draft/rules.ts'
import { STEP_COUNT } from '../../draft/wizard-state.ts'
import { ConfigureSheet } from '../configure/configure-sheet.tsx'
import type { DraftStore } from '../draft/draft-store.ts'
import type { DraftedWizard } from '../draft/use-draft.ts'
import { useLaunch } from './use-launch.ts'
import { lastBudget } from '../settings/budget-of.ts'
import { useSteps } from '../steps/use-steps.tsx'
import { type Told, useFaults } from './use-faults.ts'
import { WizardSummary } from './wizard-summary.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { afterPaint } from '#client/ui/overlays/sheets/use-sheet-step.ts'
import { toast } from '#client/ui/shell/toast-store.ts'

interface OpenWizardProps {
  wizard: DraftedWizard
  store: DraftStore
  market: MarketplaceFacts
  step: number
  go: (step: number) => void
  /** What is known at the start to be mended. */
  told: Told | undefined
}

/** The five sheets over one draft. The address says which is on top. */
export const OpenWizard = ({ wizard, store, market, step, go, told }: OpenWizardProps) => {
  const { state, dispatch } = wizard
  const router = useRouter()
  const [budgetFor] = useState(lastBudget)
  const budget = budgetFor(state, market)
  const faults = useFaults(state, step, go, told)
  const { sending, launch } = useLaunch({ wizard, store, market, onFaults: faults.show })
  const leave = useCallback(() => void navigateHref(router, '/home'), [router])
  useHoldReload(sending)
  useGuardedLeave(hasProgress(state) && !sending)
  useReachable(wizard, market, step, go)
  const common = { state, dispatch, market, faults: faults.messages }
  const steps = useSteps({ ...common, budget, go, onLeave: leave })
  return (
    <>
      {!sending && (
        <SheetStack
          name="New campaign"
          step={step}
          onStep={go}
          onLeave={leave}
          steps={steps}
          footer={<Footer wizard={wizard} market={market} step={step} go={go} onLaunch={() => void launch()} />}
          aside={<WizardSummary state={state} budget={budget} market={market} />}
        />
      )}
      {!sending && <ConfigureSheet {...common} />}
      <FullScreenOverlay
        open={sending}
        title="Creating Your Campaign"
        message="Please do not refresh or close this page while we're creating your campaign. This process typically takes a few minutes."
      >
        <Button tone="primary" busy busyLabel="Creating...">
          Launch
        </Button>
      </FullScreenOverlay>
    </>
  )
}

interface FooterProps extends Pick<OpenWizardProps, 'wizard' | 'step' | 'go'> {
  market: LaunchMarket
  onLaunch: () => void
}

function Footer({ wizard, market, step, go, onLaunch }: FooterProps) {
  const online = useOnline()
  const isLast = step === STEP_COUNT
  const { state } = wizard
  const problem = useMemo(() => stepProblems(state, step, market)[0], [state, step, market])
  const offline = isLast && !online
  return (
    <WizardFooter
      step={step}
      isLast={isLast}
      hint={
        offline ? 'Launching needs a connection. Your draft is saved.' : problem && (problem.hint ?? problem.message)
      }
      disabled={problem !== undefined || offline}
      onBack={() => go(step - 1)}
      onContinue={() => (isLast ? onLaunch() : go(step + 1))}
    />
  )
}

/** Every way out of the wizard, the phone's back button too, asks once when something was entered. */
function useGuardedLeave(guarded: boolean): void {
  useBlocker({
    disabled: !guarded,
    enableBeforeUnload: false,
    shouldBlockFn: async ({ current, next }) => {
      if (next.pathname === current.pathname || next.pathname === '/login') return false
      const leaves = await confirm({
        title: 'Unsaved Changes',
        message: 'You have not launched this campaign yet. Your draft is saved, and you can continue on any device.',
        confirmText: 'Leave',
        cancelText: 'Stay',
      })
      return !leaves
    },
  })
}

// The sheet has risen by then; keeping a long draft before would hold it up.
const seenAfterMs = 400

/** A step that cannot be reached yet, by a deep link or the browser's Forward, gives way to the first that is not complete. */
function useReachable(
  { state, dispatch }: DraftedWizard,
  market: LaunchMarket,
  step: number,
  go: (step: number) => void,
): void {
  const check = useEffectEvent((wanted: number) => {
    const first = firstIncomplete(state, market)
    if (!first || wanted <= first.step) return
    if (hasProgress(state))
      toast({
        title: 'Configuration Required',
        message: first.problems[0].hint ?? first.problems[0].message,
        tone: 'warning',
      })
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
function WizardFooter({ step, isLast, hint, disabled, onBack, onContinue }: WizardFooterProps) {
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
function useRest(step: number): boolean {
  const [settled, setSettled] = useState(step)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(step), restMs)
    return () => clearTimeout(timer)
  }, [step])
  return settled !== step
}
