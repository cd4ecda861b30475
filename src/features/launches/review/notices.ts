import { normalTerm } from '#shared/keyword-rules.ts'
import { amountText } from '#features/recommendations/contract.ts'
import { ceilToUnit } from '#shared/money.ts'
import type { LaunchPlan, PlannedAdGroup } from '../plan/launch-plan.ts'
import { RECOMMENDED_MAX_PRODUCTS, targetExpressions } from '../templates.ts'
import { clicksADay, expectedCpc, isThin, LEAST_CLICKS_A_DAY, usefulBudget } from './forecast.ts'

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

const notice = (isDue: boolean, kind: Notice['kind'], message: string, details: string[] = []): Notice[] =>
  isDue ? [{ kind, message, details }] : []

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

const keyOf = ({ kind, match, value }: Pick<RunningTarget, 'kind' | 'match' | 'value'>) =>
  kind === 'AUTO' ? kind : `${kind} ${match} ${normalTerm(value)}`

const boughtBy = ({ keywords, targets, autoTargets }: PlannedAdGroup): { key: string; name: string }[] => [
  ...keywords.map(({ text, matchType }) => ({
    key: keyOf({ kind: 'KEYWORD', match: matchType, value: text }),
    name: `“${text}” (${matchType.toLowerCase()})`,
  })),
  ...targets.map(({ match, value, name }) => ({
    key: keyOf({ kind: 'PRODUCT', match: targetExpressions[match], value }),
    name: name ?? value,
  })),
  ...(autoTargets.length ? [{ key: 'AUTO', name: 'Automatic targeting' }] : []),
]

function overlapNotice(groups: readonly PlannedAdGroup[], running: readonly RunningTarget[]): Notice[] {
  const runningByKey = Map.groupBy(running, keyOf)
  const details = groups.flatMap(boughtBy).flatMap(({ key, name }) => {
    const campaigns = new Set(runningByKey.get(key)?.map(target => `“${target.campaign}”`))
    return campaigns.size ? [`${name}: runs in ${[...campaigns].slice(0, 3).join(', ')}`] : []
  })
  const what =
    details.length === 1
      ? 'One target of this launch already runs for the same product: its'
      : `${details.length} targets of this launch already run for the same product: their`
  const message = `${what} figures will be split between two campaigns.`
  return notice(details.length > 0, 'OVERLAP', message, [...new Set(details)])
}

/** A budget that buys a click or two a day in each campaign teaches nothing. */
function budgetNotice({ campaigns, currency }: LaunchPlan): Notice[] {
  const priced = campaigns.map(campaign => ({ ...campaign, cpcMicros: expectedCpc(campaign) }))
  const thin = priced.filter(isThin)
  if (!thin.length) return []
  const amount = (micros: number) => amountText(micros, currency)
  const total = campaigns.reduce((sum, c) => sum + c.dailyBudgetMicros, 0)
  const needed = ceilToUnit(usefulBudget(priced), currency)
  const which = campaigns.length === 1 ? 'The campaign buys' : `${thin.length} of ${campaigns.length} campaigns buy`
  return notice(
    true,
    'SMALL_BUDGET',
    `${which} fewer than ${LEAST_CLICKS_A_DAY} clicks a day with ${amount(total)} a day in all, too few to learn from. About ${amount(needed)} a day, or fewer campaigns, would do.`,
    thin.map(
      ({ name, dailyBudgetMicros, cpcMicros }) =>
        `${name}: ${amount(dailyBudgetMicros)} a day at about ${amount(cpcMicros)} a click buys ${clicksADay(dailyBudgetMicros, cpcMicros)} a day`,
    ),
  )
}

/** Ranking is for the best places, which a bid under the low end of the suggested range seldom wins. */
function rankingNotice(groups: readonly PlannedAdGroup[], currency: string): Notice[] {
  const keywords = groups.filter(g => g.phase === 'RANKING').flatMap(g => g.keywords)
  const details = keywords.flatMap(({ text, bid: { micros, suggested } }) =>
    suggested && micros < suggested.lowMicros
      ? [`“${text}”: ${amountText(micros, currency)}, suggested from ${amountText(suggested.lowMicros, currency)}`]
      : [],
  )
  const whose =
    keywords.length === details.length
      ? 'All Ranking bids are'
      : `${details.length} of ${keywords.length} Ranking bids are`
  return notice(
    details.length > 0,
    'RANKING_TOO_LOW',
    `${whose} below the low end of what the marketplace suggests, so they will rarely win the best placements. Leave Ranking out, or raise the target ACOS.`,
    details,
  )
}

/** What matters before a plan is launched, the weightiest first. */
export function noticesOf(plan: LaunchPlan, { targetAcos, breakEvenAcos, products, running }: ReviewFacts): Notice[] {
  const groups = plan.campaigns.flatMap(c => c.adGroups)
  const outOfStock = products.filter(p => p.available === 0)
  const warned = products.flatMap(p => (p.eligibilityWarning ? [`${p.asin}: ${p.eligibilityWarning}`] : []))
  return [
    ...overlapNotice(groups, running),
    ...notice(
      breakEvenAcos !== null && targetAcos > breakEvenAcos,
      'ABOVE_BREAK_EVEN',
      `Your target ACOS of ${targetAcos}% is above the break-even ACOS of ${breakEvenAcos}%: an average sale through these ads would lose money.`,
    ),
    ...budgetNotice(plan),
    ...rankingNotice(groups, plan.currency),
    ...notice(
      outOfStock.length > 0,
      'OUT_OF_STOCK',
      'Ads of products that are out of stock are not shown until there is stock again.',
      outOfStock.map(p => `${p.asin}: out of stock${p.isInbound ? ', more is on its way' : ''}`),
    ),
    ...notice(warned.length > 0, 'ELIGIBILITY', 'The marketplace allows these products with a warning.', warned),
    ...notice(
      products.length > RECOMMENDED_MAX_PRODUCTS,
      'MANY_PRODUCTS',
      `More than ${RECOMMENDED_MAX_PRODUCTS} products in one ad group are not recommended: the strongest few take the budget.`,
    ),
    ...plan.warnings.flatMap(message => notice(true, 'PLAN', message)),
  ]
}
