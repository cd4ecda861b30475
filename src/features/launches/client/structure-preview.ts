import { fromMicros, hasUnitPrecision, toMicros } from '#shared/money.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { type CreatePayload, type CreatePayloadInput, launchMessages } from '../payload.ts'
import { leastBudget, splitBudget } from '../plan/plan-budget.ts'
import { groupName, structureOf } from '../plan/plan-structure.ts'
import { factsOfTemplate, type Template, type TemplateFacts } from '../templates.ts'

/** A campaign as a box of a diagram, its ad groups as the words in it. */
export interface DrawnCampaign {
  title: string
  groups: string[]
}

/** The box of a campaign by its ad groups, which are named by phase and match: planned ones, or those of a template. */
export const drawnCampaign = (adGroups: readonly { name: string }[]): DrawnCampaign => {
  const parts = adGroups.map(({ name }) => name.split(' | '))
  const [phase = '', ...others] = new Set(parts.map(([own = '']) => own))
  if (!others.length) return { title: phase, groups: parts.map(([, match = '']) => match) }
  return { title: 'Manual', groups: parts.map(([own = '', match = '']) => `${own}: ${match}`) }
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
  includeRanking: input.includeRanking ?? true,
})

const oneOfEach = {
  keywords: (['BROAD', 'PHRASE', 'EXACT'] as const).map(matchType => ({ keyword: matchType, matchType, bid: 1 })),
  categories: [{ id: '1', name: 'Category', bid: 1 }],
  productTargets: (['PRODUCT_EXACT', 'PRODUCT_SIMILAR'] as const).map(matchType => ({
    asin: 'B000000000',
    matchType,
    bid: 1,
  })),
}

/** All that a template can make by hand-picked terms, High Impact left out: what its diagram shows. */
export const structureOfTemplate = (template: Template): DrawnCampaign[] => {
  const payload = parsed({
    template,
    strategy: 'NORMAL',
    setupMode: 'GUIDED',
    campaignName: '',
    budget: 0,
    targetAcos: 0,
    products: [],
    automationMode: 'MANUAL',
    ...oneOfEach,
  })
  return structureOf(payload).campaigns.map(({ groups }) => drawnCampaign(groups.map(g => ({ name: groupName(g) }))))
}

type Mode = CreatePayload['setupMode']

/** Which part of a template's diagram is made, and what decides it; null where all of it is. */
export const choiceOfTemplate = (template: Template, mode: Mode): string | null =>
  choices[factsOfTemplate(template).family][mode]

const choices: Readonly<Record<TemplateFacts['family'], Record<Mode, string | null>>> = {
  FUNNEL: { SMART: null, GUIDED: null },
  KEYWORD: {
    SMART: 'The match type that you choose, or automatic targeting alone.',
    GUIDED: 'The match types of your keywords, or automatic targeting alone.',
  },
  TARGET: { SMART: 'Category and the product match that you choose.', GUIDED: 'The kind that you choose.' },
}

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
