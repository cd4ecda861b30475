import { type RawBuilder, sql } from 'kysely'
import type { Owner } from './entity-sql.ts'
import { isNewRow } from './pending-rows.ts'

/** A keyword, target or negative with its place, as JSON. */
const described = (
  merchantId: number,
) => sql`jsonb_build_object('id', t.id, 'kind', t.kind, 'text', t.text, 'matchType', t.match_type, 'adGroupId', t.ad_group_id,
  'campaignId', t.campaign_id, 'campaignName', (select c.name from campaign c where c.merchant_id = ${merchantId} and c.id = t.campaign_id))`

/** Not what the marketplace refused to add. */
const isWanted = sql`not (t.sync_state = 'FAILED' and ${isNewRow})`

/** How a product page is written as a target; terms are in small letters. */
const asTarget = sql`'asin_same_as: ' || s.search_term`

/**
 * The running or paused exact keyword or product target of the account for a search term, as JSON; null when there is
 * none. Rows `s` have `ad_group_id` and `search_term`, the latter in small letters; one of the same ad group comes first.
 * One of another ad type does not count: its ads are others, in other places.
 */
export function coveringKeyword({ merchantId, profileId }: Owner): RawBuilder<unknown> {
  return sql`(select ${described(merchantId)} from target t
    where t.merchant_id = ${merchantId} and t.profile_id = ${profileId} and t.state <> 'ARCHIVED' and ${isWanted}
      and t.ad_type = (select g.ad_type from ad_group g where g.merchant_id = ${merchantId} and g.id = s.ad_group_id)
      and t.kind in ('KEYWORD', 'PRODUCT') and t.text_lower = any(array[s.search_term, ${asTarget}])
      and (t.kind = 'KEYWORD' and t.match_type = 'EXACT' and t.text_lower = s.search_term
        or t.kind = 'PRODUCT' and t.text_lower = ${asTarget})
    order by t.ad_group_id = s.ad_group_id desc, t.id limit 1)`
}

/**
 * The negative of the ad group or of its whole campaign that keeps a search term away, as JSON; null when there is none.
 * Rows `s` have `campaign_id` too. A negative phrase keeps all terms away that contain its words in a row.
 */
export function coveringNegative({ merchantId }: Owner): RawBuilder<unknown> {
  return sql`(select ${described(merchantId)} from negative t
    where t.merchant_id = ${merchantId} and t.campaign_id = s.campaign_id and t.state <> 'ARCHIVED' and ${isWanted}
      and (t.ad_group_id is null or t.ad_group_id = s.ad_group_id)
      and case when t.kind = 'PRODUCT' then lower(t.text) = ${asTarget}
        when t.match_type = 'NEGATIVE_EXACT' then lower(t.text) = s.search_term
        else strpos(' ' || s.search_term || ' ', ' ' || lower(t.text) || ' ') > 0 end
    order by t.id limit 1)`
}

/** Three of the targets of these ids at most, as a JSON list. */
export function describedTargets({ merchantId }: Owner, ids: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(jsonb_agg(x.one), '[]') from (
    select ${described(merchantId)} as one from target t where t.merchant_id = ${merchantId} and t.id = any(${ids}) order by t.id limit 3) x)`
}
