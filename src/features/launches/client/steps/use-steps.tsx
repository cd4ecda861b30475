import { type ReactNode, useMemo, useState, type Dispatch } from 'react'
import type { SheetStep } from '#client/ui/overlays/sheets/sheet-steps.ts'
import { useShop } from '#features/accounts/client/public.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { firstView } from '../products/available-products.tsx'
import { ReviewStep } from '../review/review-step.tsx'
import type { budgetOf } from '../wizard/structure-preview.ts'
import { SettingsStep } from '../settings/settings-step.tsx'
import { wizardStepLabels, modeHints } from '../wizard/labels.ts'
import { type StepProps, StrategyStep } from './strategy-step.tsx'
import { TargetingStep } from './targeting-step.tsx'
import { TemplateStep } from './template-step.tsx'
import { Segment } from '#client/ui/forms/segment.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { SetupMode, WizardState } from '../../draft/wizard-state.ts'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import type { Template } from '../../contract.ts'
import { hasProgress, hasProgressBeyondTemplate } from '../../draft/rules.ts'
import { saveMode } from '../draft/draft-store.ts'
import type { WizardAction } from '../wizard/wizard-reducer.ts'

interface StepsProps extends StepProps {
  market: MarketplaceFacts
  budget: ReturnType<typeof budgetOf>
  go: (step: number) => void
  onLeave: () => void
}

/** The five sheets; the same array until their content changes. */
export function useSteps({ state, dispatch, messages, market, budget, go, onLeave }: StepsProps): readonly SheetStep[] {
  const shop = useShop()
  const [view, setView] = useState(firstView)
  const { changeMode, changeTemplate } = useResettingChoices(state, dispatch, go)
  return useMemo(() => {
    const common = { state, dispatch, market, messages }
    const contents: ReactNode[] = [
      <TemplateStep key="t" state={state} error={messages['template']} onTemplate={changeTemplate} />,
      <StrategyStep key="s" {...common} />,
      <SettingsStep key="c" {...common} budget={budget} shop={shop} />,
      <TargetingStep key="g" {...common} shop={shop} view={view} onView={setView} />,
      <ReviewStep key="r" state={state} dispatch={dispatch} market={market} go={go} />,
    ]
    return wizardStepLabels.map(({ title, hint }, index) => ({
      key: title,
      title,
      content: (
        <>
          <StepHead hint={hint} explain={index === 0} mode={state.setupMode} onMode={changeMode} onLeave={onLeave} />
          {contents[index]}
        </>
      ),
    }))
  }, [state, dispatch, messages, market, budget, shop, view, go, onLeave, changeMode, changeTemplate])
}

interface StepHeadProps {
  hint: string
  /** Explains the mode. */
  explain: boolean
  mode: SetupMode
  onMode: (mode: SetupMode) => void
  onLeave: () => void
}

/** The head of every sheet: hint, setup mode, and the way out. */
function StepHead({ hint, explain, mode, onMode, onLeave }: StepHeadProps) {
  return (
    <div className="step-head">
      <div className="step-head-row">
        <Segment
          label="Setup mode"
          value={mode}
          onChange={onMode}
          options={[
            { value: 'SMART', label: 'Smart' },
            { value: 'GUIDED', label: 'Guided' },
          ]}
        />
        <Button onClick={onLeave}>Back to Dashboard</Button>
      </div>
      <p className="muted small">
        {hint}. {explain && modeHints[mode]}
      </p>
    </div>
  )
}

/** Changes the mode or the template, which resets the wizard; asks first when input would be lost. */
function useResettingChoices(state: WizardState, dispatch: Dispatch<WizardAction>, go: (step: number) => void) {
  return useMemo(
    () => ({
      changeMode: async (mode: SetupMode): Promise<void> => {
        if (mode === state.setupMode || (hasProgress(state) && !(await confirmReset('Change the setup mode?')))) return
        saveMode(mode)
        dispatch({ type: 'modeChosen', mode })
        go(1)
      },
      changeTemplate: async (template: Template): Promise<void> => {
        if (template === state.template) return
        if (hasProgressBeyondTemplate(state) && !(await confirmReset('Change the template?'))) return
        dispatch({ type: 'templateChosen', template })
      },
    }),
    [state, dispatch, go],
  )
}

function confirmReset(title: string): Promise<boolean> {
  return confirm({
    title,
    message: 'This resets everything you have entered, and you start again at step 1.',
    confirmText: 'Reset and change',
    tone: 'danger',
  })
}
