import { fromMicros, hasUnitPrecision, toMicros } from '#shared/money.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { type CreatePayload, type CreatePayloadInput, launchMessages } from '../payload.ts'
import { leastBudget, splitBudget } from '../plan/plan-budget.ts'
import { matchNames, phaseNames, structureOf } from '../plan/plan-structure.ts'
import type { Template } from '../templates.ts'

export interface PreviewedCampaign {
  name: string
  targetingType: 'AUTO' | 'MANUAL'
  groups: string[]
}

const parsed = (input: CreatePayloadInput): CreatePayload => ({
  ...input,
  products: input.products.map(p => ({
    ...p,
    keywords: p.keywords ?? [],
    categories: p.categories ?? [],
    productTargets: p.productTargets ?? [],
  })),
  keywords: input.keywords ?? [],
  negativeKeywords: (input.negativeKeywords ?? []).map(n => ({ ...n, matchType: n.matchType ?? 'NEGATIVE_EXACT' })),
  categories: input.categories ?? [],
  productTargets: input.productTargets ?? [],
  includeHighImpact: input.includeHighImpact ?? false,
})

const shapeOf = (payload: CreatePayload): PreviewedCampaign[] =>
  structureOf(payload).campaigns.map(campaign => ({
    name: phaseNames[campaign.phase],
    targetingType: campaign.targetingType,
    groups: campaign.groups.map(g => matchNames[g.match]),
  }))

const oneOfEach = {
  keywords: (['BROAD', 'PHRASE', 'EXACT'] as const).map(matchType => ({ keyword: matchType, matchType, bid: 1 })),
  categories: [{ id: '1', name: 'Category', bid: 1 }],
  productTargets: (['PRODUCT_EXACT', 'PRODUCT_SIMILAR'] as const).map(matchType => ({
    asin: 'B000000000',
    matchType,
    bid: 1,
  })),
}

/** All that a template can make: campaigns and their ad groups, as its diagram shows them. */
export const structureOfTemplate = (template: Template): PreviewedCampaign[] =>
  shapeOf(
    parsed({
      template,
      strategy: 'NORMAL',
      setupMode: 'GUIDED',
      campaignName: '',
      budget: 0,
      targetAcos: 0,
      products: [],
      automationMode: 'MANUAL',
      ...oneOfEach,
    }),
  )

const highestBudget = 1_000_000_000

export interface BudgetPreview {
  /** Each campaign with its daily budget; empty while the total does not suffice. */
  split: { name: string; budget: number }[]
  /** The least total that the marketplace takes for this structure. */
  least: number
  /** Why the total is not accepted, or null. */
  fault: string | null
}

/** How a daily budget would be shared by the campaigns of a payload, and whether the marketplace takes it. */
export const previewBudget = (input: CreatePayloadInput, market: MarketplaceFacts): BudgetPreview => {
  const payload = parsed(input)
  const { campaigns, shares, remainderTo } = structureOf(payload)
  const { currency, minDailyBudgetMicros, maxDailyBudgetMicros } = market
  const count = Math.max(1, campaigns.length)
  const leastMicros = leastBudget(count, minDailyBudgetMicros, currency)
  // Beyond what a payload may say, and what micros can hold.
  if (payload.budget > highestBudget) return { split: [], least: fromMicros(leastMicros), fault: launchMessages.budget }
  const micros = toMicros(payload.budget)
  const budgets = splitBudget(micros, shares, minDailyBudgetMicros, currency, remainderTo)
  const split = budgets
    ? campaigns.map(c => ({ name: c.suffix.replace(' | ', ': '), budget: fromMicros(budgets.get(c.key) ?? 0) }))
    : []
  const least = fromMicros(leastMicros)
  const tooSmall = `The budget must be at least ${least} ${currency} a day${count > 1 ? `: it is shared by ${count} campaigns, and the marketplace asks at least ${fromMicros(minDailyBudgetMicros)} for each` : ': less the marketplace does not take'}`
  if (!hasUnitPrecision(micros, currency))
    return { split: [], least, fault: `The budget has more decimals than ${currency} has` }
  if (micros < leastMicros) return { split: [], least, fault: tooSmall }
  if (split.some(({ budget }) => toMicros(budget) > maxDailyBudgetMicros))
    return {
      split,
      least,
      fault: `A campaign’s budget must be at most ${fromMicros(maxDailyBudgetMicros)} ${currency} a day`,
    }
  return { split, least, fault: null }
}
