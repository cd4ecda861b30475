import { floorToUnit } from '#shared/money.ts'
import { addDays, daysBetween } from '#shared/time.ts'
import { chanceBelow, type Estimates, shownAt } from './estimate.ts'
import type { Decision, Facts, FamilyFacts, Settings, TargetFacts, TermFacts } from './model.ts'
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
const harvest = { leastOrders: 2, slack: 1.3, certainty: 0.6, mostOfPaid: 1.7 }

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
  const from = addDays(today, -windowDays)
  return facts.terms.flatMap(term => {
    const source = targets.get(term.targetId)
    if (!source) return []
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
  const harvests = free.flatMap(one => harvestOf(one, facts, settings, estimates, aim, today))
  return [...harvests, ...negativesOf(free, facts, settings, estimates, today)]
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
            orderMicros: Math.round(one.orderMicros),
            targetAcos,
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
  if (costMicros < 0.8 * orderMicros * targetAcos) return null
  const own = estimates.weigh(term.days, term.familyId)
  const bad = costMicros / clicks / (orderMicros * negative.slack * targetAcos)
  const certainty = chanceBelow(bad, {
    shape: negative.priorOrders + own.orders,
    clicks: negative.priorOrders / rate + own.clicks,
  })
  return certainty > negative.certainty ? { certainty, orderMicros, effectiveClicks: own.clicks } : null
}

function harvestOf(
  { term, source, family, clicks, costMicros, orders, salesMicros }: TermSums,
  { currency, campaigns, shown }: Facts,
  { targetAcos, highestBidMicros }: Settings,
  estimates: Estimates,
  { multiplier }: Aim,
  today: string,
): Decision[] {
  const home = term.isAsin ? family.productHome : family.keywordHome
  if (!home || term.isTargeted || term.isNegated || source.matchType === 'EXACT' || source.kind === 'product') return []
  const worth = estimates.ofDays(term.days, source)
  // Of the last days not all orders are reported yet.
  const pending = term.days.reduce(
    (sum, one) => sum + one.clicks * (1 - shownAt(shown, daysBetween(one.day, today))) * worth.rate,
    0,
  )
  if (orders < 1 || orders + pending < harvest.leastOrders) return []
  const paid = costMicros / clicks
  const least = paid / (harvest.slack * targetAcos * worth.orderMicros)
  const certainty = 1 - chanceBelow(least, worth)
  if (certainty <= harvest.certainty) return []
  const limits = campaigns.find(one => one.id === home.campaignId)?.limits
  if (!limits) return []
  const bid = Math.min(
    multiplier * worth.worthMicros,
    harvest.mostOfPaid * paid,
    highestBidMicros ?? Infinity,
    worth.profitMicros ?? Infinity,
    limits.maxBidMicros,
  )
  const bidMicros = Math.max(limits.minBidMicros, floorToUnit(bid, currency))
  if (highestBidMicros !== null && bidMicros > highestBidMicros) return []
  const groupId = `harvest ${term.adGroupId} ${term.text}`
  const evidence = {
    clicks,
    orders,
    costMicros,
    salesMicros,
    rate: worth.rate,
    certainty,
    orderMicros: Math.round(worth.orderMicros),
    worthMicros: Math.round(worth.worthMicros),
    multiplier,
    targetAcos,
  }
  const base = {
    kind: 'harvest' as const,
    groupId,
    entity: 'adGroup' as const,
    asks: false,
    cause: 'TERM_SELLS' as const,
    evidence,
    forecast: null,
  }
  // The negative in the source goes out only after the new target serves.
  return [
    { ...base, entityId: home.adGroupId, before: term.text, after: bidMicros },
    { ...base, kind: 'negative', entityId: term.adGroupId, before: null, after: term.text },
  ]
}
