import { floorToUnit, roundToUnit } from '#shared/money.ts'
import { bandOf, type ClickWorth, type Estimates } from './estimate.ts'
import type {
  CampaignFacts,
  Cause,
  DayForecast,
  Decision,
  Evidence,
  Facts,
  Memory,
  Settings,
  TargetFacts,
} from './model.ts'
import { type Aim, isRested, lastDays, wantedBid } from './steer.ts'

const mostUp = 0.2
const mostDown = 0.25
/** Smaller changes are not worth a call, nor the seller's attention. */
const leastChange = 0.07
/** Stock for fewer days is not advertised more; for fewer than the second number hardly at all. */
const coverDays = { low: 14, gone: 3 }
/** With fewer clicks a target is said to be too new to judge. */
const thinClicks = 15
const suggestedMultiple = 3
/** What clicks follow a bid by, in the middle of the curves that were seen. */
const clickElasticity = 0.7

export interface BidPlan {
  target: TargetFacts
  campaign: CampaignFacts
  worth: ClickWorth
  /** Null where it stays. */
  after: number | null
  cause: Cause
  evidence: Evidence
  isAtStepLimit: boolean
  direction: -1 | 0 | 1
}

/** The dearest click that the marketplace may charge for a bid. */
export const worstClick = (bidMicros: number, { topRaise, strategyRaise, ruleRaise }: CampaignFacts): number =>
  bidMicros * (1 + topRaise) * (1 + strategyRaise) * (1 + ruleRaise)

/**
 * What each bid should be: what the aim wants, below every cap, a bounded step from where it is, in the marketplace's unit.
 * Targets that are paused, pinned, untouched or not rested stay.
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
  const untouched = new Set(settings.untouched)
  return facts.targets.flatMap(target => {
    const campaign = campaigns.get(target.campaignId)
    const own = memory.targets?.[target.id]
    const isPinned = own?.pinnedUntil !== undefined && own.pinnedUntil > today
    if (!campaign || !target.isEnabled || isPinned || untouched.has(target.id) || untouched.has(target.text)) return []
    const plan = planBid(target, campaign, facts, settings, estimates, aim, mayRaise)
    const { isAtStepLimit, cause } = plan
    const isFree = isRested(own?.changedOn, today) && (isAtStepLimit || isJudged(target, own?.changedOn, today))
    return isFree || cause === 'ABOVE_HIGHEST_BID' ? plan : { ...plan, after: null }
  })
}

/** A small change waits until clicks have shown what the last one did. */
const judging = { clicks: 5, days: 9 }
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
  mayRaise: boolean,
): BidPlan {
  const worth = estimates.ofTarget(target)
  const { coverDays: cover, margin } = estimates.family(target.familyId)
  const isLow = cover !== null && cover < coverDays.low
  const isGone = cover !== null && cover < coverDays.gone && target.matchType === 'EXACT'
  const { minBidMicros, maxBidMicros } = campaign.limits
  const bidByWorth = wantedBid(worth, campaign, aim) * (isLow ? Math.max(0, cover) / coverDays.low : 1)
  const caps = [
    { cap: 'HIGHEST_BID' as const, micros: highestBidMicros ?? Infinity },
    { cap: 'WORTH' as const, micros: strategy === 'PROFIT' ? (worth.profitMicros ?? Infinity) : Infinity },
    { cap: 'SUGGESTED' as const, micros: (target.suggestedHighMicros ?? Infinity) * suggestedMultiple },
  ]
  const lowest = caps.reduce((least, one) => (one.micros < least.micros ? one : least))
  const capped = Math.min(bidByWorth, lowest.micros, maxBidMicros)
  const goal = isGone ? minBidMicros : Math.max(minBidMicros, capped)
  const { bidMicros } = target
  // Nothing stays above the seller's own limit; everything else is approached in steps.
  const top = Math.min(highestBidMicros ?? Infinity, maxBidMicros)
  const low = isGone ? minBidMicros : Math.min(top, bidMicros * (1 - mostDown))
  const high = mayRaise && !isLow ? bidMicros * (1 + mostUp) : bidMicros
  const stepped = Math.min(Math.max(goal, low), high, Math.max(top, minBidMicros))
  const rounded = goal < bidMicros ? floorToUnit(stepped, currency) : roundToUnit(stepped, currency)
  const after = Math.max(minBidMicros, Math.min(rounded, floorToUnit(top, currency)))
  const isAbove = bidMicros > top
  const isChanged = after !== bidMicros && (isAbove || Math.abs(after / bidMicros - 1) >= leastChange)
  const isAtStepLimit = goal <= bidMicros * (1 - mostDown) || goal >= bidMicros * (1 + mostUp)
  const bites = bidByWorth > lowest.micros ? lowest.cap : isAtStepLimit ? 'STEP' : isLow ? 'STOCK' : null
  return {
    target,
    campaign,
    worth,
    after: isChanged ? after : null,
    cause: causeOf({
      target,
      worth,
      after,
      isAbove,
      isLow,
      isGone,
      capped: bidByWorth > lowest.micros ? lowest.cap : null,
      aim,
    }),
    evidence: {
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
      moneyFactor: aim.moneyFactor,
      worstClickMicros: Math.round(worstClick(after, campaign)),
      cap: after === minBidMicros ? 'LEAST_BID' : bites,
      forecastAcos: aim.forecastAcos,
      targetAcos,
      coverDays: cover,
      brokeOn: estimates.breaks.get(target.familyId)?.day ?? null,
    },
    isAtStepLimit,
    direction: goal > bidMicros ? 1 : goal < bidMicros ? -1 : 0,
  }
}

function causeOf(of: {
  target: TargetFacts
  worth: ClickWorth
  after: number
  isAbove: boolean
  isLow: boolean
  isGone: boolean
  capped: Evidence['cap']
  aim: Aim
}): Cause {
  const { target, worth, after, aim } = of
  if (of.isAbove) return 'ABOVE_HIGHEST_BID'
  if (of.isGone) return 'STOCK_GONE'
  if (of.isLow && after <= target.bidMicros) return 'STOCK_LOW'
  if (after < target.bidMicros) {
    if (of.capped === 'WORTH') return 'ABOVE_WORTH'
    if (aim.moneyFactor < 0.97) return 'MONEY_SHORT'
  }
  if (worth.own.clicks < thinClicks) return 'THIN'
  // The word's own figures moved it, or the group as a whole.
  const isBelow = worth.rate < worth.parentRate
  if (after < target.bidMicros) return isBelow ? 'WORTH_LESS' : 'STEERED'
  return isBelow ? 'STEERED' : 'WORTH_MORE'
}

/** What a day is expected to bring at another bid: clicks follow bids, and their price too, less than in proportion. */
export function forecastDay(
  target: TargetFacts,
  worth: ClickWorth,
  afterMicros: number,
  today: string,
): DayForecast | null {
  const days = lastDays(target.days, today, 14)
  const clicks = days.reduce((sum, one) => sum + one.clicks, 0)
  if (clicks === 0) return null
  const cost = days.reduce((sum, one) => sum + one.costMicros, 0)
  const change = afterMicros / target.bidMicros
  const daily = (clicks / 14) * change ** clickElasticity
  const costMicros = Math.round(daily * (cost / clicks) * change ** clickElasticity)
  const sales = daily * worth.worthMicros
  return { clicks: daily, costMicros, orders: daily * worth.rate, acos: sales > 0 ? costMicros / sales : null }
}

export const toBidDecision = ({ target, worth, after, cause, evidence }: BidPlan, today: string): Decision => ({
  kind: 'bid',
  groupId: `bid ${target.id} ${today}`,
  entity: 'target',
  entityId: target.id,
  before: target.bidMicros,
  after,
  cause,
  asks: false,
  evidence: { ...evidence, band: bandOf(worth) },
  forecast: forecastDay(target, worth, after ?? target.bidMicros, today),
})
