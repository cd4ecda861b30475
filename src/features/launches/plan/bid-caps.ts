import type { Micros } from '#shared/money.ts'
import { type AutoGroup, type Phase, autoGroupKeys, autoGroups, funnelPhases, phases } from '../templates.ts'
import { type PlannedAdGroup, type PlannedCampaign, type PlanInput, type PlanMarket, nameAFew } from './launch-plan.ts'
import { amountText, type ChosenBid, clickCap } from '#features/recommendations/contract.ts'

/** What the marketplace may add to every bid of a campaign. */
export type BidRaises = Pick<PlannedCampaign, 'biddingStrategy' | 'topOfSearchPercent'>

/**
 * The most that a bid may be multiplied by: 1 + placement raise, doubled where the marketplace may bid upwards (domain.md,
 * Bids). Schedule rules would multiply it further; a launch makes none.
 */
const worstFactor = ({ biddingStrategy, topOfSearchPercent }: BidRaises): number =>
  (1 + topOfSearchPercent / 100) * (biddingStrategy === 'SALES_UP_AND_DOWN' ? 2 : 1)

/** The most that one click can cost at a bid, in micro-units. */
export const worstCaseCpc = (bidMicros: Micros, raises: BidRaises): number =>
  Math.round(bidMicros * worstFactor(raises))

/** A bid and the most that a click bought by it may cost; null where that is not known. */
export interface CappedBid {
  bidMicros: Micros
  capMicros: Micros | null
}

/**
 * As much of the intended raises as keeps the worst click of every bid within its cap: all of them, or else no upward
 * bidding and the placement raise that the tightest bid leaves room for.
 */
export function raisesWithinCaps(intended: BidRaises, bids: readonly CappedBid[]): BidRaises {
  const capped = bids.flatMap(({ bidMicros, capMicros }) => (capMicros === null ? [] : [{ bidMicros, capMicros }]))
  if (capped.every(({ bidMicros, capMicros }) => worstCaseCpc(bidMicros, intended) <= capMicros))
    return { biddingStrategy: intended.biddingStrategy, topOfSearchPercent: intended.topOfSearchPercent }
  const room = capped.map(({ bidMicros, capMicros }) => Math.floor(((capMicros - bidMicros) * 100) / bidMicros))
  return {
    biddingStrategy: 'SALES_DOWN_ONLY',
    topOfSearchPercent: Math.max(0, Math.min(intended.topOfSearchPercent, ...room)),
  }
}

/** The part of the cap that a phase may take, all of it by default: what is less sure to sell must not cost as much. */
export const phaseCapShares: Partial<Record<Phase, number>> = { DISCOVERY: 0.7, RESEARCH: 0.85 }
/** The part of its phase's cap that an automatic group may take. */
export const autoCapShares: Readonly<Record<AutoGroup, number>> = {
  CLOSE_MATCH: 1,
  SUBSTITUTES: 0.9,
  LOOSE_MATCH: 0.75,
  COMPLEMENTS: 0.6,
}

/** The part of the cap that a bid of a phase, and of an automatic group in it, may take; null while there is no cap. */
export const capOfPhase = (capMicros: Micros | null, phase: Phase, auto?: AutoGroup): number | null =>
  capMicros && Math.floor(capMicros * (phaseCapShares[phase] ?? 1) * (auto ? autoCapShares[auto] : 1))

/** Every bid of an ad group, the default included, with its part of the cap. */
export function cappedBidsOf(group: PlannedAdGroup, capMicros: Micros | null): CappedBid[] {
  return [
    ...[group.defaultBid, ...[...group.keywords, ...group.targets].map(item => item.bid)].map(bid => ({
      bidMicros: bid.micros,
      capMicros: capOfPhase(capMicros, group.phase),
    })),
    ...group.autoTargets.map(target => ({
      bidMicros: target.bid.micros,
      capMicros: capOfPhase(capMicros, group.phase, target.group),
    })),
  ]
}

interface BidFacts {
  campaigns: readonly PlannedCampaign[]
  /** What the campaigns would have let the marketplace add, by their keys. */
  intended: ReadonlyMap<string, BidRaises>
  /** The most that a click may cost to meet the target ACOS; null while not known. */
  capMicros: Micros | null
  market: PlanMarket
}

interface NamedBid {
  name: string
  bid: ChosenBid
}

function ownBidsOf(campaigns: readonly PlannedCampaign[]): NamedBid[] {
  return campaigns
    .flatMap(c => c.adGroups)
    .flatMap(g => [
      ...g.keywords.map(k => ({ name: k.text, bid: k.bid })),
      ...g.targets.map(t => ({ name: t.name ?? t.value, bid: t.bid })),
    ])
    .filter(({ bid }) => bid.source === 'YOURS')
}

function bidsFor(bids: readonly NamedBid[]): string {
  const names = bids.map(({ name }) => name)
  return new Set(names).size === 1 ? `bid for ${nameAFew(names)} is` : `bids for ${nameAFew(names)} are`
}

function ownBidWarnings({ campaigns, capMicros, market }: BidFacts): string[] {
  const own = ownBidsOf(campaigns)
  const limited = own.filter(({ bid }) => bid.limitedBy)
  const above = capMicros === null ? [] : own.filter(({ bid }) => bid.micros > capMicros)
  return [
    ...(limited.length ? [`Your ${bidsFor(limited)} limited by the budget or the marketplace’s limits.`] : []),
    ...(above.length && capMicros !== null
      ? [
          `Your ${bidsFor(above)} above ${amountText(capMicros, market.currency)}, the most that a click may cost to meet the target ACOS.`,
        ]
      : []),
  ]
}

function capWarnings({ campaigns, intended, capMicros, market }: BidFacts): string[] {
  if (capMicros === null) return []
  const amount = amountText(capMicros, market.currency)
  if (capMicros < market.minBidMicros)
    return [
      `A click may cost at most ${amount} to meet the target ACOS, less than the lowest bid the marketplace takes (${amountText(market.minBidMicros, market.currency)}): clicks will cost more than the target allows.`,
    ]
  const lowered = campaigns.filter(c => {
    const before = intended.get(c.key)
    return before && (before.biddingStrategy !== c.biddingStrategy || before.topOfSearchPercent > c.topOfSearchPercent)
  })
  if (!lowered.length) return []
  const names = [...new Set(lowered.map(c => phases[c.phase]))].join(', ')
  return [
    `The marketplace raises bids in ${names} less than the strategy usually lets it, so that no click costs more than the ${amount} that meets the target ACOS.`,
  ]
}

const percent = (share: number) => `${Math.round(share * 100)}%`

// Says how the phases and automatic groups share a cap that is lower than what the marketplace suggests.
function orderWarnings({ campaigns, capMicros, market }: BidFacts): string[] {
  const groups = campaigns.flatMap(c => c.adGroups)
  const bids = groups.flatMap(g => [...g.keywords, ...g.autoTargets, ...g.targets].map(item => item.bid))
  if (capMicros === null || !bids.some(bid => bid.limitedBy === 'TARGET_ACOS')) return []
  const capped = funnelPhases.filter(phase => groups.some(g => g.phase === phase))
  const part = (phase: Phase) => `${phases[phase]} ${percent(phaseCapShares[phase] ?? 1)}`
  const auto = autoGroupKeys.toSorted((a, b) => autoCapShares[b] - autoCapShares[a])
  return [
    [
      `A click may cost at most ${amountText(capMicros, market.currency)} to meet the target ACOS, which is less than the marketplace suggests for some bids.`,
      ...(capped.length > 1
        ? [`The phases keep their order and bid at most a part of it: ${capped.map(part).join(', ')}.`]
        : []),
      ...(groups.some(g => g.autoTargets.length)
        ? [
            `So do the automatic groups, within their phase: ${auto.map(g => `${autoGroups[g].toLowerCase()} ${percent(autoCapShares[g])}`).join(', ')}.`,
          ]
        : []),
    ].join(' '),
  ]
}

const asinsOf = (products: PlanInput['products']) => nameAFew(products.map(p => p.asin))

/** What to say of a cap that several products share, although each would have another. */
export function sharedCapWarnings({ payload, products, market }: PlanInput, capMicros: Micros | null): string[] {
  const capFor = (p: PlanInput['products'][number]) =>
    clickCap(payload.targetAcos, p.orderValueMicros, p.conversionRate)
  const unknown = products.filter(p => capFor(p) === null)
  const capped = products.filter(p => capFor(p) !== null)
  if (products.length < 2 || !capped.length) return []
  if (unknown.length)
    return [
      `No cap by the target ACOS: these bids serve all products, and it is not known yet how ${asinsOf(unknown)} ${unknown.length === 1 ? 'sells' : 'sell'}.`,
    ]
  const lower = capped.filter(p => (capFor(p) ?? 0) < (capMicros ?? 0))
  if (!lower.length || capMicros === null) return []
  const lowest = Math.min(...lower.map(p => capFor(p) ?? 0))
  return [
    `Bids serve all products and are capped by the one that can pay most, at ${amountText(capMicros, market.currency)} a click. For ${asinsOf(lower)} a click may cost less to meet the target ACOS, from ${amountText(lowest, market.currency)} on.`,
  ]
}

/** What to say of a plan's bids and raises, one sentence for all of a kind: a thousand of the same would hide the rest. */
export function bidWarnings(facts: BidFacts): string[] {
  return [...orderWarnings(facts), ...ownBidWarnings(facts), ...capWarnings(facts)]
}
