import { type RawBuilder, sql } from 'kysely'
import type { EndpointOutput, EndpointParsed } from '#shared/define-endpoint.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { accountNames } from '#features/auth/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { changeEndpoints, EntityChange } from '../../changes-contract.ts'
import type { Owner } from '../sql/entity-sql.ts'
import { isUndone, joinUndo, undoneBy } from './undone.ts'

type List = typeof changeEndpoints.list

/** What the entity of a line `c` of the ledger is called, as long as it is there; its campaign is `m`. */
export const nameOf = (merchantId: number) => sql`case c.entity
  when 'campaign' then m.name
  when 'adGroup' then (select g.name from ad_group g where g.merchant_id = ${merchantId} and g.id = c.entity_id)
  when 'ad' then (select coalesce(a.asin, a.sku) from product_ad a where a.merchant_id = ${merchantId} and a.id = c.entity_id)
  when 'target' then (select t.text from target t where t.merchant_id = ${merchantId} and t.id = c.entity_id)
  else (select n.text from negative n where n.merchant_id = ${merchantId} and n.id = c.entity_id) end`

interface Shown {
  page: number
  size: number
  /** Of each group only its latest line that passes. */
  collapsed?: boolean | undefined
}

/**
 * Lines of the ledger `c` that pass the filters, the latest first, with what people read of them. Each of their groups is
 * judged once, not once for each of its lines: it may have thousands.
 */
export async function readChanges(
  tx: Db,
  { merchantId, profileId }: Owner,
  filters: readonly RawBuilder<unknown>[],
  { page, size, collapsed }: Shown,
): Promise<{ changes: EntityChange[]; total: number }> {
  const where = sql.join([sql`c.merchant_id = ${merchantId} and c.profile_id = ${profileId}`, ...filters], sql` and `)
  const line = collapsed ? sql`max(c.id)` : sql`c.id`
  const one = collapsed ? sql`distinct c.group_id` : sql`*`
  const { rows } = await sql<Omit<EntityChange, 'at' | 'by'> & { at: Date; accountId: number | null }>`
    with shown as materialized (
      select ${line} as id from entity_change c where ${where} ${collapsed ? sql`group by c.group_id` : sql``}
      order by 1 desc limit ${size} offset ${page * size}
    ), shown_group as materialized (
      select distinct c.group_id from shown s join entity_change c on c.merchant_id = ${merchantId} and c.id = s.id
    ), judged as materialized (
      select c.group_id, count(*)::int as size, bool_and(${isUndone(merchantId)}) as is_undone
      from shown_group g join entity_change c on c.merchant_id = ${merchantId} and c.group_id = g.group_id ${joinUndo(merchantId)}
      group by c.group_id
    )
    select c.id, c.at, c.group_id as "groupId", c.entity, c.entity_id as "entityId", c.campaign_id as "campaignId", c.field, c.before,
      c.after, c.origin, c.account_id as "accountId", c.note, c.undoes, coalesce(${nameOf(merchantId)}, c.after ->> 'text', '') as name, coalesce(m.name, '') as "campaignName",
      j.size as "groupSize", j.is_undone as "isGroupUndone", ${undoneBy('id', merchantId)} as "undoneBy"
    from shown s join entity_change c on c.merchant_id = ${merchantId} and c.id = s.id
      join judged j on j.group_id = c.group_id left join campaign m on m.merchant_id = c.merchant_id and m.id = c.campaign_id
    order by c.id desc`.execute(tx)
  const counted = await sql<{
    total: number
  }>`select count(${one})::float8 as total from entity_change c where ${where}`.execute(tx)
  const names = await accountNames(tx, [...new Set(rows.flatMap(row => row.accountId ?? []))])
  const changes = rows.map(({ accountId, at, ...row }) => ({
    ...row,
    at: at.toISOString(),
    by: accountId === null ? null : (names.get(accountId) ?? null),
  }))
  return { changes, total: counted.rows[0]?.total ?? 0 }
}

/** A page of the ledger of the current account, the latest change first; days are those of the account's calendar. */
export function listChanges(ctx: Ctx, q: EndpointParsed<List>['query']): Promise<EndpointOutput<List>> {
  return readAccount(ctx, async (tx, profile) => {
    const { changes, total } = await readChanges(tx, profile, filtersOf(profile, q), q)
    return { content: changes, page: pageInfo(q.page, q.size, total), currency: profile.currency }
  })
}

type Filter = Omit<EndpointParsed<List>['query'], 'page' | 'size' | 'collapsed'>

/** The filters that apply, on changes `c`; days are those of the account's calendar. */
function filtersOf({ timezone }: Pick<Profile, 'timezone'>, q: Filter): RawBuilder<unknown>[] {
  const filters: (RawBuilder<unknown> | false)[] = [
    q.entity !== undefined && sql`c.entity = ${q.entity}`,
    q.entityId !== undefined && sql`c.entity_id = ${q.entityId}`,
    q.campaignId !== undefined && sql`c.campaign_id = ${q.campaignId}`,
    q.groupId !== undefined && sql`c.group_id = ${q.groupId}::uuid`,
    q.origin !== undefined && sql`c.origin = ${q.origin}`,
    q.dateFrom !== undefined && sql`c.at >= (${q.dateFrom}::date)::timestamp at time zone ${timezone}`,
    q.dateTo !== undefined && sql`c.at < (${q.dateTo}::date + 1)::timestamp at time zone ${timezone}`,
  ]
  return filters.filter(filter => filter !== false)
}

type Days = typeof changeEndpoints.days

/** On which days of the current account's calendar something was changed, and how often; one act counts once. */
export function changeDays(ctx: Ctx, q: EndpointParsed<Days>['query']): Promise<EndpointOutput<Days>> {
  return readAccount(ctx, async (tx, profile) => {
    const { merchantId, profileId, timezone } = profile
    const where = sql.join(
      [sql`c.merchant_id = ${merchantId} and c.profile_id = ${profileId}`, ...filtersOf(profile, q)],
      sql` and `,
    )
    const { rows } = await sql<{ date: string; count: number }>`
      select (c.at at time zone ${timezone})::date as date, count(distinct c.group_id)::int as count
      from entity_change c where ${where} group by 1 order by 1`.execute(tx)
    return rows
  })
}
