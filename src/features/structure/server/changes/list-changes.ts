import { type RawBuilder, sql } from 'kysely'
import type { EndpointOutput, EndpointParsed } from '#shared/define-endpoint.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { readAccount } from '#features/accounts/server/public.ts'
import { accountNames } from '#features/auth/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { changeEndpoints, EntityChange } from '../../changes-contract.ts'

type List = typeof changeEndpoints.list

const nameOf = sql`case c.entity
  when 'campaign' then m.name
  when 'adGroup' then (select g.name from ad_group g where g.merchant_id = c.merchant_id and g.id = c.entity_id)
  when 'ad' then (select coalesce(a.asin, a.sku) from product_ad a where a.merchant_id = c.merchant_id and a.id = c.entity_id)
  when 'target' then (select t.text from target t where t.merchant_id = c.merchant_id and t.id = c.entity_id)
  else (select n.text from negative n where n.merchant_id = c.merchant_id and n.id = c.entity_id) end`

/** A page of the ledger of the current account, the latest change first; days are those of the account's calendar. */
export function listChanges(ctx: Ctx, q: EndpointParsed<List>['query']): Promise<EndpointOutput<List>> {
  return readAccount(ctx, async (tx, profile) => {
    const { merchantId, profileId, timezone } = profile
    const conditions: (RawBuilder<unknown> | false)[] = [
      sql`c.merchant_id = ${merchantId} and c.profile_id = ${profileId}`,
      q.entity !== undefined && sql`c.entity = ${q.entity}`,
      q.entityId !== undefined && sql`c.entity_id = ${q.entityId}`,
      q.campaignId !== undefined && sql`c.campaign_id = ${q.campaignId}`,
      q.groupId !== undefined && sql`c.group_id = ${q.groupId}::uuid`,
      q.origin !== undefined && sql`c.origin = ${q.origin}`,
      q.dateFrom !== undefined && sql`c.at >= (${q.dateFrom}::date)::timestamp at time zone ${timezone}`,
      q.dateTo !== undefined && sql`c.at < (${q.dateTo}::date + 1)::timestamp at time zone ${timezone}`,
    ]
    const where = sql.join(
      conditions.filter(condition => condition !== false),
      sql` and `,
    )
    const { rows } = await sql<Omit<EntityChange, 'at' | 'by'> & { at: Date; accountId: number | null }>`
      select c.id, c.at, c.group_id as "groupId", c.entity, c.entity_id as "entityId", c.campaign_id as "campaignId", c.field, c.before,
        c.after, c.origin, c.account_id as "accountId", c.note, c.undoes, coalesce(${nameOf}, '') as name, coalesce(m.name, '') as "campaignName",
        (select count(*) from entity_change o where o.merchant_id = c.merchant_id and o.group_id = c.group_id)::int as "groupSize",
        (select o.id from entity_change o where o.merchant_id = c.merchant_id and o.undoes = c.id) as "undoneBy"
      from entity_change c left join campaign m on m.merchant_id = c.merchant_id and m.id = c.campaign_id
      where ${where} order by c.id desc limit ${q.size} offset ${q.page * q.size}`.execute(tx)
    const counted = await sql<{
      total: number
    }>`select count(*)::float8 as total from entity_change c where ${where}`.execute(tx)
    const names = await accountNames(tx, [...new Set(rows.flatMap(row => row.accountId ?? []))])
    return {
      content: rows.map(({ accountId, at, ...row }) => ({
        ...row,
        at: at.toISOString(),
        by: accountId === null ? null : (names.get(accountId) ?? null),
      })),
      page: pageInfo(q.page, q.size, counted.rows[0]?.total ?? 0),
      currency: profile.currency,
    }
  })
}
