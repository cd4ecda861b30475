import { type RawBuilder, sql } from 'kysely'
import type { Db } from './tables.ts'

/**
 * The last statement of a tenant's transaction: raises the version of its merchants if it wrote anything. In one order
 * for all, so that two transactions over several merchants never wait for each other in a circle.
 */
export const raiseStatement = `insert into tenant_version as v (merchant_id, version)
  select m, 1 from unnest(current_merchants()) as m where pg_current_xact_id_if_assigned() is not null order by m
  on conflict (merchant_id) do update set version = v.version + 1`

/** Raises a merchant's version, for a transaction that writes its rows as the owner of the tables. */
export async function raiseVersion(tx: Db, merchantId: number): Promise<void> {
  await sql`insert into tenant_version as v (merchant_id, version) values (${merchantId}, 1)
    on conflict (merchant_id) do update set version = v.version + 1`.execute(tx)
}

/** Raises every merchant's version, after a change of what the answers of all of them depend on. */
export async function raiseAllVersions(tx: Db): Promise<void> {
  // In one order for all, as above: two at once never wait for each other in a circle.
  await sql`update tenant_version set version = version + 1 where merchant_id in
    (select merchant_id from tenant_version order by merchant_id for update)`.execute(tx)
}

/** For a select list: a merchant's version; null where nothing was written since versions are counted. */
export const versionOf = (merchantId: RawBuilder<unknown>): RawBuilder<number | null> =>
  sql<number | null>`(select v.version from tenant_version v where v.merchant_id = ${merchantId})`
