import { marketDefaultBid } from '#features/recommendations/contract.ts'
import { fromMicros, toMicros } from '#shared/money.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import type { CreatePayload, LaunchDraft } from '../../launch-schema.ts'
import { checkBudget } from '../../plan/check-budget.ts'
import { withDefaults } from '../../problems.ts'
import { planNames } from '../../plan/plan-names.ts'
import { type GroupShape, structureOf } from '../../plan/plan-structure.ts'
import { isThin, LEAST_CLICKS_A_DAY, usefulBudget } from '../../review/useful-budget.ts'
import {
  groupMatches,
  keywordMatches,
  phases,
  templateOf,
  type Template,
  type TemplateFamily,
} from '../../templates.ts'

/** A campaign as a box of a diagram, its ad groups as the words in it. */
export interface DrawnCampaign {
  title: string
  groups: string[]
}

/** The box of a campaign by its ad groups: planned ones, or those of a template. */
export function drawnCampaign(adGroups: readonly Pick<GroupShape, 'phase' | 'match'>[]): DrawnCampaign {
  const [phase, ...others] = new Set(adGroups.map(g => g.phase))
  if (!others.length) return { title: phase ? phases[phase] : '', groups: adGroups.map(g => groupMatches[g.match]) }
  return { title: 'Manual', groups: adGroups.map(g => `${phases[g.phase]}: ${groupMatches[g.match]}`) }
}

const oneOfEach = {
  keywords: keywordMatches.map(matchType => ({ keyword: matchType, matchType, bid: 1 })),
  categories: [{ id: '1', name: 'Category', bid: 1 }],
  productTargets: (['PRODUCT_EXACT', 'PRODUCT_SIMILAR'] as const).map(matchType => ({
    asin: 'B000000000',
    matchType,
    bid: 1,
  })),
}

/** All that a template can make by hand-picked terms, High Impact left out: what its diagram shows. */
export function structureOfTemplate(template: Template): DrawnCampaign[] {
  const payload = withDefaults({ template, setupMode: 'GUIDED', automationMode: 'MANUAL', ...oneOfEach })
  return structureOf(payload).campaigns.map(({ groups }) => drawnCampaign(groups))
}

type Mode = CreatePayload['setupMode']

/** Which part of a template's diagram is made, and what decides it; null where all of it is. */
export function choiceOfTemplate(template: Template, mode: Mode): string | null {
  return choices[templateOf(template).family][mode]
}

const choices: Readonly<Record<TemplateFamily, Record<Mode, string | null>>> = {
  FUNNEL: { SMART: null, GUIDED: null },
  KEYWORD: {
    SMART: 'Only the match type you choose, or only automatic targeting.',
    GUIDED: 'Only the match types of your keywords, or only automatic targeting.',
  },
  TARGET: { SMART: 'Category, and the product match type you choose.', GUIDED: 'Only the kind you choose.' },
}

export interface BudgetPreview {
  /** Each campaign with its daily budget; empty while the total does not suffice. */
  split: { phase: string; match: string; name: string; budget: number }[]
  /** The least total that the marketplace takes for this structure. */
  least: number
  /** The campaigns that a total buys too few clicks for, at the marketplace's customary bid; null where there are none. */
  thin: { names: string[]; cpc: number; leastClicks: number; needed: number } | null
  /** Why the total is not accepted; null when it is. */
  problem: string | null
}

/** What the campaigns of a payload would be called; products that are not chosen yet have stand-ins. */
export function previewNames(
  draft: LaunchDraft & { template: Template },
  campaignPrefix: string | null,
  accountType: 'SELLER' | 'VENDOR' = 'SELLER',
): string[] {
  const payload = withDefaults(draft)
  const products = payload.products.length ? payload.products : [{ asin: 'ASIN', sku: 'SKU' }]
  return planNames(
    { campaignName: payload.campaignName || 'Campaign name', pattern: payload.namePattern ?? null, products },
    structureOf(payload).campaigns.map(c => c.label),
    { campaignPrefix, accountType: accountType === 'VENDOR' ? 'vendor' : 'seller' },
  ).names
}

// What a click will cost is not known before the marketplace is asked; the review does.
function thinOf(split: BudgetPreview['split'], market: MarketplaceFacts): BudgetPreview['thin'] {
  const cpcMicros = marketDefaultBid(market)
  const campaigns = split.map(c => ({ name: c.name, dailyBudgetMicros: toMicros(c.budget), cpcMicros }))
  const names = campaigns.filter(isThin).map(c => c.name)
  if (!names.length) return null
  const needed = Math.ceil(fromMicros(usefulBudget(campaigns)))
  return { names, cpc: fromMicros(cpcMicros), leastClicks: LEAST_CLICKS_A_DAY, needed }
}

/** How a daily budget would be shared by the campaigns of a payload, and whether the marketplace takes it. */
export function previewBudget(draft: LaunchDraft & { template: Template }, market: MarketplaceFacts): BudgetPreview {
  const payload = withDefaults(draft)
  const { budgets, leastMicros, problem } = checkBudget(payload, market)
  const split = budgets
    ? structureOf(payload).campaigns.map(c => ({
        ...c.label,
        name: `${c.label.phase}: ${c.label.match}`,
        budget: fromMicros(budgets.get(c.key) ?? 0),
      }))
    : []
  return { split, thin: problem === null ? thinOf(split, market) : null, least: fromMicros(leastMicros), problem }
}
