import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

/**
 * Runs statements of a tenant's transaction as the owner: the job queue is not the tenant's, and its role may not touch
 * it. The tenant's role is back afterwards; when `run` throws, the transaction is lost anyway.
 */
export const beyondTenant = async <T>(tx: Db, run: () => Promise<T>): Promise<T> => {
  const { rows } = await sql<{ role: string }>`select current_setting('role') as role`.execute(tx)
  await sql`select set_config('role', 'none', true)`.execute(tx)
  const result = await run()
  await sql`select set_config('role', ${rows[0]?.role ?? 'none'}, true)`.execute(tx)
  return result
}
