import { type RawBuilder, sql } from 'kysely'
import { isOfAdType, type Owner } from '#features/structure/server/public.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Db } from '#server/db/tables.ts'
import type { FigureSums } from '#shared/metrics.ts'
import type { Micros } from '#shared/money.ts'
import { columnTotals, figuresOf, figureSums, metricColumns } from './metric-columns.ts'
import { type RangeOptions, type Summed, summedDays, summedRange, summedTotals } from './running-sums.ts'
import type { DaySums } from './settling.ts'

const ownedBy = ({ merchantId, profileId }: Owner) => sql`merchant_id = ${merchantId} and profile_id = ${profileId}`

/** The sums of accounts: a row for every day of the range, zeros where nothing happened. */
export function profileDays(
  tx: Db,
  merchantId: number,
  profileIds: readonly number[],
  from: string,
  to: string,
): Promise<DaySums[]> {
  return everyDay(tx, summedDays('profile', merchantId, profileIds, from, to), from, to, true)
}

/**
 * Some entities: a subquery of the ids of a few, or one of all that were ever shown, by `key`, and which of them are meant,
 * `is_in`.
 */
type Some = RawBuilder<unknown> | { shown: RawBuilder<unknown> }

/** The same of some campaigns; of all when null. */
export async function campaignDays(tx: Db, owner: Owner, campaigns: Some | null, from: string, to: string) {
  if (!campaigns) return profileDays(tx, owner.merchantId, [owner.profileId], from, to)
  await addAsRead(tx, campaigns)
  return everyDay(tx, daysOf('campaign', owner, campaigns, from, to), from, to)
}

/** The same of some ad groups; of all when null. */
export async function adGroupDays(tx: Db, owner: Owner, adGroups: Some | null, from: string, to: string) {
  if (adGroups) await addAsRead(tx, adGroups)
  const days = adGroups
    ? daysOf('adGroup', owner, adGroups, from, to)
    : summedDays('profileAdGroups', owner.merchantId, [owner.profileId], from, to)
  return everyDay(tx, days, from, to)
}

/**
 * Of many entities the planner expects few rows, and where they lie in several months it sorts them all, on disk, before it
 * adds them up. For the rest of the transaction it sorts only what has to be in order. On a server, where each statement of a
 * reading is on its own, this changes nothing; it sorts in memory there.
 */
async function addAsRead(tx: Db, some: Some): Promise<void> {
  if ('shown' in some) await sql`select set_config('enable_sort', 'off', true)`.execute(tx)
}

const daily = {
  campaign: { table: 'campaign_day', key: 'campaign_id', all: 'profile' },
  adGroup: { table: 'ad_group_day', key: 'ad_group_id', all: 'profileAdGroups' },
} as const

/** A subquery of the sums of some entities by `date`. */
function daysOf(what: keyof typeof daily, owner: Owner, some: Some, from: string, to: string): RawBuilder<unknown> {
  const { table, key, all } = daily[what]
  const rows = sql`${sql.table(table)} where ${ownedBy(owner)} and date between ${from} and ${to}`
  if (!('shown' in some))
    return sql`(select date, ${columnTotals} from ${rows} and ${sql.ref(key)} in (${some}) group by date)`
  // Of the one part of the account and the other, the smaller is added up: the larger is what it leaves of the whole.
  return sql`(with k as materialized (${some.shown}),
      c as materialized (select count(*) filter (where is_in) * 2 <= count(*) as is_smaller from k),
      part as materialized (select date, ${columnTotals} from ${rows}
        and ${sql.ref(key)} = any(array(select key from k cross join c where is_in = is_smaller)) group by date)
    select a.date, ${differences} from ${summedDays(all, owner.merchantId, [owner.profileId], from, to)} a
      cross join c left join part p on p.date = a.date)`
}

const differences = sql.raw(
  metricColumns
    .map(({ column }) => {
      const part = `coalesce(p.${column}, 0)`
      return `case when c.is_smaller then ${part} else a.${column} - ${part} end as ${column}`
    })
    .join(', '),
)

async function everyDay(
  tx: Db,
  days: RawBuilder<unknown>,
  from: string,
  to: string,
  isPrepared = false,
): Promise<DaySums[]> {
  // Summed within the range first and joined with its days after: the other way round every stored day is read.
  const { rows } = await sql<DaySums>`${isPrepared ? prepared : sql``}select d.date::date as date, ${figuresOf('f')}
    from generate_series(${from}::date, ${to}::date, interval '1 day') as d(date)
    left join ${days} f on f.date = d.date::date order by d.date`.execute(tx)
  return rows
}

/** A row for each of these accounts that has figures in the range. */
export async function profileBreakdown(
  tx: Db,
  accounts: readonly Owner[],
  from: string,
  to: string,
): Promise<(FigureSums & { profileId: number })[]> {
  if (!accounts.length) return []
  const ofMerchant = ([merchantId, own]: [number, Owner[]]) => {
    const profileIds = own.map(({ profileId }) => profileId)
    return sql`(select f.profile_id as "profileId", ${figuresOf('f')}
      from ${summedDays('profile', merchantId, profileIds, from, to, 'profile_id')} f)`
  }
  const byMerchant = [...Map.groupBy(accounts, ({ merchantId }) => merchantId)]
  // Each merchant is named on its own: no server has the figures of all.
  const { rows } = await sql<
    FigureSums & { profileId: number }
  >`${sql.join(byMerchant.map(ofMerchant), sql` union all `)}`.execute(tx)
  return rows
}

const summed = {
  profile: ['profile'],
  profileAdGroups: ['profileAdGroups'],
  campaign: ['campaign'],
  adGroup: ['adGroup'],
  target: ['keyword', 'target'],
  keyword: ['keyword'],
  otherTarget: ['target'],
  ad: ['ad'],
} as const satisfies Record<string, readonly Summed[]>

/**
 * A subquery to join with (alias it): one row for each entity, `key` and the sum of every metric column over the days,
 * both included. Entities without figures are missing. Targets are keywords and all others. Of few entities pass their
 * `keys`: a condition on the subquery's rows is met only after all were summed.
 */
export const figuresBy = (
  what: keyof typeof summed,
  owner: Owner,
  from: string,
  to: string,
  options?: RangeOptions,
): RawBuilder<unknown> => summedRange(summed[what], owner, { from, to }, options)

// All of an account together, which is summed up already.
const whole: Partial<Record<keyof typeof summed, readonly Summed[]>> = {
  campaign: ['profile'],
  adGroup: ['profileAdGroups'],
  target: ['profileKeywords', 'profileTargets'],
  keyword: ['profileKeywords'],
  otherTarget: ['profileTargets'],
  ad: ['profileAds'],
}

/** A subquery of one row: every metric column summed over the days and over all entities, or over those whose key passes. */
export function totalsOf(
  what: keyof typeof summed,
  owner: Owner,
  from: string,
  to: string,
  passes?: (key: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return summedTotals((!passes && whole[what]) || summed[what], owner, { from, to, ...(passes && { passes }) })
}

/**
 * Clicks, orders and sales of the ads of products in Sponsored Products over days, both included; products without figures
 * are missing.
 */
export async function productFigures(tx: Db, owner: Owner, asins: readonly string[], from: string, to: string) {
  const { rows } = await sql<{ asin: string; clicks: number; orders: number; salesMicros: Micros }>`
    select asin, sum(clicks)::float8 as clicks, sum(orders)::float8 as orders, sum(sales_micros)::float8 as "salesMicros"
    from ad_day where ${ownedBy(owner)} and ${isOfAdType(owner, 'ad', sql.ref('ad_id'), 'SPONSORED_PRODUCTS')} and asin = any(${asins}::text[]) and date between ${from} and ${to}
    group by asin`.execute(tx)
  return rows
}

/** What a campaign brought in each place of its ads over days, both included, the dearest first; only places with figures. */
export async function figuresByPlace(tx: Db, owner: Owner, campaignId: number, from: string, to: string) {
  const { rows } = await sql<FigureSums & { place: string }>`
    select placement as place, ${figureSums} from placement_day
    where ${ownedBy(owner)} and campaign_id = ${campaignId} and date between ${from} and ${to}
    group by placement having sum(impressions) > 0 or sum(clicks) > 0 or sum(cost_micros) > 0 or sum(orders) > 0
    order by sum(cost_micros) desc, placement`.execute(tx)
  return rows
}
