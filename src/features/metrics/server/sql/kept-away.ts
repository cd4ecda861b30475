import { sql } from 'kysely'
import { type Owner, tableOf } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { Micros } from '#shared/money.ts'

interface Days {
  from: string
  to: string
}

/** A negative, and the days to look at. */
export interface KeptAway {
  id: number
  campaignId: number
  /** Null: in the whole campaign. */
  adGroupId: number | null
  /** The term or ASIN in small letters, or words in a row. */
  text: string
  isPhrase: boolean
  before: Days
  now: Days
}

export interface KeptAwaySums {
  id: number
  /** The search terms that it keeps away, in the days before. */
  terms: number
  clicks: number
  orders: number
  costMicros: Micros
  salesMicros: Micros
  /** An ad group in which they came; null without any. */
  adGroupId: number | null
  /** Clicks of its campaign in the days before, and in those of now. */
  campaignClicksBefore: number
  campaignClicksNow: number
}

/** What the search terms of negatives did in the days before them, and the clicks of their campaigns then and now. */
export async function keptAwaySums(
  tx: Db,
  { merchantId, profileId }: Owner,
  negatives: readonly KeptAway[],
): Promise<Map<number, KeptAwaySums>> {
  if (!negatives.length) return new Map()
  const all = <T>(read: (one: KeptAway) => T) => negatives.map(read)
  const { rows } = await sql<KeptAwaySums>`
    with u as materialized (select * from unnest(${all(n => n.id)}::bigint[], ${all(n => n.campaignId)}::bigint[],
      ${all(n => n.adGroupId)}::bigint[], ${all(n => n.text)}::text[], ${all(n => n.isPhrase)}::bool[],
      ${all(n => n.before.from)}::date[], ${all(n => n.before.to)}::date[], ${all(n => n.now.from)}::date[], ${all(n => n.now.to)}::date[])
      as n(id, campaign_id, ad_group_id, text, is_phrase, before_from, before_to, now_from, now_to))
    select u.id, s.terms, s.clicks, s.orders, s.cost as "costMicros", s.sales as "salesMicros", s.ad_group_id as "adGroupId",
      c.before as "campaignClicksBefore", c.now as "campaignClicksNow"
    from u cross join lateral (
      select count(distinct d.search_term)::int as terms, coalesce(sum(d.clicks), 0)::float8 as clicks,
        coalesce(sum(d.orders), 0)::float8 as orders, coalesce(sum(d.cost_micros), 0)::float8 as cost,
        coalesce(sum(d.sales_micros), 0)::float8 as sales, max(d.ad_group_id) as ad_group_id
      from ${tableOf('adGroup')} g join search_term_day d on d.merchant_id = ${merchantId} and d.ad_group_id = g.id
        and d.date between u.before_from and u.before_to
      where g.merchant_id = ${merchantId} and g.campaign_id = u.campaign_id and (u.ad_group_id is null or g.id = u.ad_group_id)
        and d.profile_id = ${profileId}
        and case when u.is_phrase then strpos(' ' || d.search_term || ' ', ' ' || u.text || ' ') > 0 else d.search_term = u.text end
    ) s cross join lateral (
      select coalesce(sum(d.clicks) filter (where d.date between u.before_from and u.before_to), 0)::float8 as before,
        coalesce(sum(d.clicks) filter (where d.date between u.now_from and u.now_to), 0)::float8 as now
      from campaign_day d where d.merchant_id = ${merchantId} and d.campaign_id = u.campaign_id
        and d.date between least(u.before_from, u.now_from) and greatest(u.before_to, u.now_to)
    ) c`.execute(tx)
  return new Map(rows.map(row => [row.id, row]))
}
