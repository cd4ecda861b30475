import { floorToUnit } from '#shared/money.ts'
import { addDays, daysBetween } from '#shared/time.ts'
import { chanceBelow, type Estimates } from './estimate.ts'
import type { Basis, Decision } from './decisions.ts'
import type { Facts, FamilyFacts, TargetFacts, TermFacts } from './facts.ts'
import type { Settings } from './settings.ts'
import { mayChange } from './stays.ts'
import type { Aim } from './steer.ts'

// Searches that waste money are negated where they came from; those that sell get a bid of their own.

const windowDays = 60
const negative = {
  certainty: 0.9,
  /** How dear a search may be against the target before it wastes. */
  slack: 1.8,
  leastClicks: 4,
  /** Orders that a search is believed without any clicks of its own. */
  priorOrders: 1.2,
  /** Of the group's clicks of a week, at most this share is taken away at once. */
  mostClicks: 0.05,
  spareDays: 14,
}
const harvest = { leastOrders: 2, leastReported: 1, slack: 1.3, certainty: 0.6, mostOfPaid: 1.7 }

interface TermSums {
  term: TermFacts
  source: TargetFacts
  family: FamilyFacts
  clicks: number
  costMicros: number
  orders: number
  salesMicros: number
}

function sumsOf(facts: Facts, estimates: Estimates, today: string): TermSums[] {
  const targets = new Map(facts.targets.map(target => [target.id, target]))
  const campaigns = new Map(facts.campaigns.map(campaign => [campaign.id, campaign]))
  // What a target that is kept for comparison brings in must not change either.
  const holdout = new Set(facts.holdout)
  const from = addDays(today, -windowDays)
  return facts.terms.flatMap(term => {
    const source = targets.get(term.targetId)
    const campaign = campaigns.get(term.campaignId)
    if (!source || !campaign || !mayChange(campaign, 'terms') || holdout.has(source.id)) return []
    const sum = { clicks: 0, costMicros: 0, orders: 0, salesMicros: 0 }
    for (const { day, clicks, costMicros, orders, salesMicros } of term.days) {
      if (day < from || day >= today) continue
      sum.clicks += clicks
      sum.costMicros += costMicros
      sum.orders += orders
      sum.salesMicros += salesMicros
    }
    return sum.clicks === 0 ? [] : [{ term, source, family: estimates.family(term.familyId), ...sum }]
  })
}

/** The searches to negate, the dearest first, and those to give a target of their own. */
export function decideTerms(
  facts: Facts,
  settings: Settings,
  estimates: Estimates,
  aim: Aim,
  today: string,
): Decision[] {
  const sums = sumsOf(facts, estimates, today)
  const untouched = new Set(settings.untouched)
  const free = sums.filter(({ term }) => !untouched.has(term.text))
  // One search can come through several targets: nothing is made twice.
  const made = new Set<string>()
  const once = (rows: Decision[]): Decision[] => {
    const keys = rows.map(({ kind, entityId, before, after }) => `${kind} ${entityId} ${before ?? after}`)
    if (keys.some(key => made.has(key))) return []
    for (const key of keys) made.add(key)
    return rows
  }
  const harvests = free.flatMap(one => once(harvestOf(one, facts, settings, estimates, aim, today)))
  return [...harvests, ...negativesOf(free, facts, settings, estimates, today).flatMap(one => once([one]))]
}

function negativesOf(
  sums: readonly TermSums[],
  { targets }: Facts,
  { targetAcos }: Settings,
  estimates: Estimates,
  today: string,
): Decision[] {
  const weekAgo = addDays(today, -7)
  const weekClicks = targets.reduce(
    (all, { days }) => all + days.reduce((sum, one) => sum + (one.day >= weekAgo ? one.clicks : 0), 0),
    0,
  )
  let left = weekClicks * negative.mostClicks
  return sums
    .flatMap(one => {
      const found = wasteOf(one, targetAcos, estimates, today)
      return found ? [{ ...one, ...found }] : []
    })
    .sort((a, b) => b.costMicros - a.costMicros)
    .flatMap((one): Decision[] => {
      const { term } = one
      const ofWeek = term.days.reduce((sum, { day, clicks }) => sum + (day >= weekAgo ? clicks : 0), 0)
      if (ofWeek > left) return []
      left -= ofWeek
      return [
        {
          kind: 'negative',
          groupId: `negative ${term.adGroupId} ${term.text} ${today}`,
          entity: 'adGroup',
          entityId: term.adGroupId,
          before: null,
          after: term.text,
          cause: 'TERM_WASTES',
          asks: false,
          evidence: {
            clicks: one.clicks,
            orders: one.orders,
            costMicros: one.costMicros,
            salesMicros: one.salesMicros,
            effectiveClicks: one.effectiveClicks,
            certainty: one.certainty,
            orderMicros: one.orderMicros,
            targetAcos,
            basis: { term: one.basis },
          },
          forecast: null,
        },
      ]
    })
}

/** How sure it is that a search costs far more than it may; null where it is not sure enough, or spared. */
function wasteOf(
  { term, source, family, clicks, costMicros }: TermSums,
  targetAcos: number,
  estimates: Estimates,
  today: string,
) {
  if (term.isNegated || clicks < negative.leastClicks) return null
  const words = new Set(term.text.split(' '))
  if (family.brandWords.some(word => words.has(word))) return null
  const spareFrom = addDays(today, -negative.spareDays)
  if (term.days.some(({ day, orders }) => orders > 0 && day >= spareFrom)) return null
  const { rate, orderMicros } = estimates.ofTarget(source)
  const own = estimates.weigh(term.days, term.familyId, source.campaignId)
  const figures = { clicks, costMicros, effectiveClicks: own.clicks, orderMicros: Math.round(orderMicros), targetAcos }
  const basis = { text: term.text, effectiveOrders: own.orders, sourceRate: rate }
  const certainty = wasteFrom(figures, basis)
  return certainty === null ? null : { ...figures, certainty, basis }
}

/** How sure it is from logged evidence alone that a search costs far more than it may; null where it is not sure enough. */
export function wasteFrom(
  {
    clicks,
    costMicros,
    effectiveClicks,
    orderMicros,
    targetAcos,
  }: Record<'clicks' | 'costMicros' | 'effectiveClicks' | 'orderMicros' | 'targetAcos', number>,
  { effectiveOrders, sourceRate }: NonNullable<Basis['term']>,
): number | null {
  if (costMicros < 0.8 * orderMicros * targetAcos) return null
  const bad = costMicros / clicks / (orderMicros * negative.slack * targetAcos)
  const certainty = chanceBelow(bad, {
    shape: negative.priorOrders + effectiveOrders,
    clicks: negative.priorOrders / sourceRate + effectiveClicks,
  })
  return certainty > negative.certainty ? certainty : null
}

function harvestOf(
  { term, source, family, clicks, costMicros, orders, salesMicros }: TermSums,
  { currency, campaigns }: Facts,
  { targetAcos, highestBidMicros }: Settings,
  estimates: Estimates,
  { multiplier }: Aim,
  today: string,
): Decision[] {
  const home = term.isAsin ? family.productHome : family.keywordHome
  if (!home || term.isTargeted || term.isNegated || source.matchType === 'EXACT' || source.kind === 'product') return []
  // Most searches have none: nothing more is worked out for them.
  if (orders < harvest.leastReported) return []
  const worth = estimates.ofDays(term.days, source)
  const limits = campaigns.find(one => one.id === home.campaignId)?.limits
  if (!limits) return []
  const figures = {
    clicks,
    orders,
    costMicros,
    salesMicros,
    rate: worth.rate,
    orderMicros: Math.round(worth.orderMicros),
    worthMicros: Math.round(worth.worthMicros),
    multiplier,
    targetAcos,
  }
  const basis = {
    text: term.text,
    currency,
    shape: worth.shape,
    believedClicks: worth.clicks,
    // Of the last days not all orders are reported yet.
    pendingOrders: term.days.reduce(
      (sum, one) =>
        sum + one.clicks * (1 - estimates.shownOf(source.campaignId, daysBetween(one.day, today))) * worth.rate,
      0,
    ),
    highestBidMicros,
    profitMicros: worth.profitMicros === null ? null : Math.round(worth.profitMicros),
    minBidMicros: limits.minBidMicros,
    maxBidMicros: limits.maxBidMicros,
  }
  const found = harvestFrom(figures, basis)
  if (!found) return []
  const base = {
    kind: 'harvest' as const,
    groupId: `harvest ${term.adGroupId} ${term.text}`,
    entity: 'adGroup' as const,
    asks: false,
    cause: 'TERM_SELLS' as const,
    evidence: { ...figures, certainty: found.certainty, basis: { harvest: basis } },
    forecast: null,
  }
  // The negative in the source goes out only after the new target serves.
  return [
    { ...base, entityId: home.adGroupId, before: term.text, after: found.bidMicros },
    { ...base, kind: 'negative', entityId: term.adGroupId, before: null, after: term.text },
  ]
}

/** The bid of a search's own target by logged evidence alone, and how sure it is that it pays; null where it is not enough. */
export function harvestFrom(
  figures: Record<
    'clicks' | 'orders' | 'costMicros' | 'orderMicros' | 'worthMicros' | 'multiplier' | 'targetAcos',
    number
  >,
  basis: NonNullable<Basis['harvest']>,
): { bidMicros: number; certainty: number } | null {
  const { clicks, orders, costMicros, orderMicros, worthMicros, multiplier, targetAcos } = figures
  const { shape, believedClicks, highestBidMicros, minBidMicros } = basis
  if (orders < harvest.leastReported || orders + basis.pendingOrders < harvest.leastOrders) return null
  const paid = costMicros / clicks
  const certainty =
    1 - chanceBelow(paid / (harvest.slack * targetAcos * orderMicros), { shape, clicks: believedClicks })
  if (certainty <= harvest.certainty) return null
  const bid = Math.min(
    multiplier * worthMicros,
    harvest.mostOfPaid * paid,
    highestBidMicros ?? Infinity,
    basis.profitMicros ?? Infinity,
    basis.maxBidMicros,
  )
  const bidMicros = Math.max(minBidMicros, floorToUnit(bid, basis.currency))
  return highestBidMicros !== null && bidMicros > highestBidMicros ? null : { bidMicros, certainty }
}
