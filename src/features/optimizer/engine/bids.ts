import { floorToUnit, roundToUnit } from '#shared/money.ts'
import { bandOf, type ClickWorth, type Estimates, highRate } from './estimate.ts'
import type { Basis, Cause, Decision, Evidence } from './decisions.ts'
import type { CampaignFacts, Facts, TargetFacts } from './facts.ts'
import type { Memory, Settings } from './settings.ts'
import { forecastBid, forecastDays } from './forecast.ts'
import { thinClicks, whyStays, worstClick } from './stays.ts'
import { isRested, lastDays } from './days.ts'
import type { Aim } from './steer.ts'
import { wantedBid } from './wanted-bid.ts'

const mostUp = 0.2
const mostDown = 0.25
/**
 * A bid this near to the wanted one stays, as a logarithm: for a mean target that costs at most 2 % of what its clicks earn, and
 * estimates wander as far by themselves. What is lost goes by the square of the distance, so that a target with fewer clicks may be
 * farther off, by the root of that, for the same loss. Less so downwards: clicks that are too dear surely cost, dearer ones may not sell.
 * Where all bids together are off by `together`, bands lean that way, down to `least`.
 */
const deadBand = { usual: 0.2, most: { down: 0.3, up: 0.6 }, least: 0.05, together: 0.06 }
/** Stock for fewer days is not advertised more; for fewer than the second number hardly at all. */
const coverDays = { low: 14, gone: 3 }
const suggestedMultiple = 3

export interface BidPlan {
  target: TargetFacts
  campaign: CampaignFacts
  worth: ClickWorth
  /** Null where it stays. */
  after: number | null
  cause: Cause
  evidence: Evidence
  isAtStepLimit: boolean
  /** How far the wanted bid is above the bid, as a logarithm; below 0 where it is lower. */
  distance: number
  /** It was changed a few days ago. */
  isResting: boolean
}

/**
 * What each bid should be: what the aim wants, below every cap, a bounded step from where it is, in the marketplace's unit.
 * Targets that are not the engine's to change are left out; those that have not rested stay.
 */
export function planBids(
  facts: Facts,
  settings: Settings,
  memory: Memory,
  estimates: Estimates,
  aim: Aim,
  { today, mayRaise }: { today: string; mayRaise: boolean },
): BidPlan[] {
  const campaigns = new Map(facts.campaigns.map(one => [one.id, one]))
  const sets = { untouched: new Set(settings.untouched), holdout: new Set(facts.holdout) }
  const enabled = facts.targets.filter(one => one.isEnabled)
  const meanClicks = enabled.reduce((sum, one) => sum + estimates.ofTarget(one).own.clicks, 0) / enabled.length
  const changeable = facts.targets.flatMap(target => {
    const campaign = campaigns.get(target.campaignId)
    const own = memory.targets?.[target.id]
    if (!campaign || whyStays(target, campaign, own?.pinnedUntil, sets, today)) return []
    return [{ target, campaign, own }]
  })
  const planned = (shift: number) =>
    changeable.map(({ target, campaign }) =>
      planBid(target, campaign, facts, settings, estimates, aim, { mayRaise, meanClicks, shift }),
    )
  const shift = settings.strategy === 'REACH' ? shiftOf(planned(0), today) : 0
  return planned(shift).map((plan, i): BidPlan => {
    const { target, own } = changeable[i] as (typeof changeable)[number]
    const { isAtStepLimit, cause, distance } = plan
    const turnsAround = own?.beforeMicros !== undefined && (target.bidMicros - own.beforeMicros) * distance < 0
    const goesOn = isAtStepLimit && (!turnsAround || Math.abs(distance) >= deadBand.most.up)
    const isFree = isRested(own?.changedOn, today) && (goesOn || isJudged(target, own?.changedOn, today))
    // A list may show for a day what a bid was before its change.
    const isShownLate = !isRested(own?.changedOn, today, lateDays) && target.bidMicros === own?.beforeMicros
    return isFree || (cause === 'ABOVE_HIGHEST_BID' && !isShownLate) ? plan : { ...plan, after: null, isResting: true }
  })
}

const lateDays = 2
/** A small change, and one that turns around unless it is far off, waits until clicks have shown what the last one did. */
const judging = { clicks: 8, days: 12 }
function isJudged({ days }: TargetFacts, changedOn: string | undefined, today: string): boolean {
  if (changedOn === undefined || isRested(changedOn, today, judging.days)) return true
  return days.reduce((sum, one) => sum + (one.day >= changedOn ? one.clicks : 0), 0) >= judging.clicks
}

function planBid(
  target: TargetFacts,
  campaign: CampaignFacts,
  { currency }: Facts,
  { highestBidMicros, strategy, targetAcos }: Settings,
  estimates: Estimates,
  aim: Aim,
  { mayRaise, meanClicks, shift }: { mayRaise: boolean; meanClicks: number; shift: number },
): BidPlan {
  const worth = estimates.ofTarget(target)
  const { coverDays: cover, margin } = estimates.family(target.familyId)
  const evidence = {
    clicks: target.days.reduce((sum, one) => sum + one.clicks, 0),
    orders: target.days.reduce((sum, one) => sum + one.orders, 0),
    costMicros: target.days.reduce((sum, one) => sum + one.costMicros, 0),
    salesMicros: target.days.reduce((sum, one) => sum + one.salesMicros, 0),
    effectiveClicks: worth.own.clicks,
    rate: worth.rate,
    parentRate: worth.parentRate,
    orderMicros: Math.round(worth.orderMicros),
    worthMicros: Math.round(worth.worthMicros),
    margin,
    multiplier: aim.multiplier,
    moneyFactor: aim.fundings.get(campaign.id)?.moneyFactor ?? aim.moneyFactor,
    forecastAcos: aim.forecastAcos,
    targetAcos,
    coverDays: cover,
    brokeOn: estimates.breaks.get(target.familyId)?.day ?? null,
    basis: {
      bid: {
        currency,
        priorClicks: worth.priorClicks,
        shape: worth.shape,
        topRaise: campaign.topRaise,
        highestBidMicros,
        profitMicros: strategy === 'PROFIT' && worth.profitMicros !== null ? Math.round(worth.profitMicros) : null,
        suggestedHighMicros: target.suggestedHighMicros,
        minBidMicros: campaign.limits.minBidMicros,
        maxBidMicros: campaign.limits.maxBidMicros,
        isExact: target.matchType === 'EXACT',
        mayRaise,
        deadBand: bandAround(worth.own.clicks, meanClicks, shift),
      },
    },
  }
  const { after, cap, ...step } = bidFrom(target.bidMicros, evidence)
  const worstClickMicros = Math.round(worstClick(after ?? target.bidMicros, campaign))
  return { target, campaign, worth, after, ...step, isResting: false, evidence: { ...evidence, worstClickMicros, cap } }
}

function bandAround(clicks: number, meanClicks: number, shift: number): { down: number; up: number } {
  const { usual, most, least } = deadBand
  const band = usual * Math.sqrt(Math.max(1, meanClicks / Math.max(clicks, Number.EPSILON)))
  return {
    down: Math.max(least, Math.min(most.down, band) + shift),
    up: Math.max(least, Math.min(most.up, band) - shift),
  }
}

/**
 * How far the bids together are below (above 0) or above the wanted ones, by what each costs. A few targets may be off by a band;
 * where all are off the same way, the money stays unspent or the target is missed though no bid is far off by itself.
 */
function shiftOf(plans: readonly BidPlan[], today: string): number {
  const sum = { cost: 0, off: 0 }
  for (const { target, distance } of plans) {
    const cost = lastDays(target.days, today, forecastDays).reduce((all, one) => all + one.costMicros, 0)
    sum.cost += cost
    sum.off += cost * Math.max(-1, Math.min(1, distance))
  }
  const mean = sum.cost > 0 ? sum.off / sum.cost : 0
  return Math.abs(mean) < deadBand.together ? 0 : mean
}

/** What a bid is worked out from: the part of its evidence that counts. */
type BidEvidence = Required<
  Pick<Evidence, 'effectiveClicks' | 'rate' | 'parentRate' | 'worthMicros' | 'multiplier' | 'moneyFactor'>
> & { coverDays?: number | null; basis: { bid: NonNullable<Basis['bid']> } }

/** The bid that follows from logged evidence alone: null where it stays, why, and what held it. */
export function bidFrom(bidMicros: number, evidence: BidEvidence) {
  const { coverDays: cover = null, moneyFactor, rate, parentRate, basis } = evidence
  const { currency, highestBidMicros, minBidMicros, maxBidMicros, mayRaise } = basis.bid
  const isLow = cover !== null && cover < coverDays.low
  const isGone = cover !== null && cover < coverDays.gone && basis.bid.isExact
  const bidByWorth = wantedBid({ ...evidence, ...basis.bid }) * (isLow ? Math.max(0, cover) / coverDays.low : 1)
  const caps = [
    { cap: 'HIGHEST_BID' as const, micros: highestBidMicros ?? Infinity },
    { cap: 'WORTH' as const, micros: basis.bid.profitMicros ?? Infinity },
    { cap: 'SUGGESTED' as const, micros: (basis.bid.suggestedHighMicros ?? Infinity) * suggestedMultiple },
  ]
  const lowest = caps.reduce((least, one) => (one.micros < least.micros ? one : least))
  const capped = bidByWorth > lowest.micros ? lowest.cap : null
  const goal = isGone ? minBidMicros : Math.max(minBidMicros, Math.min(bidByWorth, lowest.micros, maxBidMicros))
  // Nothing stays above the seller's own limit; everything else is approached in steps.
  const top = Math.min(highestBidMicros ?? Infinity, maxBidMicros)
  // What it comes to at best is not too low a step, however far it is.
  const isFar = goal < bidMicros * (1 - mostDown)
  const step = isFar
    ? Math.min(bidMicros * (1 - mostDown), goal * highRate(basis.bid.shape))
    : bidMicros * (1 - mostDown)
  const low = isGone ? minBidMicros : Math.min(top, step)
  const high = mayRaise && !isLow ? bidMicros * (1 + mostUp) : bidMicros
  const stepped = Math.min(Math.max(goal, low), high, Math.max(top, minBidMicros))
  const rounded = goal < bidMicros ? floorToUnit(stepped, currency) : roundToUnit(stepped, currency)
  const after = Math.max(minBidMicros, Math.min(rounded, floorToUnit(top, currency)))
  const isAbove = bidMicros > top
  const distance = Math.log(goal / bidMicros)
  const isFarOff = distance > 0 ? distance >= basis.bid.deadBand.up : -distance >= basis.bid.deadBand.down
  const isChanged = after !== bidMicros && (isAbove || isFarOff)
  const isAtStepLimit = goal <= bidMicros * (1 - mostDown) || goal >= bidMicros * (1 + mostUp)
  const bites = capped ?? (isAtStepLimit ? ('STEP' as const) : isLow ? ('STOCK' as const) : null)
  const causeOf = (): Cause => {
    const isDown = after < bidMicros
    if (isAbove) return 'ABOVE_HIGHEST_BID'
    if (isGone) return 'STOCK_GONE'
    if (isLow && after <= bidMicros) return 'STOCK_LOW'
    if (isDown && capped === 'WORTH') return 'ABOVE_WORTH'
    if (isDown && moneyFactor < 0.97) return 'MONEY_SHORT'
    if (evidence.effectiveClicks < thinClicks) return 'THIN'
    // The word's own figures moved it, or the group as a whole.
    const isBelow = rate < parentRate
    if (isDown) return isBelow ? 'WORTH_LESS' : 'STEERED'
    return isBelow ? 'STEERED' : 'WORTH_MORE'
  }
  return {
    after: isChanged ? after : null,
    cause: causeOf(),
    cap: after === minBidMicros ? ('LEAST_BID' as const) : bites,
    isAtStepLimit,
    distance,
  }
}

export const toBidDecision = (
  { target, worth, after, cause, evidence }: BidPlan,
  memory: Memory,
  today: string,
): Decision => ({
  kind: 'bid',
  groupId: `bid ${target.id} ${today}`,
  entity: 'target',
  entityId: target.id,
  before: target.bidMicros,
  after,
  cause,
  asks: false,
  evidence: { ...evidence, band: bandOf(worth) },
  forecast: forecastBid(target, worth, after ?? target.bidMicros, memory.targets?.[target.id]?.bids, today),
})
