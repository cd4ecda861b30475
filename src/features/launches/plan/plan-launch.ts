import {
  type BidBounds,
  chooseBid,
  marketDefaultBid,
  ownBid,
  typicalBid,
  relatedCategories,
} from '#features/recommendations/contract.ts'
import { toMicros } from '#shared/money.ts'
import { keysOf, listedRows, chosenCategories, chosenProductTargets, targetMatchOf } from '../chosen-terms.ts'
import type { CreatePayload } from '../launch-schema.ts'
import {
  type AutoGroup,
  autoGroupKeys,
  groupMatches,
  type Phase,
  phases,
  templateOf,
  type GroupMatch,
} from '../templates.ts'
import { bidWarnings, capOfPhase, raisesWithinCaps, sharedCap } from './bid-caps.ts'
import { addNegatives, brandSplit } from './brand-split.ts'
import { isBrandPhase } from './brand-terms.ts'
import { usualShares } from './budget-shares.ts'
import {
  type LaunchPlan,
  nameAFew,
  type PlanInput,
  type PlannedAdGroup,
  type PlannedCampaign,
  type WantedBid,
  type LaunchAdvice,
  type PlannedTarget,
} from './launch-plan.ts'
import { splitBudget } from './plan-budget.ts'
import { type CampaignShape, type GroupShape, namesOf, structureOf } from './plan-structure.ts'
import { keywordMatchOf, type PlacedTerm, placeTerms } from './plan-terms.ts'

type PlacedTarget = Omit<PlannedTarget, 'bid'> & WantedBid

/** At most so many recommended targets of a type. */
const RECOMMENDED = { CATEGORY: 5, PRODUCT: 25 }

/** The user's own targets, and of the recommended ones the others, up to `most` in all. */
function withRecommended(
  match: PlacedTarget['match'],
  own: readonly { value: string; name: string | null; bid: number }[],
  recommended: readonly Pick<PlacedTarget, 'value' | 'name' | 'suggested'>[],
  most: number,
): PlacedTarget[] {
  const chosen = own.map(({ value, name, bid }) => {
    const suggested = recommended.find(r => r.value === value)?.suggested ?? null
    return { match, value, name, ownBidMicros: toMicros(bid), suggested }
  })
  const others = recommended.filter(r => !own.some(o => o.value === r.value))
  const more = others.slice(0, Math.max(0, most - own.length))
  return [...chosen, ...more.map(target => ({ match, ...target, ownBidMicros: null }))]
}

/** The categories or products that an ad group targets: the user's own, and in smart mode the recommended ones. */
function placeTargets(payload: CreatePayload, match: GroupMatch, advice: LaunchAdvice): PlacedTarget[] {
  const isSmart = payload.setupMode === 'SMART'
  if (match === 'CATEGORY') {
    const own = chosenCategories(payload).map(({ id, name, bid }) => ({ value: id, name, bid }))
    const recommended = advice.categories.map(({ id, name, suggested }) => ({ value: id, name, suggested }))
    return withRecommended(match, own, recommended, isSmart ? RECOMMENDED.CATEGORY : 0)
  }
  if (match !== 'PRODUCT_EXACT' && match !== 'PRODUCT_SIMILAR') return []
  const own = chosenProductTargets(payload)
    .filter(target => targetMatchOf(target, payload) === match)
    .map(({ asin, bid }) => ({ value: asin, name: null, bid }))
  const recommended = advice.products.map(({ asin, suggested }) => ({ value: asin, name: null, suggested }))
  const isUsual = match === (payload.productMatchType ?? 'PRODUCT_EXACT')
  return withRecommended(match, own, recommended, isSmart && isUsual ? RECOMMENDED.PRODUCT : 0)
}

/**
 * The advice without what smart mode must not target: the products themselves, categories that have nothing to do with them, and
 * products of the seller's own. What is left out of the last two is said in `warnings`.
 */
function usedAdvice({ payload, products, advice }: PlanInput, warnings: string[]): LaunchAdvice {
  if (payload.setupMode === 'GUIDED') return advice
  const ownCategories = products.map(p => p.category)
  const isRelated = relatedCategories(advice.categories, ownCategories)
  const unrelated = advice.categories.filter(c => !isRelated(c)).map(c => c.name)
  const own = advice.products.filter(p => p.isOwn).map(p => p.asin)
  const leftOut = (names: string[], why: string) => {
    if (names.length)
      warnings.push(`${nameAFew(names)} ${names.length === 1 ? 'is' : 'are'} left out: recommended, but ${why}`)
  }
  leftOut(unrelated, 'not related to the products’ own categories.')
  leftOut(own, 'your own. To defend your product pages against competitors, target them in guided mode.')
  const advertised = new Set(payload.products.map(p => p.asin))
  return {
    ...advice,
    categories: advice.categories.filter(isRelated),
    products: advice.products.filter(p => !p.isOwn && !advertised.has(p.asin)),
  }
}

interface GroupInput extends PlanInput {
  shape: GroupShape
  bounds: BidBounds
  terms: readonly PlacedTerm[]
}

function planAdGroup({ shape, bounds, terms, payload, market, products, advice }: GroupInput): PlannedAdGroup {
  const { key, phase, match } = shape
  const isAuto = match === 'AUTO'
  const strategy = shape.competes && payload.strategy !== 'PASSIVE' ? 'GROWTH' : payload.strategy
  const targets = placeTargets(payload, match, advice)
  const suggestions = isAuto ? advice.auto : phase === 'PRODUCTS' ? targets : terms
  const defaultMicros = typicalBid(suggestions.map(s => s.suggested)) ?? marketDefaultBid(market)
  const bidOf = ({ ownBidMicros, suggested }: WantedBid, auto?: AutoGroup) => {
    const within = { ...bounds, capMicros: capOfPhase(bounds.capMicros, phase, auto) }
    return ownBidMicros === null
      ? chooseBid(suggested, strategy, defaultMicros, within)
      : ownBid(ownBidMicros, suggested, within)
  }
  const keywordMatch = keywordMatchOf(match)
  return {
    key,
    phase,
    match,
    name: `${phases[phase]} | ${groupMatches[match]}`,
    strategy,
    defaultBid: bidOf({ ownBidMicros: null, suggested: null }),
    products: products.map(({ asin, sku }) => ({ asin, sku })),
    keywords: keywordMatch ? terms.map(term => ({ text: term.text, matchType: keywordMatch, bid: bidOf(term) })) : [],
    autoTargets: (isAuto ? autoGroupKeys : []).map(group => {
      const suggested = advice.auto.find(a => a.group === group)?.suggested ?? null
      return { group, bid: bidOf({ ownBidMicros: null, suggested }, group) }
    }),
    targets: targets.map(target => {
      const { match: type, value, name } = target
      return { match: type, value, name, bid: bidOf(target) }
    }),
    negativeKeywords: [],
    negativePhrases: [],
  }
}

const isAlive = (group: PlannedAdGroup): boolean =>
  group.match === 'AUTO' || group.keywords.length > 0 || group.targets.length > 0

/** Said where neither the user nor the marketplace named anything to target: the plan is empty then. */
export const NOTHING_TO_TARGET =
  'Nothing would be created: the marketplace recommends nothing to target here. Choose targets yourself in guided mode.'

// A campaign that nothing can reach is not made, and its money goes where it works.
function dropDead(campaigns: PlannedCampaign[], warnings: string[]): PlannedCampaign[] {
  for (const campaign of campaigns) {
    for (const g of campaign.adGroups.filter(group => !isAlive(group) && !isBrandPhase(group.phase)))
      warnings.push(`${phases[g.phase]} (${groupMatches[g.match]}) is left out: there is nothing to target.`)
    campaign.adGroups = campaign.adGroups.filter(isAlive)
  }
  const alive = campaigns.filter(c => c.adGroups.length)
  if (!alive.length) warnings.unshift(NOTHING_TO_TARGET)
  const heir = alive.find(c => c.phase === 'PERFORMANCE') ?? alive[0]
  if (heir)
    for (const dead of campaigns.filter(c => !c.adGroups.length)) heir.dailyBudgetMicros += dead.dailyBudgetMicros
  return alive
}

/** What was entered more than once, by its display name, and whether the bids differ. */
function mergedOf<T extends { bid: number }>(
  all: readonly T[],
  keyOf: (item: T) => string,
  nameOf: (item: T) => string,
): { name: string; bidsDiffer: boolean }[] {
  return [...Map.groupBy(all, keyOf).values()].flatMap(([first, ...others]) =>
    first && others.length ? [{ name: nameOf(first), bidsDiffer: others.some(item => item.bid !== first.bid) }] : [],
  )
}

// What a payload names more than once is merged: the first bid counts. The flattened list repeats the products' keywords by
// design, so there only another bid is reported.
function mergeWarnings(payload: CreatePayload): string[] {
  const keys = keysOf(payload)
  const ofProducts = payload.products.flatMap(p => p.keywords)
  const firstBids = new Map(ofProducts.map((k): [string, number] => [keys.keywords(k), k.bid]).toReversed())
  const others = payload.keywords.filter(k => firstBids.get(keys.keywords(k)) !== k.bid)
  const { categories, productTargets } = listedRows(payload)
  const merged = [
    ...mergedOf([...ofProducts, ...others], keys.keywords, k => k.keyword),
    ...mergedOf(categories, keys.categories, c => c.name),
    ...mergedOf(productTargets, keys.productTargets, t => t.asin),
  ]
  if (!merged.length) return []
  const which = `${nameAFew(merged.map(m => m.name))} ${merged.length === 1 ? 'was' : 'were'}`
  const bids = merged.some(m => m.bidsDiffer) ? ': of different bids the first counts.' : '.'
  return [`${which} entered more than once and merged${bids}`]
}

function phaseWarnings(payload: CreatePayload, campaigns: readonly PlannedCampaign[]): string[] {
  const warnings: string[] = []
  if (templateOf(payload.template).family === 'FUNNEL' && !payload.includeRanking) {
    const shares = Object.entries(payload.budgetShares ?? usualShares(payload)) as [Phase, number][]
    const split = shares.map(([phase, percent]) => `${phases[phase]} ${percent}%`).join(', ')
    warnings.push(
      `Ranking is left out. The other phases share its part of the budget in proportion (${split}), and Performance takes its keywords.`,
    )
  }
  if (payload.strategy === 'PASSIVE' && campaigns.some(c => c.adGroups.some(g => g.phase === 'HIGH_IMPACT')))
    warnings.push(
      'High Impact bids low and raises no placement with the passive strategy. Choose Balanced or Growth if it should compete.',
    )
  return warnings
}

/**
 * The whole tree that a launch makes, from the checked payload and what is known; the same input gives the same plan.
 * Throws RangeError when the budget cannot give every campaign the marketplace's minimum: check it with `checkBudget` first.
 */
export function planLaunch(input: PlanInput): LaunchPlan {
  const { payload, market, products } = input
  const warnings: string[] = []
  const brands = brandSplit(input)
  const structure = structureOf(payload, brands.phases)
  const budgets = splitBudget(toMicros(payload.budget), structure, market)
  if (!budgets) throw new RangeError('the budget is too small for this structure')
  const groups = structure.campaigns.flatMap(c => c.groups)
  const byGroup = placeTerms(payload, groups, input.advice, brands.kindOf, warnings)
  const advice = usedAdvice(input, warnings)
  warnings.push(...mergeWarnings(payload))
  const { names, shortened } = namesOf(payload, market)
  // Names are taken before it is known which campaigns of brands there will be.
  const keys = structureOf(payload).campaigns.map(c => c.key)
  if (shortened) warnings.push('The campaigns’ names are shortened to what the marketplace allows.')
  const capMicros = sharedCap(products, payload.targetAcos)
  const plan = (shape: CampaignShape): PlannedCampaign => {
    const { key, phase, targetingType } = shape
    const dailyBudgetMicros = budgets.get(key) ?? 0
    const bounds: BidBounds = { ...market, budgetMicros: dailyBudgetMicros, capMicros }
    const adGroups = shape.groups.map(group =>
      planAdGroup({ ...input, advice, shape: group, bounds, terms: byGroup.get(group.key) ?? [] }),
    )
    const raises = raisesWithinCaps(shape, adGroups.filter(isAlive), capMicros)
    const name = names[keys.indexOf(key)] ?? ''
    return { key, phase, name, targetingType, dailyBudgetMicros, ...raises, adGroups }
  }
  const campaigns = dropDead(structure.campaigns.map(plan), warnings)
  const adGroups = campaigns.flatMap(c => c.adGroups)
  addNegatives(adGroups, payload)
  warnings.push(...brands.warnings, ...phaseWarnings(payload, campaigns))
  warnings.push(...bidWarnings(input, campaigns, structure.campaigns, capMicros))
  return { currency: market.currency, campaigns, warnings: [...new Set(warnings)] }
}
