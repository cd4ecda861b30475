import { addDays, dayIn } from '#shared/time.ts'
import type { Profile } from '../../core/model.ts'
import type { World } from '../../core/world.ts'
import { deltasOf, hasConversions, hasTraffic, type HourSum, hourSums } from './hour-sums.ts'
import { budgetRecord, conversionRecord, type StreamRecord, trafficRecord } from './stream-records.ts'
import type { Subscription } from './subscription.ts'

const MOST_DAYS_BACK = 31
/** Budget usage is told at each twentieth. */
const BUDGET_STEPS = 20

/** Finds out what became known of profiles from one hour to another. */
export interface HourTeller {
  /** Gives `put` a record for each change that concerns a subscription; times are whole hours in epoch milliseconds. */
  tell(
    profile: Profile,
    active: readonly Subscription[],
    from: number,
    to: number,
    put: (subscription: Subscription, record: StreamRecord) => void,
  ): void
  /** Forgets what it remembers to be quick; needed when the world goes back. */
  forget(): void
}

export const createHourTeller = (world: World): HourTeller => {
  const lastSums = new Map<number, { fromDay: string; asOf: number; sums: Map<string, HourSum> }>()

  const changesOf = (profile: Profile, since: number, from: number, to: number): HourSum[] => {
    const toDay = dayIn(new Date(to), profile.timezone)
    const earliest = addDays(toDay, -MOST_DAYS_BACK)
    const firstDay = dayIn(new Date(since), profile.timezone)
    const fromDay = firstDay > earliest ? firstDay : earliest
    const last = lastSums.get(profile.profileId)
    const before =
      last?.asOf === from && last.fromDay === fromDay
        ? last.sums
        : hourSums(world, profile, fromDay, toDay, new Date(from))
    const after = hourSums(world, profile, fromDay, toDay, new Date(to))
    lastSums.set(profile.profileId, { fromDay, asOf: to, sums: after })
    return deltasOf(before, after)
  }

  const budgetsOf = (profile: Profile, from: number, to: number): StreamRecord[] =>
    [...world.books.campaigns.values()].flatMap(campaign => {
      if (campaign.profileId !== profile.profileId || campaign.state === 'ARCHIVED') return []
      const shareAt = (at: number) => world.market().budgetUsage(campaign.campaignId, new Date(at)).share
      const [before, after] = [shareAt(from), shareAt(to)]
      if (Math.floor(before * BUDGET_STEPS) === Math.floor(after * BUDGET_STEPS)) return []
      return [budgetRecord(profile, campaign, after, new Date(to))]
    })

  const recordsOf = ({ dataSetId, since }: Subscription, profile: Profile, deltas: HourSum[], asOf: Date) => {
    const own = deltas.filter(delta => delta.hour.getTime() >= since)
    if (dataSetId === 'sp-traffic')
      return own.filter(hasTraffic).map(delta => trafficRecord(world.books, profile, delta, asOf))
    return own.filter(hasConversions).map(delta => conversionRecord(profile, delta, asOf))
  }

  return {
    tell(profile, active, from, to, put) {
      const since = Math.min(...active.map(subscription => subscription.since))
      const hourly = active.some(subscription => subscription.dataSetId !== 'budget-usage')
      const deltas = hourly ? changesOf(profile, since, from, to) : []
      for (const subscription of active) {
        const records =
          subscription.dataSetId === 'budget-usage'
            ? budgetsOf(profile, from, to)
            : recordsOf(subscription, profile, deltas, new Date(to))
        for (const record of records) put(subscription, record)
      }
    },
    forget: () => lastSums.clear(),
  }
}
