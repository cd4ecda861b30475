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
import { type FieldProblem, firstIncomplete, hasProgress, stepProblems } from '../../draft/rules.ts'
import { STEP_COUNT } from '../../draft/wizard-state.ts'
import { ConfigureSheet } from '../configure/configure-sheet.tsx'
import type { DraftStore } from '../draft/draft-store.ts'
import type { WizardWithDraft } from '../draft/use-draft.ts'
import { useLaunch } from './use-launch.ts'
import { createBudgetOf } from './structure-preview.ts'
import { useSteps } from '../steps/use-steps.tsx'
import { useShownProblems } from './use-shown-problems.ts'
import { WizardSummary } from './wizard-summary.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { afterPaint } from '#client/ui/overlays/sheets/use-sheet-step.ts'
import { toast } from '#client/ui/shell/toast-store.ts'

interface OpenWizardProps {
  wizard: WizardWithDraft
  store: DraftStore
  market: MarketplaceFacts
  step: number
  go: (step: number) => void
  /** Problems to show at the start. */
  initialProblems: readonly FieldProblem[] | undefined
}

/** The five sheets of one draft. The address names the one on top. */
export function OpenWizard({ wizard, store, market, step, go, initialProblems }: OpenWizardProps) {
  const { state, dispatch } = wizard
  const router = useRouter()
  const [budgetFor] = useState(createBudgetOf)
  const budget = budgetFor(state, market)
  const shownProblems = useShownProblems(state, step, go, initialProblems)
  const { sending, launch } = useLaunch({ wizard, store, market, onProblems: shownProblems.show })
  const leave = useCallback(() => void navigateHref(router, '/home'), [router])
  useHoldReload(sending)
  useGuardedLeave(hasProgress(state) && !sending)
  useReachable(wizard, market, step, go)
  const common = { state, dispatch, market, messages: shownProblems.messages }
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

/** Asks before the user leaves a wizard with progress, by whatever way. */
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

// The sheet has opened by then. Saving a long draft earlier would delay it.
const seenAfterMs = 400

/** Goes to the first incomplete step when a link or the browser's Forward opens a later one. */
function useReachable(
  { state, dispatch }: WizardWithDraft,
  market: LaunchMarket,
  step: number,
  go: (step: number) => void,
): void {
  const check = useEffectEvent((requested: number) => {
    const first = firstIncomplete(state, market)
    if (!first || requested <= first.step) return
    if (hasProgress(state))
      toast({
        title: 'Configuration Required',
        message: first.problems[0].hint ?? first.problems[0].message,
        tone: 'warning',
      })
    go(first.step)
  })
  useEffect(() => {
    const cancel = afterPaint(() => check(step))
    const timer = setTimeout(() => dispatch({ type: 'stepSeen', step }), seenAfterMs)
    return () => {
      cancel()
      clearTimeout(timer)
    }
  }, [step, dispatch])
}

// Longer than an accidental double tap, which would skip a sheet or launch.
const restMs = 350

interface WizardFooterProps {
  step: number
  isLast: boolean
  /** What this step still needs. */
  hint: string | undefined
  disabled: boolean
  onBack: () => void
  onContinue: () => void
}

/** Back and Continue; on the last step Continue launches. */
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
        // A key press counts at once: it cannot hit the button twice, because the next sheet takes the focus.
        onClick={({ detail }) => (detail === 0 || !rests) && onContinue()}
      >
        {isLast ? 'Launch' : 'Continue'}
      </Button>
    </>
  )
}

// True for a moment after each change of the step.
function useRest(step: number): boolean {
  const [settled, setSettled] = useState(step)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(step), restMs)
    return () => clearTimeout(timer)
  }, [step])
  return settled !== step
}
