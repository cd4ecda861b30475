import { type RawBuilder, sql } from 'kysely'
import type { Db } from './tables.ts'

// A raised version is notified to every process, see invalidations.ts.
const notify = `select pg_notify('tideline_invalidations', 'merchant ' || merchant_id) from raised`
const raise = `on conflict (merchant_id) do update set version = v.version + 1 returning merchant_id`

// Sorted, against deadlocks.
const raiseWhere = (
  condition: string,
): string => `with raised as (insert into tenant_version as v (merchant_id, version)
  select m, 1 from unnest(current_merchants()) as m where ${condition} order by m ${raise})
  ${notify}`

/** The last statement of a tenant's transaction: raises the versions if it has written. */
export const raiseIfWritten = raiseWhere('pg_current_xact_id_if_assigned() is not null')
/** The last statement of a tenant's transaction that has written. */
export const raiseVersions = raiseWhere('true')

/** Increases a merchant's version. For transactions that write its rows as the owner of the tables. */
export async function raiseVersion(tx: Db, merchantId: number): Promise<void> {
  await sql`with raised as (insert into tenant_version as v (merchant_id, version) values (${merchantId}, 1) ${sql.raw(raise)})
    ${sql.raw(notify)}`.execute(tx)
}

/** Increases every merchant's version, after a change that affects the answers of all of them. */
export async function raiseAllVersions(tx: Db): Promise<void> {
  // Sorted, so that two transactions cannot deadlock.
  await sql`with raised as (update tenant_version set version = version + 1 where merchant_id in
    (select merchant_id from tenant_version order by merchant_id for update) returning merchant_id) ${sql.raw(notify)}`.execute(
    tx,
  )
}

/** For a select list: a merchant's version; null if nothing has been written since versions are counted. */
export const versionOf = (merchantId: RawBuilder<unknown>): RawBuilder<number | null> =>
  sql<number | null>`(select v.version from tenant_version v where v.merchant_id = ${merchantId})`

// By the adapter that all handles of a database share.
const clusters = new WeakSet<object>()
/** Notes that the rows of this database's tenants are on other servers than their versions. */
export function keepVersionsApart(db: Db): void {
  clusters.add(db.getExecutor().adapter)
}

/**
 * A merchant's version within a statement that reads its rows, 0 if there is none: of the same snapshot, or on a cluster, whose
 * workers have no versions, from just before, so that what is remembered by it is younger than its version, never older.
 */
export async function versionWithin(tx: Db, merchantId: number): Promise<RawBuilder<number>> {
  const version = sql<number>`coalesce(${versionOf(sql`${merchantId}::bigint`)}, 0)`
  if (!clusters.has(tx.getExecutor().adapter)) return version
  const { rows } = await sql<{ version: number }>`select ${version} as version`.execute(tx)
  return sql<number>`${rows[0]?.version ?? 0}::bigint`
}
