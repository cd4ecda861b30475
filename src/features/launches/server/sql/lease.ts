import { sql } from 'kysely'
import type { Db, Row } from '#server/db/tables.ts'
import type { LaunchKey } from './launch-key.ts'

/** Takes the launch if nobody holds it, or its holder has not been heard of; true when it is ours. */
export const takeLease = async (tx: Db, key: LaunchKey, token: string, leaseMs: number): Promise<boolean> => {
  const { rows } = await sql`
    update launch set lease_token = ${token}, lease_until = now() + make_interval(secs => ${leaseMs / 1000})
    where merchant_id = ${key.merchantId} and id = ${key.launchId} and (lease_token is null or lease_until < now())
    returning id`.execute(tx)
  return rows.length > 0
}

/** Extends our lease. Answers null when someone else took the launch over, else what the user asked for meanwhile. */
export const renewLease = async (
  tx: Db,
  key: LaunchKey,
  token: string,
  leaseMs: number,
): Promise<Pick<Row<'launch'>, 'undo'> | null> => {
  const { rows } = await sql<Pick<Row<'launch'>, 'undo'>>`
    update launch set lease_until = now() + make_interval(secs => ${leaseMs / 1000})
    where merchant_id = ${key.merchantId} and id = ${key.launchId} and lease_token = ${token}
    returning undo`.execute(tx)
  return rows[0] ?? null
}

/** Gives the launch back, if it is still ours. */
export const dropLease = async (tx: Db, key: LaunchKey, token: string): Promise<void> => {
  await sql`
    update launch set lease_token = null, lease_until = null
    where merchant_id = ${key.merchantId} and id = ${key.launchId} and lease_token = ${token}`.execute(tx)
}
