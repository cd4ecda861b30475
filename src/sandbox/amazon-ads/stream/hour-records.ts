import { dayIn } from '#shared/time.ts'
import type { Profile } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import { type AdProduct, adProducts } from '../../market/market.ts'
import { budgetRecommendationRecords } from './datasets/budget-usage.ts'
import { budgetUsageRecords } from './datasets/budget-usage.ts'
import { diagnosticsRecords } from './datasets/diagnostics.ts'
import { performanceRecords, productOf } from './datasets/performance.ts'
import type { StreamRecord } from './datasets/record.ts'
import { deltasOf, type HourSum } from './hour-sums.ts'
import type { Subscription } from './subscription.ts'

/** A click's orders come within 30 days and are restated up to 28 days after; nothing changes later. */
const MOST_MS_BACK = 60 * 86_400_000

export type Put = (subscription: Subscription, record: StreamRecord) => void

/**
 * Compares a profile's figures at two hours and calls `put` with a record for each change that
 * concerns a subscription. Times are whole hours in epoch milliseconds.
 */
export function emitHours(
  world: World,
  profile: Profile,
  active: readonly Subscription[],
  [from, to]: readonly [number, number],
  put: Put,
): void {
  const [before, after] = [new Date(from), new Date(to)]
  const hourly = active.filter(({ dataSetId }) => productOf(dataSetId))
  const since = Math.max(to - MOST_MS_BACK, Math.min(...hourly.map(subscription => subscription.since)))
  const deltas = new Map<AdProduct, HourSum[]>()
  for (const adProduct of adProducts)
    if (hourly.some(({ dataSetId }) => productOf(dataSetId) === adProduct)) {
      const changes = world.market().factChanges(profile.profileId, new Date(since), before, after, adProduct)
      deltas.set(adProduct, deltasOf(world.store, changes))
    }
  // Recommendations are about whole days, so they come once a day.
  const newDay = dayIn(before, profile.timezone) !== dayIn(after, profile.timezone)
  const recordsOf = ({ dataSetId, since }: Subscription): StreamRecord[] => {
    if (dataSetId === 'budget-usage') return budgetUsageRecords(world, profile, before, after)
    if (dataSetId === 'sp-budget-recommendations')
      return newDay ? budgetRecommendationRecords(world, profile, after) : []
    if (dataSetId === 'sponsored-ads-campaign-diagnostics-recommendations')
      return newDay ? diagnosticsRecords(world, profile, after) : []
    const adProduct = productOf(dataSetId)
    const own = (adProduct ? (deltas.get(adProduct) ?? []) : []).filter(delta => delta.fact.at >= since)
    return performanceRecords(dataSetId, profile, own, after)
  }
  for (const subscription of active) for (const record of recordsOf(subscription)) put(subscription, record)
}
