import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { Micros } from '#shared/money.ts'
import type { ChangeOrigin } from '../changes/record-changes.ts'
import { type Owner, tableOf } from './entity-sql.ts'
import { isNewRow } from './pending-rows.ts'

/** A negative that is there, with the line of the ledger that says when it was added, and by whom. */
export interface AddedNegative {
  id: number
  version: number
  kind: 'KEYWORD' | 'PRODUCT'
  text: string
  matchType: string | null
  adType: string
  campaignId: number
  campaignName: string
  budgetMicros: Micros | null
  adGroupId: number | null
  adGroupName: string | null
  addedAt: Date
  origin: ChangeOrigin
  accountId: number | null
}

/**
 * The newest negatives of the account that the ledger has the beginning of, at most `limit`; and of how many others it has
 * none: they were there before the account was connected, or were added in the marketplace's own console.
 */
export async function addedNegatives(
  tx: Db,
  { merchantId, profileId }: Owner,
  limit: number,
): Promise<{ negatives: AddedNegative[]; withoutDate: number }> {
  const present = sql`t.merchant_id = ${merchantId} and t.profile_id = ${profileId} and t.state <> 'ARCHIVED'
    and not (t.sync_state = 'FAILED' and ${isNewRow})`
  const added = sql`(select distinct on (entity_id) entity_id, at, origin, account_id from entity_change
    where merchant_id = ${merchantId} and profile_id = ${profileId} and entity = 'negative' and field is null
    order by entity_id, id desc)`
  const { rows } = await sql<AddedNegative>`select t.id, t.version, t.kind, t.text, t.match_type as "matchType",
      t.ad_type as "adType", t.campaign_id as "campaignId", c.name as "campaignName", c.daily_budget_micros as "budgetMicros",
      t.ad_group_id as "adGroupId", g.name as "adGroupName", a.at as "addedAt", a.origin, a.account_id as "accountId"
    from ${added} a join ${tableOf('negative')} t on t.id = a.entity_id
      join ${tableOf('campaign')} c on c.merchant_id = t.merchant_id and c.id = t.campaign_id
      left join ${tableOf('adGroup')} g on g.merchant_id = t.merchant_id and g.id = t.ad_group_id
    where ${present} order by a.at desc, t.id desc limit ${limit}`.execute(tx)
  const others = await sql<{ count: number }>`select count(*)::int as count from ${tableOf('negative')} t
    where ${present} and not exists (select 1 from entity_change e where e.merchant_id = t.merchant_id
      and e.entity = 'negative' and e.entity_id = t.id and e.field is null)`.execute(tx)
  return { negatives: rows, withoutDate: others.rows[0]?.count ?? 0 }
}
