import { useCallback, useMemo, useState } from 'react'
import { useRouter } from '@tanstack/react-router'
import { useOnline } from '#client/api/online.ts'
import { useHoldReload } from '#client/pwa/use-hold-reload.ts'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { FullScreenOverlay } from '#client/ui/overlays/full-screen-overlay.tsx'
import { SheetStack } from '#client/ui/overlays/sheets/sheet-stack.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { hasProgress, type MarketView, stepFaults } from '../../draft/rules.ts'
import { STEP_COUNT } from '../../draft/wizard-state.ts'
import { ConfigureSheet } from '../configure/configure-sheet.tsx'
import type { DraftStore } from '../draft/draft-store.ts'
import type { DraftedWizard } from '../draft/use-draft.ts'
import { useLaunch } from '../launch/use-launch.ts'
import { lastBudget } from '../settings/budget-of.ts'
import { useSteps } from '../steps/use-steps.tsx'
import { useGuardedLeave } from '../steps/use-guarded-leave.ts'
import { useReachable } from '../steps/use-reachable.ts'
import { type Told, useFaults } from './use-faults.ts'
import { WizardFooter } from './wizard-footer.tsx'
import { WizardSummary } from './wizard-summary.tsx'

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
  const view = useMemo(() => ({ budgetFault: budget?.fault ?? null, bids: market }), [budget, market])
  const faults = useFaults(state, step, go, told)
  const { sending, launch } = useLaunch({ wizard, store, view, onFaults: faults.show })
  const leave = useCallback(() => void navigateHref(router, '/home'), [router])
  useHoldReload(sending)
  useGuardedLeave(hasProgress(state) && !sending)
  useReachable(wizard, view, step, go)
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
          footer={<Footer wizard={wizard} view={view} step={step} go={go} onLaunch={() => void launch()} />}
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
  view: MarketView
  onLaunch: () => void
}

const Footer = ({ wizard, view, step, go, onLaunch }: FooterProps) => {
  const online = useOnline()
  const isLast = step === STEP_COUNT
  const { state } = wizard
  const fault = useMemo(() => stepFaults(state, step, view)[0], [state, step, view])
  const offline = isLast && !online
  return (
    <WizardFooter
      step={step}
      isLast={isLast}
      hint={offline ? 'Launching needs a connection. Your draft is kept.' : fault?.message.split(':')[0]}
      disabled={fault !== undefined || offline}
      onBack={() => go(step - 1)}
      onContinue={() => (isLast ? onLaunch() : go(step + 1))}
    />
  )
}
