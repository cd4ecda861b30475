import { type ReactNode, useMemo, useState } from 'react'
import type { SheetStep } from '#client/ui/overlays/sheets/sheet-steps.ts'
import { useShop } from '#features/accounts/client/public.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { firstView } from '../products/available-products.tsx'
import { ReviewStep } from '../review/review-step.tsx'
import type { budgetOf } from '../settings/budget-of.ts'
import { SettingsStep } from '../settings/settings-step.tsx'
import { stepWords } from '../wizard/words.ts'
import { StepHead } from './step-head.tsx'
import { type StepProps, StrategyStep } from './strategy-step.tsx'
import { TargetingStep } from './targeting-step.tsx'
import { TemplateStep } from './template-step.tsx'
import { useResettingChoices } from './use-resetting-choices.ts'

interface StepsProps extends StepProps {
  market: MarketplaceFacts
  budget: ReturnType<typeof budgetOf>
  go: (step: number) => void
  onLeave: () => void
}

/** The five sheets in their order; the same array as long as nothing that they show has changed. */
export const useSteps = ({
  state,
  dispatch,
  faults,
  market,
  budget,
  go,
  onLeave,
}: StepsProps): readonly SheetStep[] => {
  const shop = useShop()
  const [view, setView] = useState(firstView)
  const { changeMode, changeTemplate } = useResettingChoices(state, dispatch, go)
  return useMemo(() => {
    const common = { state, dispatch, market, faults }
    const contents: ReactNode[] = [
      <TemplateStep key="t" state={state} error={faults['template']} onTemplate={changeTemplate} />,
      <StrategyStep key="s" {...common} />,
      <SettingsStep key="c" {...common} budget={budget} shop={shop} />,
      <TargetingStep key="g" {...common} shop={shop} view={view} onView={setView} />,
      <ReviewStep key="r" state={state} dispatch={dispatch} market={market} go={go} />,
    ]
    return stepWords.map(({ title, hint }, index) => ({
      key: title,
      title,
      content: (
        <>
          <StepHead hint={hint} explain={index === 0} mode={state.setupMode} onMode={changeMode} onLeave={onLeave} />
          {contents[index]}
        </>
      ),
    }))
  }, [state, dispatch, faults, market, budget, shop, view, go, onLeave, changeMode, changeTemplate])
}
