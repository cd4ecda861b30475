import { addDays, dayIn } from '#shared/time.ts'
import type { Profile } from '../core/model.ts'
import type { World } from '../core/world.ts'

export interface Figures {
  impressions: number
  clicks: number
  costMicros: number
  orders: number
  salesMicros: number
}

const none = (): Figures => ({ impressions: 0, clicks: 0, costMicros: 0, orders: 0, salesMicros: 0 })

/** Figures of the last so many days, today included, by campaign id (7-day attribution); '' holds their sum. */
export const figuresOf = (world: World, profile: Profile, days: number): Map<string, Figures> => {
  const now = world.clock.now()
  const today = dayIn(now, profile.timezone)
  const sums = new Map<string, Figures>([['', none()]])
  for (const fact of world.market().facts(profile.profileId, addDays(today, 1 - days), today, now)) {
    let sum = sums.get(fact.campaignId)
    if (!sum) sums.set(fact.campaignId, (sum = none()))
    for (const one of [sum, sums.get('') as Figures]) {
      one.impressions += fact.impressions
      one.clicks += fact.clicks
      one.costMicros += fact.costMicros
      one.orders += fact.orders.d7
      one.salesMicros += fact.salesMicros.d7
    }
  }
  return sums
}
