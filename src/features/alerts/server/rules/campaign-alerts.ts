import { budgetAlert } from './budget.ts'
import type { AlertDraft, CampaignFacts } from './facts.ts'
import { noSalesAlert } from './no-sales.ts'
import { spendAlert } from './spend.ts'

/** The causes that are tested of a campaign whenever its figures or its budget use arrive. */
export const causesOf = (campaignId: number): string[] =>
  ['budget', 'spend', 'sales'].map(cause => `${cause}-${campaignId}`)

/**
 * What needs a decision of one campaign. A runaway also uses up its budget: that is one thing, and raising the budget would
 * be the wrong decision, so it is raised as a spike alone.
 */
export function campaignAlerts(facts: CampaignFacts): AlertDraft[] {
  const spend = spendAlert(facts)
  const budget = spend && spend.strength >= 1 ? null : budgetAlert(facts)
  return [budget, spend, noSalesAlert(facts)].filter(draft => draft !== null)
}
