import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { EntityName } from '../../contract.ts'
import { matching, type Owner, tableOf } from './entity-sql.ts'

// Whether a row was ever shown stands in the row, where indexes have it, or, until it is marked, in a table of ids.

const ownedBy = ({ merchantId, profileId }: Owner) => sql`merchant_id = ${merchantId} and profile_id = ${profileId}`
const newlyShown = (owner: Owner, entity: EntityName) => sql`newly_shown where ${ownedBy(owner)} and entity = ${entity}`

/** Notes which rows were shown, in the transaction that saves their figures; `keys` is a subquery of their ids, `key`. Locks no row. */
export async function noteShown(tx: Db, entity: EntityName, owner: Owner, keys: RawBuilder<unknown>): Promise<void> {
  await sql`insert into newly_shown (merchant_id, profile_id, entity, id)
    select ${owner.merchantId}::bigint, ${owner.profileId}::bigint, ${entity}, k.key from (${keys}) as k
    where not exists (select 1 from ${tableOf(entity)} where ${ownedBy(owner)} and is_shown and id = k.key)
      and not exists (select 1 from ${newlyShown(owner, entity)} and id = k.key)
    order by k.key on conflict do nothing`.execute(tx)
}

/** A subquery of columns of an account's rows `t` that were ever shown and pass the filters. */
export function selectShown(
  entity: EntityName,
  owner: Owner,
  columns: RawBuilder<unknown>,
  filters: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  const rows = (is: RawBuilder<unknown>) =>
    sql`select ${columns} from ${tableOf(entity)} t where ${matching(owner, [...filters, is])}`
  return sql`${rows(sql`t.is_shown`)}
    union all ${rows(sql`not t.is_shown and t.id = any(array(select id from ${newlyShown(owner, entity)}))`)}`
}

/** The accounts and entities of which rows are to be marked. For jobs only. */
export async function newlyShownOwners(system: Db): Promise<(Owner & { entity: EntityName })[]> {
  const { rows } = await sql<Owner & { entity: EntityName }>`
    select distinct merchant_id as "merchantId", profile_id as "profileId", entity from newly_shown
    order by 1, 2, 3`.execute(system)
  return rows
}

/**
 * Marks some of the rows that were newly shown, in the order of their ids `after` one. Those that somebody edits just now stay
 * for another time. Returns the last id that was looked at, null at the end.
 */
export async function markShown(
  tx: Db,
  entity: EntityName,
  owner: Owner,
  after: number,
  limit: number,
): Promise<number | null> {
  const table = tableOf(entity)
  const { rows } = await sql<{ last: number | null }>`with named as materialized (
      select id from ${newlyShown(owner, entity)} and id > ${after} order by id limit ${limit}
    ), free as materialized (
      select id from ${table} where ${ownedBy(owner)} and id = any(array(select id from named)) order by id for no key update skip locked
    ), marked as (
      update ${table} set is_shown = true where ${ownedBy(owner)} and id = any(array(select id from free))
    ), gone as (
      select id from named except select id from ${table} where ${ownedBy(owner)} and id = any(array(select id from named))
    ), done as (
      delete from ${newlyShown(owner, entity)} and id = any(array(select id from free union all select id from gone))
    ) select max(id)::float8 as last from named`.execute(tx)
  return rows[0]?.last ?? null
}
