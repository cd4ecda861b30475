import { amountText } from '#features/recommendations/contract.ts'
import type { LaunchPlan, PlannedAdGroup } from '../plan/launch-plan.ts'
import { expectedCpc } from './forecast.ts'
import { clicksADay, isThin, LEAST_CLICKS_A_DAY, usefulBudget } from './forecast.ts'
import { type Micros, smallestUnitMicros } from '#shared/money.ts'
import { normalTerm } from '../chosen-terms.ts'
import { RECOMMENDED_MAX_PRODUCTS } from '../templates.ts'

export const noticeKinds = [
  'OVERLAP',
  'ABOVE_BREAK_EVEN',
  'RANKING_TOO_LOW',
  'SMALL_BUDGET',
  'OUT_OF_STOCK',
  'ELIGIBILITY',
  'MANY_PRODUCTS',
  'PLAN',
] as const

/** Something to know before a launch; none of it forbids the launch. */
export interface Notice {
  kind: (typeof noticeKinds)[number]
  message: string
  /** What exactly, one thing each. */
  details: string[]
}

/** Something that a running campaign buys already for one of the products. */
export interface RunningTarget {
  kind: 'KEYWORD' | 'PRODUCT' | 'AUTO'
  /** A keyword's match type, or how a product target aims. */
  match: string
  /** A keyword's text, a category's id, a product's ASIN; empty for AUTO. */
  value: string
  campaign: string
}

export interface ReviewFacts {
  targetAcos: number
  /** Percent; null while not known. */
  breakEvenAcos: number | null
  /** Of how many of the plan's products it is known. */
  breakEvenKnownFor: number
  running: readonly RunningTarget[]
  products: readonly { asin: string; available: number | null; isInbound: boolean; eligibilityWarning: string | null }[]
}

const keyOf = (kind: RunningTarget['kind'], match: string, value: string) => `${kind} ${match} ${normalTerm(value)}`

/** What running campaigns aim at, in the names of a plan. */
const aims: Readonly<Record<string, string>> = {
  CATEGORY: 'ASIN_CATEGORY_SAME_AS',
  PRODUCT_EXACT: 'ASIN_SAME_AS',
  PRODUCT_SIMILAR: 'ASIN_EXPANDED_FROM',
}

function boughtBy(group: PlannedAdGroup): { key: string; name: string }[] {
  return [
    ...group.keywords.map(k => ({
      key: keyOf('KEYWORD', k.matchType, k.text),
      name: `“${k.text}” (${k.matchType.toLowerCase()})`,
    })),
    ...group.targets.map(t => ({ key: keyOf('PRODUCT', aims[t.match] ?? t.match, t.value), name: t.name ?? t.value })),
    ...(group.autoTargets.length ? [{ key: keyOf('AUTO', '', ''), name: 'Automatic targeting' }] : []),
  ]
}

const overlapNotice = (plan: LaunchPlan, running: readonly RunningTarget[]): Notice[] => {
  const campaigns = new Map<string, Set<string>>()
  for (const { kind, match, value, campaign } of running) {
    const key = keyOf(kind, kind === 'AUTO' ? '' : match, kind === 'AUTO' ? '' : value)
    campaigns.set(key, (campaigns.get(key) ?? new Set()).add(campaign))
  }
  const details = plan.campaigns
    .flatMap(c => c.adGroups.flatMap(boughtBy))
    .flatMap(({ key, name }) => {
      const others = [...(campaigns.get(key) ?? [])]
      return others.length
        ? [
            `${name}: runs in ${others
              .slice(0, 3)
              .map(o => `“${o}”`)
              .join(', ')}`,
          ]
        : []
    })
  if (!details.length) return []
  const what =
    details.length === 1
      ? 'One target of this launch already runs for the same product: its'
      : `${details.length} targets of this launch already run for the same product: their`
  return [
    {
      kind: 'OVERLAP',
      message: `${what} figures will be split between two campaigns.`,
      details: [...new Set(details)],
    },
  ]
}

/** A budget that buys a click or two a day in each campaign teaches nothing. */
function budgetNotice({ campaigns, currency }: LaunchPlan): Notice[] {
  const priced = campaigns.map(campaign => ({ ...campaign, cpcMicros: expectedCpc(campaign) }))
  const thin = priced.filter(isThin)
  if (!thin.length) return []
  const total = campaigns.reduce((sum, c) => sum + c.dailyBudgetMicros, 0)
  const needed = roundUpToUnit(usefulBudget(priced), currency)
  const which = campaigns.length === 1 ? 'The campaign buys' : `${thin.length} of ${campaigns.length} campaigns buy`
  return listNotice(
    'SMALL_BUDGET',
    `${which} fewer than ${LEAST_CLICKS_A_DAY} clicks a day with ${amountText(total, currency)} a day in all, too few to learn from. About ${amountText(needed, currency)} a day, or fewer campaigns, would do.`,
    thin.map(
      c =>
        `${c.name}: ${amountText(c.dailyBudgetMicros, currency)} a day at about ${amountText(c.cpcMicros, currency)} a click buys ${clicksADay(c.dailyBudgetMicros, c.cpcMicros)} a day`,
    ),
  )
}

function roundUpToUnit(micros: Micros, currency: string): number {
  const unit = smallestUnitMicros(currency)
  return Math.ceil(micros / unit) * unit
}

/** Ranking is for the best places, which a bid under the low end of the suggested range seldom wins. */
function rankingNotice(plan: LaunchPlan): Notice[] {
  const keywords = plan.campaigns
    .flatMap(c => c.adGroups)
    .filter(g => g.phase === 'RANKING')
    .flatMap(g => g.keywords)
  const low = keywords.flatMap(({ text, bid }) =>
    bid.suggested && bid.micros < bid.suggested.lowMicros ? [{ text, bid, lowMicros: bid.suggested.lowMicros }] : [],
  )
  const whose =
    keywords.length === low.length ? 'All Ranking bids are' : `${low.length} of ${keywords.length} Ranking bids are`
  return listNotice(
    'RANKING_TOO_LOW',
    `${whose} below the low end of what the marketplace suggests, so that they will hardly win the best places. Leave Ranking out, or raise the target ACOS.`,
    low.map(
      ({ text, bid, lowMicros }) =>
        `“${text}”: ${amountText(bid.micros, plan.currency)}, suggested from ${amountText(lowMicros, plan.currency)}`,
    ),
  )
}

const listNotice = (kind: Notice['kind'], message: string, details: string[]): Notice[] =>
  details.length ? [{ kind, message, details }] : []

/** What matters before a plan is launched, the weightiest first. */
export function noticesOf(plan: LaunchPlan, facts: ReviewFacts): Notice[] {
  const { targetAcos, breakEvenAcos, products } = facts
  const outOfStock = products.filter(p => p.available === 0)
  const warned = products.flatMap(p => (p.eligibilityWarning ? [`${p.asin}: ${p.eligibilityWarning}`] : []))
  const isAbove = breakEvenAcos !== null && targetAcos > breakEvenAcos
  return [
    ...overlapNotice(plan, facts.running),
    ...(isAbove
      ? [
          {
            kind: 'ABOVE_BREAK_EVEN' as const,
            message: `Your target ACOS of ${targetAcos}% is above the break-even ACOS of ${breakEvenAcos}%: an average sale through these ads would lose money.`,
            details: [],
          },
        ]
      : []),
    ...budgetNotice(plan),
    ...rankingNotice(plan),
    ...listNotice(
      'OUT_OF_STOCK',
      'Ads of products that are out of stock are not shown until there is stock again.',
      outOfStock.map(p => (p.isInbound ? `${p.asin}: out of stock, more is on its way` : `${p.asin}: out of stock`)),
    ),
    ...listNotice('ELIGIBILITY', 'The marketplace allows these products with a warning.', warned),
    ...(products.length > RECOMMENDED_MAX_PRODUCTS
      ? [
          {
            kind: 'MANY_PRODUCTS' as const,
            message: `More than ${RECOMMENDED_MAX_PRODUCTS} products in one ad group are not recommended: the strongest few take the budget.`,
            details: [],
          },
        ]
      : []),
    ...plan.warnings.map(message => ({ kind: 'PLAN' as const, message, details: [] })),
  ]
}
