import { type RawBuilder, sql } from 'kysely'
import { columnTotals } from './metric-columns.ts'

interface Owner {
  merchantId: number
  profileId: number
}

/**
 * A subquery to join with (alias it): one row for each search term of each ad group, with `ad_group_id`, `campaign_id`,
 * `search_term`, the sum of every metric column over the days, both included, and
 * `settled_clicks`, `settled_orders`: those of the days before `movingFrom`, which no longer change (all when null).
 * `filter` is on the rows `d` of days.
 */
export function searchTermsBy(
  { merchantId, profileId }: Owner,
  { from, to, movingFrom }: { from: string; to: string; movingFrom: string | null },
  filter: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const settled = (column: string) =>
    sql`coalesce(sum(${sql.ref(column)}::float8) filter (where date < ${movingFrom ?? '9999-12-31'}), 0) as ${sql.ref(`settled_${column}`)}`
  return sql`(select ad_group_id, min(campaign_id) as campaign_id, search_term, ${columnTotals}, ${settled('clicks')}, ${settled('orders')}
    from search_term_day d where merchant_id = ${merchantId} and profile_id = ${profileId}
      and date between ${from} and ${to} and ${filter}
    group by ad_group_id, search_term)`
}

/** The ids of the targets that met the search term of a row `row` (see `searchTermsBy`) on these days, as an array. */
export function targetsOfTerm(
  { merchantId }: Owner,
  row: string,
  { from, to }: { from: string; to: string },
): RawBuilder<unknown> {
  const of = (column: string) => sql.ref(`${row}.${column}`)
  return sql`array(select distinct d.target_id from search_term_day d where d.merchant_id = ${merchantId}
    and d.ad_group_id = ${of('ad_group_id')} and d.search_term = ${of('search_term')} and d.date between ${from} and ${to})`
}
