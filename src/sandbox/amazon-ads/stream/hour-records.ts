import { dayIn } from '#shared/time.ts'
import type { Profile } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import { type AdProduct, adProducts } from '../../market/market.ts'
import { budgetRecommendationRecords, budgetUsageRecords } from './datasets/budget-usage.ts'
import { diagnosticsRecords } from './datasets/diagnostics.ts'
import { deltasOf, type HourSum, performanceRecords, productOf } from './datasets/performance.ts'
import type { StreamRecord } from './datasets/record.ts'
import type { Subscription } from './subscription.ts'

/** A click's orders come within 30 days and are restated up to 28 days after; nothing changes later. */
const MOST_MS_BACK = 60 * 86_400_000

/**
 * Compares a profile's figures at two hours: a record for each change that concerns a subscription. Times are whole hours
 * in epoch milliseconds.
 */
export function hourRecords(
  world: World,
  profile: Profile,
  active: readonly Subscription[],
  [from, to]: readonly [number, number],
): { subscription: Subscription; records: StreamRecord[] }[] {
  const [before, after] = [new Date(from), new Date(to)]
  const hourly = active.filter(({ dataSetId }) => productOf(dataSetId))
  const since = new Date(Math.max(to - MOST_MS_BACK, Math.min(...hourly.map(subscription => subscription.since))))
  const deltas = new Map<AdProduct | undefined, HourSum[]>()
  for (const adProduct of adProducts)
    if (hourly.some(({ dataSetId }) => productOf(dataSetId) === adProduct)) {
      const changes = world.market().factChanges(profile.profileId, since, before, after, adProduct)
      deltas.set(adProduct, deltasOf(world.store, changes))
    }
  // Recommendations are about whole days, so they come once a day.
  const newDay = dayIn(before, profile.timezone) !== dayIn(after, profile.timezone)
  const recordsOf = ({ dataSetId, since }: Subscription): StreamRecord[] => {
    switch (dataSetId) {
      case 'budget-usage':
        return budgetUsageRecords(world, profile, before, after)
      case 'sp-budget-recommendations':
        return newDay ? budgetRecommendationRecords(world, profile, after) : []
      case 'sponsored-ads-campaign-diagnostics-recommendations':
        return newDay ? diagnosticsRecords(world, profile, after) : []
      default: {
        const own = deltas.get(productOf(dataSetId)) ?? []
        return performanceRecords(
          dataSetId,
          profile,
          own.filter(delta => delta.fact.at >= since),
          after,
        )
      }
    }
  }
  return active.map(subscription => ({ subscription, records: recordsOf(subscription) }))
}
