import { TZDate } from '@date-fns/tz'
import type { Profile } from '../../core/model.ts'
import type { World } from '../../core/world.ts'
import type { Fact } from '../../market/market.ts'
import { reportFact, type Window, windows, type WindowSum } from '../reports/report-line.ts'

/** What one ad, target and placement did in one hour, as known at some moment. */
export interface HourSum {
  fact: Fact
  /** The beginning of the hour. */
  hour: Date
  impressions: number
  clicks: number
  costMicros: number
  windows: Record<Window, WindowSum>
}

const startOf = (fact: Fact, timezone: string): Date => {
  const [year = 0, month = 1, day = 1] = fact.day.split('-').map(Number)
  return new Date(new TZDate(year, month - 1, day, fact.hour, 0, 0, 0, timezone).getTime())
}

const noSum = (): WindowSum => ({
  orders: 0,
  units: 0,
  salesMicros: 0,
  sameOrders: 0,
  sameUnits: 0,
  sameSalesMicros: 0,
})

const noWindows = (): HourSum['windows'] => ({ d1: noSum(), d7: noSum(), d14: noSum(), d30: noSum() })

const fields = ['orders', 'units', 'salesMicros', 'sameOrders', 'sameUnits', 'sameSalesMicros'] as const

/** Sums of the days by ad, target, placement and hour, as the marketplace knew them at `asOf`. */
export const hourSums = (
  world: World,
  profile: Profile,
  fromDay: string,
  toDay: string,
  asOf: Date,
): Map<string, HourSum> => {
  const sums = new Map<string, HourSum>()
  for (const fact of world.market().facts(profile.profileId, fromDay, toDay, asOf)) {
    const key = `${fact.adId}|${fact.targetId}|${fact.placement}|${fact.day}|${fact.hour}`
    let sum = sums.get(key)
    if (!sum) {
      const hour = startOf(fact, profile.timezone)
      sums.set(key, (sum = { fact, hour, impressions: 0, clicks: 0, costMicros: 0, windows: noWindows() }))
    }
    sum.impressions += fact.impressions
    sum.clicks += fact.clicks
    sum.costMicros += fact.costMicros
    const line = reportFact(world.books, profile, fact)
    for (const window of windows) for (const field of fields) sum.windows[window][field] += line.windows[window][field]
  }
  return sums
}

/** What changed from one state of knowledge to the next: hours that are new, and corrections, which may be negative. */
export const deltasOf = (before: ReadonlyMap<string, HourSum>, after: ReadonlyMap<string, HourSum>): HourSum[] => {
  const deltas: HourSum[] = []
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(key), after.get(key)]
    const shape = now ?? old
    if (!shape) continue
    const delta: HourSum = {
      ...shape,
      impressions: (now?.impressions ?? 0) - (old?.impressions ?? 0),
      clicks: (now?.clicks ?? 0) - (old?.clicks ?? 0),
      costMicros: (now?.costMicros ?? 0) - (old?.costMicros ?? 0),
      windows: noWindows(),
    }
    for (const window of windows)
      for (const field of fields)
        delta.windows[window][field] = (now?.windows[window][field] ?? 0) - (old?.windows[window][field] ?? 0)
    deltas.push(delta)
  }
  return deltas
}

export const hasTraffic = (delta: HourSum): boolean =>
  delta.impressions !== 0 || delta.clicks !== 0 || delta.costMicros !== 0

export const hasConversions = (delta: HourSum): boolean =>
  windows.some(window => fields.some(field => delta.windows[window][field] !== 0))
