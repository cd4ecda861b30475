import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { Micros } from '#shared/money.ts'
import type { Negative } from '../../contract.ts'
import type { ChangeOrigin } from '../changes/record-changes.ts'
import { type Owner, tableOf } from './entity-sql.ts'
import { isNewRow } from './pending-rows.ts'

/** A negative that is there, with when it was added, and by whom as far as the ledger knows it. */
export interface AddedNegative {
  id: number
  version: number
  kind: 'KEYWORD' | 'PRODUCT'
  text: string
  expression: Negative['expression']
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
 * The newest negatives of the account of which it is known when they were added, at most `limit`; and how many others there
 * are. The ledger knows it of those that were added since the account was connected, the marketplace of most others.
 */
export async function addedNegatives(
  tx: Db,
  { merchantId, profileId }: Owner,
  limit: number,
): Promise<{ negatives: AddedNegative[]; withoutDate: number }> {
  const negatives = sql`${tableOf('negative')} t left join (
      select distinct on (entity_id) entity_id, at, origin, account_id from entity_change
      where merchant_id = ${merchantId} and profile_id = ${profileId} and entity = 'negative' and field is null
      order by entity_id, id desc) a on a.entity_id = t.id`
  const present = sql`t.merchant_id = ${merchantId} and t.profile_id = ${profileId} and t.state <> 'ARCHIVED'
    and not (t.sync_state = 'FAILED' and ${isNewRow})`
  const addedAt = sql`coalesce(a.at, t.added_at)`
  const { rows } =
    await sql<AddedNegative>`select t.id, t.version, t.kind, t.text, t.expression, t.match_type as "matchType",
      t.ad_type as "adType", t.campaign_id as "campaignId", c.name as "campaignName", c.daily_budget_micros as "budgetMicros",
      t.ad_group_id as "adGroupId", g.name as "adGroupName", ${addedAt} as "addedAt",
      coalesce(a.origin, 'MARKETPLACE') as origin, a.account_id as "accountId"
    from ${negatives}
      join ${tableOf('campaign')} c on c.merchant_id = t.merchant_id and c.id = t.campaign_id
      left join ${tableOf('adGroup')} g on g.merchant_id = t.merchant_id and g.id = t.ad_group_id
    where ${present} and ${addedAt} is not null order by ${addedAt} desc, t.id desc limit ${limit}`.execute(tx)
  const others = await sql<{ count: number }>`select count(*)::int as count from ${negatives}
    where ${present} and ${addedAt} is null`.execute(tx)
  return { negatives: rows, withoutDate: others.rows[0]?.count ?? 0 }
}
