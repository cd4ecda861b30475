import { previewBudget } from '../wizard/structure-preview.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { draftOf } from '../../draft/payload-of.ts'
import { sameExcept } from '../wizard/wizard-reducer.ts'
import type { WizardState } from '../../draft/wizard-state.ts'

/** How the total daily budget would be shared as the wizard stands, and whether the marketplace takes it; null without a template. */
export function budgetOf(state: WizardState, market: MarketplaceFacts): ReturnType<typeof previewBudget> | null {
  const { template } = state
  return template && previewBudget({ ...draftOf(state), template }, market)
}

type Budget = ReturnType<typeof budgetOf>

/** `budgetOf` that answers at once, and with the same object, while nothing has changed on which the budget depends. */
export function lastBudget(): typeof budgetOf {
  let last: { state: WizardState; market: MarketplaceFacts; budget: Budget } | null = null
  return (state, market) => {
    if (last && last.market === market && sameExcept(last.state, state, ['campaignName', 'currentStep']))
      return last.budget
    last = { state, market, budget: budgetOf(state, market) }
    return last.budget
  }
}
