import { amountText, type ChosenBid, clickCap } from '#features/recommendations/contract.ts'
import type { Micros } from '#shared/money.ts'
import { type AutoGroup, autoGroupKeys, autoGroups, funnelPhases, type Phase, phases } from '../templates.ts'
import { nameAFew, type PlanInput, type PlannedAdGroup, type PlannedCampaign, type PlanProduct } from './launch-plan.ts'
import type { CampaignShape } from './plan-structure.ts'

/** What the marketplace may add to every bid of a campaign. */
type BidRaises = Pick<PlannedCampaign, 'biddingStrategy' | 'topOfSearchPercent'>

/**
 * The most that one click can cost at a bid, in micro-units: 1 + placement raise, doubled where the marketplace may bid upwards.
 * Schedule rules would multiply it further; a launch makes none.
 */
export const worstCaseCpc = (bidMicros: Micros, { biddingStrategy, topOfSearchPercent }: BidRaises): number =>
  Math.round(bidMicros * (1 + topOfSearchPercent / 100) * (biddingStrategy === 'SALES_UP_AND_DOWN' ? 2 : 1))

/**
 * The cap of bids that serve all advertised products: the highest of theirs, since nobody can say which of them a term will
 * sell, and one product must not bound another's terms. Null when that of any product is not known.
 */
export function sharedCap(products: readonly PlanProduct[], targetAcos: number): number | null {
  const caps = products.map(p => capOfProduct(p, targetAcos))
  const amounts = caps.flatMap(cap => cap ?? [])
  return amounts.length && amounts.length === caps.length ? Math.max(...amounts) : null
}

const capOfProduct = ({ orderValueMicros, conversionRate }: PlanProduct, targetAcos: number): number | null =>
  clickCap(targetAcos, orderValueMicros, conversionRate)

/** The part of the cap that a phase may take, all of it by default: what is less sure to sell must not cost as much. */
const phaseCapShares: Partial<Record<Phase, number>> = { DISCOVERY: 0.7, RESEARCH: 0.85 }
/** The part of its phase's cap that an automatic group may take. */
const autoCapShares: Readonly<Record<AutoGroup, number>> = {
  CLOSE_MATCH: 1,
  SUBSTITUTES: 0.9,
  LOOSE_MATCH: 0.75,
  COMPLEMENTS: 0.6,
}

/** The part of the cap that a bid of a phase, and of an automatic group in it, may take; null while there is no cap. */
export const capOfPhase = (capMicros: Micros | null, phase: Phase, auto?: AutoGroup): number | null =>
  capMicros && Math.floor(capMicros * (phaseCapShares[phase] ?? 1) * (auto ? autoCapShares[auto] : 1))

/**
 * As much of the intended raises as keeps the worst click of every bid, the ad groups' defaults included, within its part of the
 * cap: all of them, or else no upward bidding and the placement raise that the tightest bid leaves room for.
 */
export function raisesWithinCaps(
  { biddingStrategy, topOfSearchPercent }: BidRaises,
  groups: readonly PlannedAdGroup[],
  capMicros: Micros | null,
): BidRaises {
  const intended = { biddingStrategy, topOfSearchPercent }
  const bids = groups.flatMap(({ phase, defaultBid, keywords, targets, autoTargets }) => {
    const capped = (bid: ChosenBid, auto?: AutoGroup) => ({
      micros: bid.micros,
      cap: capOfPhase(capMicros, phase, auto),
    })
    const plain = [defaultBid, ...[...keywords, ...targets].map(item => item.bid)].map(bid => capped(bid))
    return [...plain, ...autoTargets.map(({ bid, group }) => capped(bid, group))]
  })
  const isWithin = (bid: (typeof bids)[number]) => bid.cap === null || worstCaseCpc(bid.micros, intended) <= bid.cap
  if (bids.every(isWithin)) return intended
  const rooms = bids.flatMap(({ micros, cap }) => (cap === null ? [] : Math.floor(((cap - micros) * 100) / micros)))
  return {
    biddingStrategy: 'SALES_DOWN_ONLY',
    topOfSearchPercent: Math.max(0, Math.min(topOfSearchPercent, ...rooms)),
  }
}

const percent = (share: number) => `${Math.round(share * 100)}%`

// Says how the phases and automatic groups share a cap that is lower than what the marketplace suggests.
function orderWarning(groups: readonly PlannedAdGroup[], amount: string): string {
  const capped = funnelPhases.filter(phase => groups.some(g => g.phase === phase))
  const part = (phase: Phase) => `${phases[phase]} ${percent(phaseCapShares[phase] ?? 1)}`
  const auto = autoGroupKeys.toSorted((a, b) => autoCapShares[b] - autoCapShares[a])
  const parts = auto.map(g => `${autoGroups[g].toLowerCase()} ${percent(autoCapShares[g])}`)
  const sentences = [
    `A click may cost at most ${amount} to meet the target ACOS, which is less than the marketplace suggests for some bids.`,
  ]
  if (capped.length > 1)
    sentences.push(`The phases keep their order and bid at most a part of it: ${capped.map(part).join(', ')}.`)
  if (groups.some(g => g.autoTargets.length))
    sentences.push(`So do the automatic groups, within their phase: ${parts.join(', ')}.`)
  return sentences.join(' ')
}

function bidsFor(names: readonly string[]): string {
  return new Set(names).size === 1 ? `bid for ${nameAFew(names)} is` : `bids for ${nameAFew(names)} are`
}

// What to say of a cap that several products share, although each would have another.
function sharedCapWarnings({ payload, products, market }: PlanInput, capMicros: Micros | null): string[] {
  const caps = products.map(p => ({ asin: p.asin, cap: capOfProduct(p, payload.targetAcos) }))
  const unknown = caps.filter(({ cap }) => cap === null).map(({ asin }) => asin)
  if (products.length < 2 || unknown.length === products.length) return []
  if (unknown.length)
    return [
      `No cap by the target ACOS: these bids serve all products, and it is not known yet how ${nameAFew(unknown)} ${unknown.length === 1 ? 'sells' : 'sell'}.`,
    ]
  const lower = caps.filter(({ cap }) => (cap ?? 0) < (capMicros ?? 0))
  if (!lower.length || capMicros === null) return []
  const lowest = Math.min(...lower.map(({ cap }) => cap ?? 0))
  return [
    `Bids serve all products and are capped by the one that can pay most, at ${amountText(capMicros, market.currency)} a click. For ${nameAFew(lower.map(({ asin }) => asin))} a click may cost less to meet the target ACOS, from ${amountText(lowest, market.currency)} on.`,
  ]
}

/** What to say of a plan's bids and raises, one sentence for all of a kind: a thousand of the same would hide the rest. */
export function bidWarnings(
  input: PlanInput,
  campaigns: readonly PlannedCampaign[],
  intended: readonly CampaignShape[],
  capMicros: Micros | null,
): string[] {
  const { currency, minBidMicros } = input.market
  const warnings: string[] = []
  const groups = campaigns.flatMap(c => c.adGroups)
  const own = groups
    .flatMap(g => [
      ...g.keywords.map(k => ({ name: k.text, bid: k.bid })),
      ...g.targets.map(t => ({ name: t.name ?? t.value, bid: t.bid })),
    ])
    .filter(({ bid }) => bid.source === 'YOURS')
  const namesOf = (some: typeof own) => some.map(({ name }) => name)
  const limited = own.filter(({ bid }) => bid.limitedBy)
  const amount = capMicros === null ? '' : amountText(capMicros, currency)
  const all = groups.flatMap(g => [...g.keywords, ...g.autoTargets, ...g.targets].map(item => item.bid))
  if (capMicros !== null && all.some(bid => bid.limitedBy === 'TARGET_ACOS'))
    warnings.push(orderWarning(groups, amount))
  if (limited.length)
    warnings.push(`Your ${bidsFor(namesOf(limited))} limited by the budget or the marketplace’s limits.`)
  if (capMicros !== null) {
    const above = own.filter(({ bid }) => bid.micros > capMicros)
    if (above.length)
      warnings.push(
        `Your ${bidsFor(namesOf(above))} above ${amount}, the most that a click may cost to meet the target ACOS.`,
      )
    const lowered = campaigns.filter(c => {
      const before = intended.find(shape => shape.key === c.key)
      return (
        before && (before.biddingStrategy !== c.biddingStrategy || before.topOfSearchPercent > c.topOfSearchPercent)
      )
    })
    const names = [...new Set(lowered.map(c => phases[c.phase]))].join(', ')
    if (capMicros < minBidMicros)
      warnings.push(
        `A click may cost at most ${amount} to meet the target ACOS, less than the lowest bid the marketplace accepts (${amountText(minBidMicros, currency)}): clicks will cost more than the target allows.`,
      )
    else if (lowered.length)
      warnings.push(
        `The marketplace raises bids in ${names} less than the strategy usually lets it, so that no click costs more than the ${amount} that meets the target ACOS.`,
      )
  }
  return [...warnings, ...sharedCapWarnings(input, capMicros)]
}
