import { type RawBuilder, sql } from 'kysely'
import { columnTotals } from './metric-columns.ts'

interface Owner {
  merchantId: number
  profileId: number
}

/**
 * A subquery to join with (alias it): one row for each search term of each ad group, with `ad_group_id`, `campaign_id`,
 * `search_term`, the targets that met it (`target_ids`), the sum of every metric column over the days, both included, and
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
  return sql`(select ad_group_id, min(campaign_id) as campaign_id, search_term, array_agg(distinct target_id) as target_ids,
      ${columnTotals}, ${settled('clicks')}, ${settled('orders')}
    from search_term_day d where merchant_id = ${merchantId} and profile_id = ${profileId}
      and date between ${from} and ${to} and ${filter}
    group by ad_group_id, search_term)`
}
