import { useBlocker, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect, useEffectEvent, useId, useMemo, useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { useHoldReload } from '#client/pwa/can-reload-now.ts'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { FullScreenOverlay } from '#client/ui/overlays/full-screen-overlay.tsx'
import { SheetStack } from '#client/ui/overlays/sheets/sheet-stack.tsx'
import { afterPaint } from '#client/ui/overlays/sheets/use-sheet-step.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { type FieldProblem, hasProgress, launchProblems, stepProblems } from '../../draft/rules.ts'
import { STEP_COUNT, type WizardState } from '../../draft/wizard-state.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import type { WizardWithDraft } from '../draft/use-draft.ts'
import { ConfigureSheet } from '../lists/configure-sheet.tsx'
import { useSteps } from '../steps/use-steps.tsx'
import { type BudgetPreview, budgetOf } from './structure-preview.ts'
import { useLater } from './use-later.ts'
import { useLaunch } from './use-launch.ts'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import type { StepProps } from '../steps/step-parts.tsx'
import { firstFew } from './labels.ts'
import { choicesOf, BudgetSplit } from './wizard-summary.tsx'

interface OpenWizardProps {
  wizard: WizardWithDraft
  store: DraftStore
  market: MarketplaceFacts
  step: number
  go: (step: number) => void
  initialProblems: readonly FieldProblem[] | undefined
}

export function OpenWizard(props: OpenWizardProps) {
  const { wizard, store, market, step, go } = props
  const { state, dispatch } = wizard
  const router = useRouter()
  const budget = useBudget(state, market)
  const shownProblems = useShownProblems(props)
  const { sending, launch } = useLaunch(wizard, store, market, shownProblems.show)
  const leave = useCallback(() => void navigateHref(router, '/home'), [router])
  useHoldReload(sending || hasProgress(state))
  useGuardedLeave(hasProgress(state) && !sending)
  useReachable(props)
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
          footer={<Footer {...props} onLaunch={() => void launch()} />}
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

// Back and Continue; on the last step Continue launches.
function Footer({ wizard, market, step, go, onLaunch }: OpenWizardProps & { onLaunch: () => void }) {
  const { state } = wizard
  const id = useId()
  const online = useOnline()
  // The step that has been open for a moment.
  const [settled, setSettled] = useState(step)
  // Longer than an accidental double tap, which would skip a sheet or launch.
  useLater(step, 350, () => setSettled(step))
  const rests = settled !== step
  const isLast = step === STEP_COUNT
  const problem = useMemo(() => stepProblems(state, step, market)[0], [state, step, market])
  const offline = isLast && !online
  const hint = offline
    ? 'Launching needs a connection. Your draft is saved.'
    : problem && (problem.hint ?? problem.message)
  const onContinue = () => (isLast ? onLaunch() : go(step + 1))
  return (
    <>
      <p id={id} className="footer-hint muted small" aria-live="polite">
        {hint}
      </p>
      <Button disabled={step === 1} onClick={() => go(step - 1)}>
        Back
      </Button>
      <Button
        tone="primary"
        className={rests ? 'rests' : ''}
        disabled={problem !== undefined || offline}
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

// The same object until something changes on which the budget depends.
function useBudget(state: WizardState, market: MarketplaceFacts): BudgetPreview | null {
  const [last, setLast] = useState(() => ({ state, market, budget: budgetOf(state, market) }))
  if (last.market === market && sameExcept(last.state, state, ['campaignName', 'currentStep'])) return last.budget
  const budget = budgetOf(state, market)
  setLast({ state, market, budget })
  return budget
}

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

/** Goes to the first incomplete step when a link or the browser's Forward opens a later one. */
function useReachable({ wizard, market, step, go }: OpenWizardProps): void {
  const { state, dispatch } = wizard
  const check = useEffectEvent((requested: number) => {
    const [first] = launchProblems(state, market)
    if (!first || requested <= first.step) return
    if (hasProgress(state))
      toast({ title: 'Configuration Required', message: first.hint ?? first.message, tone: 'warning' })
    go(first.step)
  })
  useEffect(() => afterPaint(() => check(step)), [step])
  // The sheet has opened by then. Saving a long draft earlier would delay it.
  useLater(step, 400, () => dispatch({ type: 'stepSeen', step }))
}

const noProblems: readonly FieldProblem[] = []

/**
 * Shows the problems of a rejected launch next to their fields until the draft changes: opens the step of the first one and
 * focuses its field. `initial` problems are shown the same way, but their step is already open.
 */
function useShownProblems({ wizard, step, go, initialProblems: initial = noProblems }: OpenWizardProps) {
  const { state } = wizard
  const [shown, setShown] = useState(initial.length ? { state, problems: initial } : null)
  const target = shown?.problems[0]?.step
  useEffect(() => {
    if (!shown || target === undefined || step !== target) return
    // The sheets above close first, and each of them moves the focus.
    let left = 20
    const timer = setInterval(() => {
      left -= 1
      const fields = document.querySelectorAll<HTMLElement>(
        '[aria-invalid="true"], [data-invalid] input, [data-problem]',
      )
      const field = [...fields].find(f => !f.closest('[inert]'))
      if (field && document.activeElement !== field) field.focus()
      if (left === 0) clearInterval(timer)
    }, 100)
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

// True when the states differ in no other fields than these.
function sameExcept(a: WizardState, b: WizardState, fields: readonly (keyof WizardState)[]): boolean {
  return (Object.keys(a) as (keyof WizardState)[]).every(key => fields.includes(key) || a[key] === b[key])
}

function WizardSummary({ state, budget, market }: Pick<StepProps, 'state' | 'budget' | 'market'>) {
  const products = firstFew(
    state.products.map(p => p.title ?? p.asin),
    3,
  )
  return (
    <Card title="Summary">
      <KeyValue
        items={[
          { label: 'Marketplace', value: market.name },
          ...Object.values(choicesOf(state, market)),
          { label: 'Products', value: products || '–' },
        ]}
      />
      {budget && budget.split.length > 1 && <BudgetSplit split={budget.split} currency={market.currency} />}
    </Card>
  )
}
