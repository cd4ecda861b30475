import type { Micros } from '#shared/money.ts'
import type { AutoGroup, Phase } from '../templates.ts'
import type { PlannedAdGroup, PlannedCampaign } from './launch-plan.ts'

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
export const raisesWithinCaps = (intended: BidRaises, bids: readonly CappedBid[]): BidRaises => {
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
export const cappedBidsOf = (group: PlannedAdGroup, capMicros: Micros | null): CappedBid[] => [
  ...[group.defaultBid, ...[...group.keywords, ...group.targets].map(item => item.bid)].map(bid => ({
    bidMicros: bid.micros,
    capMicros: capOfPhase(capMicros, group.phase),
  })),
  ...group.autoTargets.map(target => ({
    bidMicros: target.bid.micros,
    capMicros: capOfPhase(capMicros, group.phase, target.group),
  })),
]
