import { marketDefaultBid } from '#features/recommendations/contract.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { fromMicros } from '#shared/money.ts'
import { draftOf } from '../../draft/payload-of.ts'
import type { SetupMode, WizardState } from '../../draft/wizard-state.ts'
import { type LaunchDraft, productMatchTypes } from '../../launch-schema.ts'
import { checkBudget } from '../../plan/plan-budget.ts'
import { type GroupShape, structureOf } from '../../plan/plan-structure.ts'
import { withDefaults } from '../../problems.ts'
import { isThin, LEAST_CLICKS_A_DAY, usefulBudget } from '../../review/forecast.ts'
import { groupMatches, keywordMatches, phases, type Template, templateOf } from '../../templates.ts'

export interface DiagramCampaign {
  title: string
  groups: string[]
}

/** The box of a campaign with these ad groups, planned ones or those of a template. */
export function diagramCampaign(adGroups: readonly Pick<GroupShape, 'phase' | 'match'>[]): DiagramCampaign {
  const [phase, ...others] = new Set(adGroups.map(g => g.phase))
  if (!others.length) return { title: phase ? phases[phase] : '', groups: adGroups.map(g => groupMatches[g.match]) }
  return { title: 'Manual', groups: adGroups.map(g => `${phases[g.phase]}: ${groupMatches[g.match]}`) }
}

const oneOfEach = {
  keywords: keywordMatches.map(matchType => ({ keyword: matchType, matchType, bid: 1 })),
  categories: [{ id: '1', name: 'Category', bid: 1 }],
  productTargets: productMatchTypes.map(matchType => ({ asin: 'B000000000', matchType, bid: 1 })),
}

const choices = {
  FUNNEL: { SMART: null, GUIDED: null },
  KEYWORD: {
    SMART: 'Only the match type you choose, or only automatic targeting.',
    GUIDED: 'Only the match types of your keywords, or only automatic targeting.',
  },
  TARGET: { SMART: 'Category, and the product match type you choose.', GUIDED: 'Only the kind you choose.' },
} as const

/**
 * Everything a template can create from terms chosen by hand, without High Impact; and by what it is decided which part of
 * it a launch creates, null when it creates all of it.
 */
export function diagramOfTemplate(template: Template, mode: SetupMode) {
  const payload = withDefaults({ template, setupMode: 'GUIDED', automationMode: 'MANUAL', ...oneOfEach })
  return {
    campaigns: structureOf(payload).campaigns.map(({ groups }) => diagramCampaign(groups)),
    choice: choices[templateOf(template).family][mode],
  }
}

/** The split of a daily budget among the campaigns, and whether the marketplace accepts it. */
export function previewBudget(draft: LaunchDraft & { template: Template }, market: MarketplaceFacts) {
  const payload = withDefaults(draft)
  const { budgets, leastMicros, problem } = checkBudget(payload, market)
  const cpcMicros = marketDefaultBid(market)
  const split = (budgets ? structureOf(payload).campaigns : []).map(({ key, phase, label }) => ({
    phase,
    name: `${label.phase}: ${label.match}`,
    dailyBudgetMicros: budgets?.get(key) ?? 0,
    cpcMicros,
  }))
  const thin = problem === null ? split.filter(isThin).map(c => c.name) : []
  return {
    /** Each campaign with its daily budget; empty while the total is too low. */
    split: split.map(({ phase, name, dailyBudgetMicros }) => ({ phase, name, budget: fromMicros(dailyBudgetMicros) })),
    least: fromMicros(leastMicros),
    /**
     * The campaigns that get too few clicks at the marketplace's usual bid; null when there are none. Only the review asks the
     * marketplace what a click costs.
     */
    thin: thin.length
      ? {
          names: thin,
          cpc: fromMicros(cpcMicros),
          leastClicks: LEAST_CLICKS_A_DAY,
          needed: Math.ceil(fromMicros(usefulBudget(split))),
        }
      : null,
    problem,
  }
}
export type BudgetPreview = ReturnType<typeof previewBudget>

export function budgetOf(state: WizardState, market: MarketplaceFacts): BudgetPreview | null {
  const { template } = state
  return template && previewBudget({ ...draftOf(state), template }, market)
}
