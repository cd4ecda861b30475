import { type AutoGroup, type Phase, autoGroupKeys, funnelPhases, groupMatches, phases } from '../templates.ts'
import { templateOf } from '../templates.ts'
import {
  chooseBid,
  type BidBounds,
  clickCap,
  marketDefaultBid,
  ownBid,
  typicalBid,
} from '#features/recommendations/contract.ts'
import { type Micros, toMicros } from '#shared/money.ts'
import { cappedBidsOf, capOfPhase, raisesWithinCaps } from './bid-caps.ts'
import { brandSplit, brandsKeptApart, isBrandPhase } from './brand-split.ts'
import { bidWarnings, sharedCapWarnings } from './bid-caps.ts'
import {
  type LaunchPlan,
  type PlanInput,
  type PlanMarket,
  type PlannedAdGroup,
  type PlannedCampaign,
  type PlanProduct,
} from './launch-plan.ts'
import type { CreatePayload, NegativeMatchType } from '../launch-schema.ts'
import { chosenNegatives, keysOf, normalTerm } from '../chosen-terms.ts'
import { nameAFew } from './launch-plan.ts'
import { usualShares } from './budget-shares.ts'
import { splitBudget } from './plan-budget.ts'
import { namesOf } from './plan-structure.ts'
import { type CampaignShape, type GroupShape, groupName, structureOf } from './plan-structure.ts'
import { placeTargets, usedAdvice } from './plan-targets.ts'
import { type PlacedTerm, placeTerms } from './plan-terms.ts'

/** The names of all campaigns that the payload can lead to, known before anything is recommended. */
export const campaignNamesOf = (payload: CreatePayload, market: PlanMarket): string[] => namesOf(payload, market).names

/** The daily budget of each campaign by its key; null when the total cannot give each the marketplace's minimum. */
export function campaignBudgetsOf(
  payload: CreatePayload,
  market: PlanMarket,
  { shares, remainderTo } = structureOf(payload),
): Map<string, number> | null {
  return splitBudget(toMicros(payload.budget), shares, market.minDailyBudgetMicros, market.currency, remainderTo)
}

/**
 * The cap of bids that serve all advertised products: the highest of theirs, since nobody can say which of them a term will
 * sell, and one product must not bound another's terms. Null when that of any product is not known.
 */
function capOf(products: readonly PlanProduct[], targetAcos: number): number | null {
  const caps = products.map(p => clickCap(targetAcos, p.orderValueMicros, p.conversionRate))
  return caps.reduce(
    (highest, cap) => (highest === null || cap === null ? null : Math.max(highest, cap)),
    caps[0] ?? null,
  )
}

interface GroupInput extends PlanInput {
  shape: GroupShape
  bounds: BidBounds
  terms: readonly PlacedTerm[]
}

function planAdGroup(input: GroupInput): PlannedAdGroup {
  const { shape, terms, payload, market, products, advice } = input
  const boundsOf = (auto?: AutoGroup): BidBounds => ({
    ...input.bounds,
    capMicros: capOfPhase(input.bounds.capMicros, shape.phase, auto),
  })
  const bounds = boundsOf()
  const strategy = shape.competes && payload.strategy !== 'PASSIVE' ? 'GROWTH' : payload.strategy
  const isAuto = shape.match === 'AUTO'
  const targets = placeTargets(payload, shape, advice)
  const suggestions = isAuto ? advice.auto : shape.phase === 'PRODUCTS' ? targets : terms
  const typical = typicalBid(suggestions.map(s => s.suggested))
  const defaultMicros = typical ?? marketDefaultBid(market)
  const bidOf = (one: { ownBidMicros: Micros | null; suggested: PlacedTerm['suggested'] }) =>
    one.ownBidMicros === null
      ? chooseBid(one.suggested, strategy, defaultMicros, bounds)
      : ownBid(one.ownBidMicros, one.suggested, bounds)
  return {
    key: shape.key,
    phase: shape.phase,
    match: shape.match,
    name: groupName(shape),
    strategy,
    defaultBid: chooseBid(null, strategy, defaultMicros, bounds),
    products: products.map(({ asin, sku }) => ({ asin, sku })),
    keywords:
      shape.match === 'BROAD' || shape.match === 'PHRASE' || shape.match === 'EXACT'
        ? withMatch(shape.match, terms).map(({ text, matchType, term }) => ({ text, matchType, bid: bidOf(term) }))
        : [],
    autoTargets: isAuto
      ? autoGroupKeys.map(group => ({
          group,
          bid: chooseBid(
            advice.auto.find(a => a.group === group)?.suggested ?? null,
            strategy,
            defaultMicros,
            boundsOf(group),
          ),
        }))
      : [],
    targets: targets.map(t => ({ match: t.match, value: t.value, name: t.name, bid: bidOf(t) })),
    negativeKeywords: [],
    negativePhrases: [],
  }
}

const withMatch = <M extends string>(matchType: M, terms: readonly PlacedTerm[]) =>
  terms.map(term => ({ text: term.text, matchType, term }))

function onceEach(texts: readonly string[]): string[] {
  const seen = new Set<string>()
  return texts.filter(text => {
    const term = normalTerm(text)
    return !seen.has(term) && seen.add(term)
  })
}

// Each later phase's terms are negative exact in the earlier ones, so that every term is bought in one place, and brands' are
// kept out of what is no campaign of theirs; the user's own negatives hold everywhere.
function addNegatives(groups: readonly PlannedAdGroup[], payload: CreatePayload): void {
  const chosen = chosenNegatives(payload)
  const textsOf = (matchType: NegativeMatchType) => chosen.filter(n => n.matchType === matchType).map(n => n.keyword)
  for (const group of groups) {
    const own = funnelPhases.indexOf(group.phase)
    const isLater = (g: PlannedAdGroup) => own >= 0 && funnelPhases.indexOf(g.phase) > own
    const later = groups.filter(isLater).flatMap(g => g.keywords.map(k => k.text))
    const brands = brandsKeptApart(group, groups, payload)
    group.negativeKeywords = onceEach([...later, ...brands.exact, ...textsOf('NEGATIVE_EXACT')])
    group.negativePhrases = onceEach([...brands.phrases, ...textsOf('NEGATIVE_PHRASE')])
  }
}

const isAlive = (group: PlannedAdGroup): boolean =>
  group.match === 'AUTO' || group.keywords.length > 0 || group.targets.length > 0

/** Said where neither the user nor the marketplace named anything to target: the plan is empty then. */
export const NOTHING_TO_TARGET =
  'Nothing would be made: the marketplace recommends nothing to target here. Choose it yourself in guided mode.'

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

/** Something that was entered more than once, by its display name, and whether the bids differ. */
interface MergedRow {
  name: string
  bidsDiffer: boolean
}

function mergedOf<T extends { bid: number }>(
  all: readonly T[],
  keyOf: (item: T) => string,
  nameOf: (item: T) => string,
): MergedRow[] {
  return [...Map.groupBy(all, keyOf).values()].flatMap(([first, ...others]) =>
    first && others.length ? [{ name: nameOf(first), bidsDiffer: others.some(item => item.bid !== first.bid) }] : [],
  )
}

/**
 * What a payload names more than once and is merged: the first bid counts. The flattened list repeats the products' keywords by
 * design, so there only another bid is reported.
 */
function mergedRows(payload: CreatePayload): MergedRow[] {
  const keys = keysOf(payload)
  const ofProducts = payload.products.flatMap(p => p.keywords)
  const firstBids = new Map(ofProducts.map((k): [string, number] => [keys.keywords(k), k.bid]).toReversed())
  const others = payload.keywords.filter(k => firstBids.get(keys.keywords(k)) !== k.bid)
  const categories = [...payload.products.flatMap(p => p.categories), ...payload.categories]
  const targets = [...payload.products.flatMap(p => p.productTargets), ...payload.productTargets]
  return [
    ...mergedOf([...ofProducts, ...others], keys.keywords, k => k.keyword),
    ...mergedOf(categories, keys.categories, c => c.name),
    ...mergedOf(targets, keys.productTargets, t => t.asin),
  ]
}

function mergeWarnings(payload: CreatePayload): string[] {
  const merged = mergedRows(payload)
  if (!merged.length) return []
  const which = `${nameAFew(merged.map(m => m.name))} ${merged.length === 1 ? 'was' : 'were'}`
  const bids = merged.some(m => m.bidsDiffer) ? ': of different bids the first counts.' : '.'
  return [`${which} entered more than once and merged${bids}`]
}

function rankingLeftOut(payload: CreatePayload): string {
  const shares = Object.entries(payload.budgetShares ?? usualShares(payload)) as [Phase, number][]
  const split = shares.map(([phase, percent]) => `${phases[phase]} ${percent}%`).join(', ')
  return `Ranking is left out. The other phases share its part of the budget in proportion (${split}), and Performance takes its keywords.`
}

/**
 * The whole tree that a launch makes, from the checked payload and what is known; the same input gives the same plan.
 * Throws RangeError when the budget cannot give every campaign the marketplace's minimum: check with
 * `campaignBudgetsOf` first.
 */
export const planLaunch = (input: PlanInput): LaunchPlan => {
  const { payload, market, products, advice } = input
  const brands = brandSplit(input)
  const structure = structureOf(payload, brands.phases)
  const budgets = campaignBudgetsOf(payload, market, structure)
  if (!budgets) throw new RangeError('the budget is too small for this structure')
  const groups = structure.campaigns.flatMap(c => c.groups)
  const { byGroup, warnings } = placeTerms(payload, groups, advice, toMicros, brands.kindOf)
  const used = usedAdvice(input, warnings)
  warnings.push(...mergeWarnings(payload))
  const { names, shortened } = namesOf(payload, market)
  // Names are taken before it is known which campaigns of brands there will be.
  const keys = structureOf(payload).campaigns.map(c => c.key)
  if (shortened) warnings.push('The campaigns’ names are shortened to what the marketplace allows.')
  const capMicros = capOf(products, payload.targetAcos)
  const plan = (shape: CampaignShape): PlannedCampaign => {
    const dailyBudgetMicros = budgets.get(shape.key) ?? 0
    const bounds: BidBounds = { ...market, budgetMicros: dailyBudgetMicros, capMicros }
    const adGroups = shape.groups.map(group =>
      planAdGroup({ ...input, advice: used, shape: group, bounds, terms: byGroup.get(group.key) ?? [] }),
    )
    const bids = adGroups.filter(isAlive).flatMap(group => cappedBidsOf(group, capMicros))
    return {
      key: shape.key,
      phase: shape.phase,
      name: names[keys.indexOf(shape.key)] ?? '',
      targetingType: shape.targetingType,
      dailyBudgetMicros,
      ...raisesWithinCaps(shape, bids),
      adGroups,
    }
  }
  const campaigns = dropDead(structure.campaigns.map(plan), warnings)
  addNegatives(
    campaigns.flatMap(c => c.adGroups),
    payload,
  )
  warnings.push(...brands.warnings)
  if (templateOf(payload.template).family === 'FUNNEL' && !payload.includeRanking)
    warnings.push(rankingLeftOut(payload))
  if (payload.strategy === 'PASSIVE' && campaigns.some(c => c.adGroups.some(g => g.phase === 'HIGH_IMPACT')))
    warnings.push(
      'High Impact bids low and raises no placement with the passive strategy. Choose Balanced or Growth if it should compete.',
    )
  const intended = new Map(structure.campaigns.map(c => [c.key, c]))
  warnings.push(...bidWarnings({ campaigns, intended, capMicros, market }), ...sharedCapWarnings(input, capMicros))
  return { currency: market.currency, campaigns, warnings: [...new Set(warnings)] }
}
