import { lastDays } from '../engine/days.ts'
import { estimate } from '../engine/estimate.ts'
import type { Facts } from '../engine/facts.ts'
import type { Settings } from '../engine/settings.ts'
import { worstClick } from '../engine/stays.ts'
import type { Decided } from './decisions.ts'

/** One click may cost so many times what it earns before anybody is asked; the mean click costs far less than the worst one. */
const tooDear = 2
/** The part of a campaign's spend that must go to such clicks. */
const leastShare = 0.5
const spendDays = 30

/**
 * Campaigns whose strategy may double each bid, where most of the money goes to targets of which one click may then cost more than
 * twice what it earns (without known costs: what it may cost at the target). It is proposed that their bids only go down. Bids
 * themselves are kept at what a click earns by the engine; this is what the marketplace may add to them.
 */
export function findDearClicks(facts: Facts, { targetAcos }: Settings, today: string): Decided[] {
  const doubling = facts.campaigns.filter(
    one => one.strategyRaise === 1 && one.costType === 'CPC' && one.rules.length === 0,
  )
  if (!doubling.length) return []
  const estimates = estimate(facts, today)
  return doubling.flatMap((campaign): Decided[] => {
    const own = facts.targets
      .filter(one => one.campaignId === campaign.id && one.isEnabled)
      .map(target => {
        const { profitMicros, worthMicros } = estimates.ofTarget(target)
        const days = lastDays(target.days, today, spendDays)
        return {
          familyId: target.familyId,
          worthMicros,
          worstMicros: worstClick(target.bidMicros, campaign),
          mayCostMicros: profitMicros ?? worthMicros * targetAcos,
          costMicros: days.reduce((sum, one) => sum + one.costMicros, 0),
          clicks: days.reduce((sum, one) => sum + one.clicks, 0),
        }
      })
    const sum = (list: typeof own, read: (one: (typeof own)[number]) => number): number =>
      list.reduce((total, one) => total + read(one), 0)
    const dear = own.filter(one => one.worstMicros > tooDear * one.mayCostMicros)
    const costMicros = sum(dear, one => one.costMicros)
    const [worst] = dear.toSorted((a, b) => b.costMicros - a.costMicros)
    if (!worst || costMicros === 0 || costMicros < leastShare * sum(own, one => one.costMicros)) return []
    return [
      {
        kind: 'strategy',
        cause: 'CLICK_TOO_DEAR',
        groupId: `strategy ${campaign.id}`,
        entity: 'campaign',
        entityId: campaign.id,
        before: 'SALES_UP_AND_DOWN',
        after: 'SALES_DOWN_ONLY',
        asks: true,
        evidence: {
          clicks: sum(dear, one => one.clicks),
          costMicros,
          worthMicros: Math.round(worst.worthMicros),
          margin: estimates.family(worst.familyId).margin,
          worstClickMicros: Math.round(worst.worstMicros),
          targetAcos,
        },
        forecast: null,
      },
    ]
  })
}
