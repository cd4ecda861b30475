import { AppError } from '#shared/errors.ts'
import type { EndpointOutput, EndpointParsed } from '#shared/define-endpoint.ts'
import {
  addSums,
  derivedMetrics,
  type FigureSums,
  measuredMetrics,
  type MeasuredName,
  type MetricName,
  noSums,
  toFigures,
} from '#shared/metrics.ts'
import { addDays, dayIn, daysBetween, startOfDayIn } from '#shared/time.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { hourlyState, readHours } from '#features/metrics/server/public.ts'
import { idExists } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { countHours, HOURS_OF_WEEK, hourOfWeek, stretchesOf } from './clock.ts'
import { hourlyConfig } from '../../hourly-config.ts'
import type { hourlyEndpoints as endpoints } from '../../hourly-contract.ts'
import { readWeek } from './read-week.ts'

export type HourlyQuery = EndpointParsed<(typeof endpoints)['heatmap']>['query']
type Heatmap = EndpointOutput<(typeof endpoints)['heatmap']>

const HOUR_MS = 3_600_000
const DAYS = 30

/**
 * The hours of the week of the current account or of one of its campaigns. Hours from before the marketplace sent any are
 * not there, and do not count as hours without a click. Throws NOT_FOUND when the account has no such campaign.
 */
export function readHeatmap(ctx: Ctx, query: HourlyQuery): Promise<Heatmap> {
  const { metric, clock, campaignId } = query
  return readAccount(ctx, async (tx, profile) => {
    if (campaignId !== undefined && !(await idExists(tx, 'campaign', profile, campaignId)))
      throw new AppError('NOT_FOUND', 'There is no such campaign.')
    const dateTo = query.dateTo ?? dayIn(ctx.clock.now(), profile.timezone)
    const dateFrom = query.dateFrom ?? addDays(dateTo, 1 - DAYS)
    const timezone = clock === 'USER' ? (query.timezone ?? profile.timezone) : profile.timezone
    const { since, asOf } = await hourlyState(tx, profile)
    const settledTo = asOf && new Date(asOf.getTime() - hourlyConfig.unsettledHours * HOUR_MS)
    const until = hasOrders(metric) ? settledTo : asOf
    const read = (to: Date | null) =>
      readWeekSums(tx, profile, { dateFrom, dateTo, shown: timezone, since, until: to, campaignId })
    const week = await read(until)
    const settled = until === settledTo ? week : await read(settledTo)
    return {
      currency: profile.currency,
      metric,
      dateFrom,
      dateTo,
      clock,
      timezone,
      since: since?.toISOString() ?? null,
      asOf: asOf?.toISOString() ?? null,
      countedUntil: until?.toISOString() ?? null,
      collected: { days: collectedDays(since, asOf, profile.timezone), needed: hourlyConfig.neededDays },
      minClicks: hourlyConfig.minClicks,
      cells: week.hours.map((hour, index) => cellOf(hour, index, metric)),
      totals: toFigures(addSums(week.hours.map(hour => hour.sums))),
      findings: readWeek(
        settled.hours.map(({ sums: { clicks, orders, costMicros, salesMicros } }) => ({
          clicks,
          orders,
          cost: costMicros,
          sales: salesMicros,
        })),
        settled.days,
      ).map(({ weekdays, ...finding }) => ({ ...finding, weekdays: weekdays.map(weekday => weekday + 1) })),
    }
  })
}

/** Whether a metric is one of orders, or worked out from one. */
function hasOrders(metric: MetricName): boolean {
  const parts: readonly MeasuredName[] =
    metric in derivedMetrics ? derivedMetrics[metric as keyof typeof derivedMetrics].formula : [metric as MeasuredName]
  return parts.some(name => measuredMetrics[name].isAttributed)
}

// Days of which every hour was received; the day on which it began is none.
function collectedDays(since: Date | null, asOf: Date | null, timezone: string): number {
  if (!since || !asOf) return 0
  const begun = dayIn(since, timezone)
  const first = startOfDayIn(begun, timezone).getTime() === since.getTime() ? begun : addDays(begun, 1)
  return Math.max(0, daysBetween(first, dayIn(asOf, timezone)))
}

interface WeekRange {
  dateFrom: string
  dateTo: string
  shown: string
  since: Date | null
  until: Date | null
  campaignId: number | undefined
}

interface Hour {
  sums: FigureSums
  days: number
  times: number
}

/** The sums of each hour of the week on the shown clock, and how many days there are any of. */
async function readWeekSums(tx: Db, profile: Profile, range: WeekRange): Promise<{ hours: Hour[]; days: number }> {
  const { dateFrom, shown, since, until, campaignId } = range
  const { timezone } = profile
  const empty = (): Hour[] => Array.from({ length: HOURS_OF_WEEK }, () => ({ sums: { ...noSums }, days: 0, times: 0 }))
  if (!since || !until || since >= until) return { hours: empty(), days: 0 }
  const [begun, ended] = [dayIn(since, timezone), dayIn(until, timezone)]
  const from = dateFrom > begun ? dateFrom : begun
  const to = range.dateTo < ended ? range.dateTo : ended
  if (from > to) return { hours: empty(), days: 0 }
  const stretches = stretchesOf({ from, to, timezone, shown, since, until })
  const counts = countHours(stretches)
  const hours = counts.map(count => ({ ...count, sums: { ...noSums } }))
  for (const { range: index, weekday, hour, ...sums } of await readHours(tx, profile, stretches, campaignId)) {
    // An hour that happened twice has one sum; it is shown where the first of the two is.
    const real = stretches[index]?.hours.find(one => one.hour === hour)
    const target = real && hours[hourOfWeek(weekday, real.place)]
    if (target) target.sums = addSums([target.sums, sums])
  }
  return { hours, days: Math.max(0, ...counts.map(count => count.days)) * 7 }
}

function cellOf({ sums, days, times }: Hour, index: number, metric: MetricName): Heatmap['cells'][number] {
  const figures = toFigures(sums)
  const value = times > 0 ? figures[metric] : null
  return {
    weekday: Math.floor(index / 24) + 1,
    hour: index % 24,
    value,
    perHour: metric in measuredMetrics && value !== null ? value / times : null,
    ...figures,
    days,
    times,
    isThin: figures.clicks < hourlyConfig.minClicks,
  }
}
