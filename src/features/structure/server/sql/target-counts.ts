import { type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/db/open-database.ts'
import type { Db } from '#server/db/tables.ts'
import type { EntityName } from '../../contract.ts'
import { matching, type Owner } from './entity-sql.ts'

const ownedBy = ({ merchantId, profileId }: Owner, alias: 't' | 'c' | 's') =>
  sql`${sql.ref(`${alias}.merchant_id`)} = ${merchantId} and ${sql.ref(`${alias}.profile_id`)} = ${profileId}`

/** Names the campaigns in which rows were added, removed or got another state, in the transaction that wrote the rows. */
export async function noteRecount(
  tx: Db,
  { merchantId, profileId }: Owner,
  entity: EntityName,
  campaignIds: readonly number[],
): Promise<void> {
  if (!campaignIds.length || (entity !== 'target' && entity !== 'adGroup' && entity !== 'campaign')) return
  // Always a row of its own: one of somebody else's may be counted and gone before this transaction ends.
  await sql`insert into target_count_stale (merchant_id, profile_id, campaign_id)
    select ${merchantId}::bigint, ${profileId}::bigint, u.id from unnest(${[...new Set(campaignIds)]}::bigint[]) as u(id)`.execute(
    tx,
  )
}

/**
 * How many targets of an account pass, for a select list: `passes` on targets `t`, and `isCounted` the same on counts `c`, which
 * have the kind, match type and ad type of targets and the state that they have within what they are in.
 */
export function countTargets(
  owner: Owner,
  passes: readonly RawBuilder<unknown>[],
  isCounted: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  const { merchantId } = owner
  const stale = sql`array(select s.campaign_id from target_count_stale s where ${ownedBy(owner, 's')})`
  const counts = (of: RawBuilder<unknown>) => sql`(select coalesce(sum(c.count), 0) from target_count c
    where ${sql.join([ownedBy(owner, 'c'), of, ...isCounted], sql` and `)})`
  const inStale = sql`t.ad_group_id = any(array(
    select g.id from ad_group g where g.merchant_id = ${merchantId} and g.campaign_id = any(${stale})))`
  const rows = (filters: readonly RawBuilder<unknown>[]) =>
    sql`(select count(*) from target t where ${matching(owner, filters)})`
  return sql`(case when exists (select 1 from target_count c where ${ownedBy(owner, 'c')} and c.campaign_id is null)
    then ${counts(sql`c.campaign_id is null`)} - ${counts(sql`c.campaign_id = any(${stale})`)} + ${rows([inStale, ...passes])}
    else ${rows(passes)} end)`
}

/** Counts the targets of the named campaigns again; all of an account that was never counted. */
export async function recountTargets(db: Pick<Database, 'transaction'>, owner: Owner): Promise<void> {
  const { merchantId, profileId } = owner
  // The counts stay the same, only how they are found changes: as the owner of the tables, so that cached answers stay.
  await db.transaction(async tx => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`counts ${merchantId} ${profileId}`}, 0))`.execute(tx)
    const { rows } = await sql<{ ids: number[] | null; isCounted: boolean }>`with named as (
        delete from target_count_stale s where ${ownedBy(owner, 's')} returning s.campaign_id)
      select array_agg(distinct campaign_id) as ids,
        exists (select 1 from target_count c where ${ownedBy(owner, 'c')} and c.campaign_id is null) as "isCounted" from named`.execute(
      tx,
    )
    const { ids = null, isCounted = false } = rows[0] ?? {}
    if (isCounted && !ids) return
    // In a statement of its own, which sees the rows of every transaction whose names were just deleted.
    const isNamed = (id: RawBuilder<unknown>) => (isCounted ? sql`${id} = any(${ids}::bigint[])` : sql`true`)
    const dimensions = sql`kind, state, match_type, ad_type`
    await sql`with old as (
        delete from target_count c where ${ownedBy(owner, 'c')} and (c.campaign_id is null or ${isNamed(sql`c.campaign_id`)})
        returning c.campaign_id, c.kind, c.state, c.match_type, c.ad_type, c.count
      ), now as materialized (
        select t.campaign_id, t.kind, case when 'ARCHIVED' in (g.state, o.state) then 'ARCHIVED' else t.state end as state,
          t.match_type, t.ad_type, count(*) as count
        from campaign o join ad_group g on g.merchant_id = o.merchant_id and g.campaign_id = o.id
          join target t on t.merchant_id = g.merchant_id and t.ad_group_id = g.id
        where o.merchant_id = ${merchantId} and o.profile_id = ${profileId} and ${isNamed(sql`o.id`)}
        group by 1, 2, 3, 4, 5
      )
      insert into target_count (merchant_id, profile_id, campaign_id, ${dimensions}, count)
      select ${merchantId}::bigint, ${profileId}::bigint, r.* from (
        select campaign_id, ${dimensions}, count from now
        union all
        select null, ${dimensions}, sum(count) from (
          select ${dimensions}, case when campaign_id is null then count else -count end as count from old
          union all select ${dimensions}, count from now
        ) d group by ${dimensions}
      ) r`.execute(tx)
  })
}
