import { sql } from 'kysely'
import type { Owner } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import { type FigureSums, noSums } from '#shared/metrics.ts'
import { addDays, dayIn, startOfDayIn } from '#shared/time.ts'
import type { Version } from '../../settling.ts'
import { columnNames, figuresOf, metricColumns } from './metric-columns.ts'
import type { Covered } from './replace-days.ts'

/** Settled days older than this teach nothing new. */
const retainedDays = 120

type Seen = FigureSums & { date: string; seenAt: Date }

/**
 * Keeps what a pull showed of each day that it covers, days without figures left out, as of the moment of its request: a new revision where a day
 * differs from the one before, else the time until which that one was still reported. In the caller's transaction.
 */
export async function saveRevisions(
  tx: Db,
  owner: Owner,
  { from, to, adType }: Covered,
  shown: ReadonlyMap<string, FigureSums>,
  seenAt: Date,
): Promise<void> {
  const latest = new Map((await latestRevisions(tx, owner, from, to, adType)).map(seen => [seen.date, seen]))
  const changed: [date: string, sums: FigureSums][] = []
  const unchanged: Seen[] = []
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const [sums, before] = [shown.get(date) ?? noSums, latest.get(date)]
    if (before && isEqual(before, sums)) unchanged.push(before)
    else if (before || !isEqual(noSums, sums)) changed.push([date, sums])
  }
  await sql`update day_revision r set last_seen_at = greatest(last_seen_at, ${seenAt})
    from unnest(${unchanged.map(one => one.date)}::date[], ${unchanged.map(one => one.seenAt)}::timestamptz[]) u(date, seen_at)
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and ad_type = ${adType}
      and r.date = u.date and r.seen_at = u.seen_at`.execute(tx)
  const sums = metricColumns.map(({ field }) => sql`${changed.map(([, values]) => values[field])}::bigint[]`)
  // A report that is applied again after a crash is the same one.
  await sql`insert into day_revision (merchant_id, profile_id, ad_type, seen_at, last_seen_at, date, ${columnNames})
    select ${owner.merchantId}::bigint, ${owner.profileId}::bigint, ${adType}, ${seenAt}::timestamptz, ${seenAt}::timestamptz, u.*
    from unnest(${changed.map(([date]) => date)}::date[], ${sql.join(sums)}) u
    on conflict (merchant_id, profile_id, date, ad_type, seen_at) do update
      set (${columnNames}) = (${sql.raw(metricColumns.map(({ column }) => `excluded.${column}`).join(', '))})`.execute(
    tx,
  )
}

const isEqual = (a: FigureSums, b: FigureSums): boolean => metricColumns.every(({ field }) => a[field] === b[field])

/** What was shown last of each day that was ever pulled, and since when; of one ad type. */
async function latestRevisions(tx: Db, owner: Owner, from: string, to: string, adType: AdType): Promise<Seen[]> {
  const { rows } = await sql<Seen>`select distinct on (date) date, seen_at as "seenAt", ${figuresOf('r')}
    from day_revision r where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId}
      and ad_type = ${adType} and date between ${from} and ${to} order by date, seen_at desc`.execute(tx)
  return rows
}

/** All versions of an account's days, both included, with their ages. */
export async function versionsOf(
  tx: Db,
  { merchantId, profileId, timezone }: Owner & { timezone: string },
  from: string,
  to: string,
): Promise<Version[]> {
  interface Row extends FigureSums {
    adType: AdType
    date: string
    seenAt: Date
    lastSeenAt: Date
  }
  const { rows } = await sql<Row>`select ad_type as "adType", date, seen_at as "seenAt", last_seen_at as "lastSeenAt",
      ${figuresOf('r')} from day_revision r
    where merchant_id = ${merchantId} and profile_id = ${profileId} and date between ${from} and ${to}`.execute(tx)
  const ageOn = agesBy(timezone)
  return rows.map(({ adType, date, seenAt, lastSeenAt, ...sums }) => ({
    adType,
    date,
    fromAge: ageOn(date, seenAt),
    toAge: ageOn(date, lastSeenAt),
    sums,
  }))
}

/**
 * What the stream showed of an account's whole days, both included: a version for every few hours in which something changed, and the
 * last one until the hourly figures' own age. Days before the subscription are missing.
 */
export async function streamedVersionsOf(
  tx: Db,
  { merchantId, profileId, timezone }: Owner & { timezone: string },
  from: string,
  to: string,
): Promise<Version[]> {
  interface Row extends FigureSums {
    adType: AdType
    date: string
    sentAt: Date
    until: Date | null
    hourlyFrom: Date
    asOf: Date
  }
  const added = sql.raw(
    metricColumns.map(({ column, field }) => `(sum(d.${column}) over earlier)::float8 as "${field}"`).join(', '),
  )
  const { rows } = await sql<Row>`select d.ad_type as "adType", d.date, d.sent_at as "sentAt", ${added},
      lead(d.sent_at) over earlier as until, s.hourly_from as "hourlyFrom", s.hourly_as_of as "asOf"
    from day_delta d join metrics_state s on s.merchant_id = ${merchantId} and s.profile_id = ${profileId}
    where d.merchant_id = ${merchantId} and d.profile_id = ${profileId} and d.date between ${from} and ${to}
      and s.hourly_as_of is not null
    window earlier as (partition by d.ad_type, d.date order by d.sent_at)`.execute(tx)
  const ageOn = agesBy(timezone)
  return rows.flatMap(({ adType, date, sentAt, until, hourlyFrom, asOf, ...sums }) => {
    if (date <= dayIn(hourlyFrom, timezone)) return []
    const [fromAge, last] = [ageOn(date, sentAt), ageOn(date, asOf)]
    const toAge = until ? ageOn(date, until) - 1 : last
    return [{ adType, date, fromAge, toAge: Math.max(fromAge, toAge), sums }]
  })
}

/** How many hours after the end of a day a moment is, which is negative within the day. */
function agesBy(timezone: string): (date: string, at: Date) => number {
  const ends = new Map<string, number>()
  return (date, at) => {
    const end = ends.get(date) ?? startOfDayIn(addDays(date, 1), timezone).getTime()
    ends.set(date, end)
    return (at.getTime() - end) / 3_600_000
  }
}

/** Deletes the revisions of days that settled long ago. */
export async function deleteOldRevisions(system: Db, now: Date): Promise<void> {
  for (const table of ['day_revision', 'day_delta'])
    await sql`delete from ${sql.table(table)} where date < ${now}::date - ${retainedDays}::int`.execute(system)
}
