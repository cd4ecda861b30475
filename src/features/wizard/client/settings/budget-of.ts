import { previewBudget } from '#features/launches/client/public.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { payloadOf } from '../../payload-of.ts'
import type { WizardState } from '../../wizard-state.ts'

/** How the total daily budget would be shared as the wizard stands, and whether the marketplace takes it; null without a template. */
export const budgetOf = (state: WizardState, market: MarketplaceFacts): ReturnType<typeof previewBudget> | null => {
  const payload = payloadOf({
    ...state,
    strategy: state.strategy ?? 'NORMAL',
    budget: state.budget ?? 0,
    targetAcos: state.targetAcos ?? 0,
  })
  return payload && previewBudget(payload, market)
}
