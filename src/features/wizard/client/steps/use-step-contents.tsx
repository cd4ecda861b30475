import type { ReactNode } from 'react'
import { useShop } from '#features/accounts/client/public.ts'
import type { Template } from '#features/launches/contract.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { ReviewStep } from '../review/review-step.tsx'
import type { budgetOf } from '../settings/budget-of.ts'
import { SettingsStep } from '../settings/settings-step.tsx'
import { type StepProps, StrategyStep } from './strategy-step.tsx'
import { TargetingStep } from './targeting-step.tsx'
import { TemplateStep } from './template-step.tsx'

interface StepContentsProps extends StepProps {
  market: MarketplaceFacts
  budget: ReturnType<typeof budgetOf>
  go: (step: number) => void
  onTemplate: (template: Template) => void
}

/** What stands on each of the five sheets, in their order. */
export const useStepContents = ({ budget, go, onTemplate, ...common }: StepContentsProps): ReactNode[] => {
  const shop = useShop()
  const { state, market, faults } = common
  return [
    <TemplateStep key="t" state={state} error={faults['template']} onTemplate={onTemplate} />,
    <StrategyStep key="s" {...common} />,
    <SettingsStep key="c" {...common} budget={budget} shop={shop} />,
    <TargetingStep key="g" {...common} shop={shop} />,
    <ReviewStep key="r" state={state} market={market} go={go} />,
  ]
}
