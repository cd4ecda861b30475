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
export const nameOf = sql`case c.entity
  when 'campaign' then m.name
  when 'adGroup' then (select g.name from ad_group g where g.merchant_id = c.merchant_id and g.id = c.entity_id)
  when 'ad' then (select coalesce(a.asin, a.sku) from product_ad a where a.merchant_id = c.merchant_id and a.id = c.entity_id)
  when 'target' then (select t.text from target t where t.merchant_id = c.merchant_id and t.id = c.entity_id)
  else (select n.text from negative n where n.merchant_id = c.merchant_id and n.id = c.entity_id) end`

/** Lines of the ledger `c` that pass the filters, the latest first, with what people read of them. */
export async function readChanges(
  tx: Db,
  { merchantId, profileId }: Owner,
  filters: readonly RawBuilder<unknown>[],
  { page, size }: { page: number; size: number },
): Promise<{ changes: EntityChange[]; total: number }> {
  const where = sql.join([sql`c.merchant_id = ${merchantId} and c.profile_id = ${profileId}`, ...filters], sql` and `)
  const { rows } = await sql<Omit<EntityChange, 'at' | 'by'> & { at: Date; accountId: number | null }>`
    select c.id, c.at, c.group_id as "groupId", c.entity, c.entity_id as "entityId", c.campaign_id as "campaignId", c.field, c.before,
      c.after, c.origin, c.account_id as "accountId", c.note, c.undoes, coalesce(${nameOf}, c.after ->> 'text', '') as name, coalesce(m.name, '') as "campaignName",
      (select count(*) from entity_change o where o.merchant_id = c.merchant_id and o.group_id = c.group_id)::int as "groupSize",
      (select not exists (select 1 from entity_change c ${joinUndo} where c.merchant_id = g.merchant_id and c.group_id = g.group_id
        and not ${isUndone}) from (select c.merchant_id, c.group_id) g) as "isGroupUndone", ${undoneBy('id')} as "undoneBy"
    from entity_change c left join campaign m on m.merchant_id = c.merchant_id and m.id = c.campaign_id
    where ${where} order by c.id desc limit ${size} offset ${page * size}`.execute(tx)
  const counted = await sql<{
    total: number
  }>`select count(*)::float8 as total from entity_change c where ${where}`.execute(tx)
  const names = await accountNames(tx, [...new Set(rows.flatMap(row => row.accountId ?? []))])
  const changes = rows.map(({ accountId, at, ...row }) => ({
    ...row,
    at: at.toISOString(),
    by: accountId === null ? null : (names.get(accountId) ?? null),
  }))
  return { changes, total: counted.rows[0]?.total ?? 0 }
}

/** Whether a line `c` is the latest of its group among those that pass the filters. */
const isLatestOf = (filters: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`not exists (select 1 from (select l.* from entity_change l where l.merchant_id = c.merchant_id and l.group_id = c.group_id
      and l.id > c.id) c${filters.length ? sql` where ${sql.join(filters, sql` and `)}` : sql``})`

/** A page of the ledger of the current account, the latest change first; days are those of the account's calendar. */
export function listChanges(ctx: Ctx, q: EndpointParsed<List>['query']): Promise<EndpointOutput<List>> {
  return readAccount(ctx, async (tx, profile) => {
    const narrowed = filtersOf(profile, q)
    const applied = q.collapsed ? [...narrowed, isLatestOf(narrowed)] : narrowed
    const { changes, total } = await readChanges(tx, profile, applied, q)
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
