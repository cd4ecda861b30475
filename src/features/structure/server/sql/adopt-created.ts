import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { EntityName } from '../../contract.ts'
import { type Owner, tableOf } from './entity-sql.ts'
import { clauseKey, isNewRow, pushedColumns } from './pending-rows.ts'

type Listed = { amazonId: string; campaignId: string; adGroupId?: string | null } & Record<string, unknown>

/**
 * Gives new rows that were sent without an answer the ids of what the marketplace lists in their place, so that an import
 * does not add them a second time. They are sent once more as they are wanted, since nobody knows what was accepted.
 */
export async function adoptCreated(
  tx: Db,
  entity: EntityName,
  { merchantId, profileId }: Owner,
  items: readonly Listed[],
): Promise<void> {
  if (entity !== 'target' && entity !== 'negative') return
  const table = tableOf(entity)
  const sent = sql`t.merchant_id = ${merchantId} and t.profile_id = ${profileId} and ${isNewRow} and t.base ? 'sent'`
  const { rows } = await sql`select 1 from ${table} t where ${sent} limit 1`.execute(tx)
  if (!rows.length) return
  const live = items.filter(item => item.state !== 'ARCHIVED')
  const all = (read: (item: Listed) => unknown) => live.map(item => read(item) ?? null)
  const base = JSON.stringify({ sent: pushedColumns(entity) })
  await sql`update ${table} t set amazon_id = u.amazon_id, sync_state = 'PENDING', sync_error = null, base = ${base}::jsonb
    from unnest(${all(item => item.amazonId)}::text[], ${all(item => item.campaignId)}::text[], ${all(item => item.adGroupId)}::text[],
        ${all(item => item.kind)}::text[], ${all(item => item.text)}::text[], ${all(item => item.matchType)}::text[],
        ${all(item => (item.expression ? JSON.stringify(item.expression) : null))}::text[])
      as u(amazon_id, campaign, ad_group, kind, text, match_type, expression)
    join campaign c on c.merchant_id = ${merchantId} and c.profile_id = ${profileId} and c.amazon_id = u.campaign
    left join ad_group g on g.merchant_id = ${merchantId} and g.profile_id = ${profileId} and g.amazon_id = u.ad_group
    where ${sent} and t.campaign_id = c.id and t.ad_group_id is not distinct from g.id
      and ${clauseKey('t')} = ${clauseKey('u')}
      and not exists (select 1 from ${table} o where o.merchant_id = ${merchantId} and o.profile_id = ${profileId}
        and o.amazon_id = u.amazon_id)`.execute(tx)
}
