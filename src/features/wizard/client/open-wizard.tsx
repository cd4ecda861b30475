import { useBlocker, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { useOnline } from '#client/api/online.ts'
import { useHoldReload } from '#client/pwa/use-hold-reload.ts'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { confirm } from '#client/ui/overlays/confirm.ts'
import { FullScreenOverlay } from '#client/ui/overlays/full-screen-overlay.tsx'
import { SheetStack } from '#client/ui/overlays/sheet-stack.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { useShop } from '#features/accounts/client/public.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { firstIncomplete, hasProgress, hasProgressBeyondTemplate, stepFaults } from '../rules.ts'
import type { SetupMode, WizardState } from '../wizard-state.ts'
import { budgetOf } from './settings/budget-of.ts'
import { ConfigureSheet } from './configure/configure-sheet.tsx'
import { type DraftStore, saveMode } from './draft/draft-store.ts'
import { ReviewStep } from './review/review-step.tsx'
import { SettingsStep } from './settings/settings-step.tsx'
import { StepHead } from './steps/step-head.tsx'
import { StrategyStep } from './steps/strategy-step.tsx'
import { TargetingStep } from './steps/targeting-step.tsx'
import { TemplateStep } from './steps/template-step.tsx'
import type { DraftedWizard } from './draft/use-draft.ts'
import { useFaults } from './use-faults.ts'
import { useLaunch } from './launch/use-launch.ts'
import { WizardFooter } from './wizard-footer.tsx'
import { WizardSummary } from './wizard-summary.tsx'
import { stepWords } from './words.ts'

interface OpenWizardProps {
  wizard: DraftedWizard
  store: DraftStore
  scope: string
  market: MarketplaceFacts
  step: number
  go: (step: number) => void
}

/** The five sheets over one draft. The address says which is on top. */
export const OpenWizard = ({ wizard, store, scope, market, step, go }: OpenWizardProps) => {
  const { state, dispatch } = wizard
  const router = useRouter()
  const online = useOnline()
  const shop = useShop()
  const budget = useMemo(() => budgetOf(state, market), [state, market])
  const view = { budgetFault: budget?.fault ?? null }
  const faults = useFaults(state, step, go)
  const { sending, launch } = useLaunch({ wizard, store, view, onFaults: faults.show })
  const progress = hasProgress(state)
  const leave = () => void navigateHref(router, '/home')
  useHoldReload(sending)
  useGuardedLeave(progress && !sending)
  useReachable(wizard, view, step, go)

  const { changeMode, changeTemplate } = useResettingChoices(wizard, go)
  const common = { state, dispatch, market, faults: faults.messages }
  const contents = [
    <TemplateStep key="t" state={state} error={faults.messages['template']} onTemplate={t => void changeTemplate(t)} />,
    <StrategyStep key="s" {...common} />,
    <SettingsStep key="c" {...common} budget={budget} shop={shop} />,
    <TargetingStep key="g" {...common} scope={scope} />,
    <ReviewStep key="r" state={state} market={market} go={go} />,
  ]
  const isLast = step === contents.length
  const stepFault = stepFaults(state, step, view)[0]
  return (
    <>
      {!sending && (
        <SheetStack
          name="New campaign"
          step={step}
          onStep={go}
          onLeave={leave}
          steps={stepWords.map(({ title, hint }, i) => ({
            key: title,
            title,
            content: (
              <>
                <StepHead
                  hint={hint}
                  explain={i === 0}
                  mode={state.setupMode}
                  onMode={m => void changeMode(m)}
                  onLeave={leave}
                />
                {contents[i]}
              </>
            ),
          }))}
          footer={
            <WizardFooter
              step={step}
              isLast={isLast}
              hint={
                isLast && !online
                  ? 'Launching needs a connection. Your draft is kept.'
                  : stepFault?.message.split(':')[0]
              }
              disabled={stepFault !== undefined || (isLast && !online)}
              onBack={() => go(step - 1)}
              onContinue={() => (isLast ? void launch() : go(step + 1))}
            />
          }
          aside={<WizardSummary state={state} budget={budget} market={market} />}
        />
      )}
      {!sending && <ConfigureSheet {...common} />}
      <FullScreenOverlay
        open={sending}
        title="Creating Your Campaign"
        message="Please do not refresh or close this page while we're creating your campaign. This process typically takes a few minutes."
      />
    </>
  )
}

/** Changing mode or template resets what was entered, after a question when something would be lost. */
const useResettingChoices = ({ state, dispatch }: DraftedWizard, go: (step: number) => void) => ({
  changeMode: async (mode: SetupMode) => {
    if (mode === state.setupMode || (hasProgress(state) && !(await askReset('Change the setup mode?')))) return
    saveMode(mode)
    dispatch({ type: 'modeChosen', mode })
    go(1)
  },
  changeTemplate: async (template: NonNullable<WizardState['template']>) => {
    if (template === state.template) return
    if (hasProgressBeyondTemplate(state) && !(await askReset('Change the template?'))) return
    dispatch({ type: 'templateChosen', template })
  },
})

const askReset = (title: string): Promise<boolean> =>
  confirm({
    title,
    message: 'What you have entered so far is reset, and you begin at step 1.',
    confirmText: 'Reset and change',
    tone: 'danger',
  })

/** Every way out of the wizard, the phone's back button too, asks once when something was entered. */
const useGuardedLeave = (guarded: boolean): void => {
  useBlocker({
    disabled: !guarded,
    enableBeforeUnload: false,
    shouldBlockFn: async ({ current, next }) => {
      if (next.pathname === current.pathname || next.pathname === '/login') return false
      const leaves = await confirm({
        title: 'Unsaved Changes',
        message: 'This campaign is not launched yet. Your draft is kept, and you can go on with it on any device.',
        confirmText: 'Leave',
        cancelText: 'Stay',
      })
      return !leaves
    },
  })
}

/** A step that cannot be reached yet, by a deep link or the browser's Forward, gives way to the first that is not complete. */
const useReachable = (
  wizard: DraftedWizard,
  view: { budgetFault: string | null },
  step: number,
  go: (step: number) => void,
): void => {
  const { state, dispatch } = wizard
  const check = useEffectEvent((wanted: number) => {
    const first = firstIncomplete(state, view)
    if (!first || wanted <= first.step) return dispatch({ type: 'stepSeen', step: wanted })
    if (hasProgress(state))
      toast({ title: 'Configuration Required', message: first.faults[0]?.message ?? '', tone: 'warning' })
    go(first.step)
  })
  useEffect(() => check(step), [step])
}
