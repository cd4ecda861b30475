import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import { type TenancyColumns, tenancyColumns } from './sql/tenancy.ts'

/**
 * The connected merchants of an account and what it works with; the merchant is null when none is chosen or it left it.
 * One query.
 */
export async function tenancyOf(db: Db, accountId: number): Promise<TenancyColumns> {
  const { rows } = await sql<TenancyColumns>`select ${tenancyColumns} from account a where a.id = ${accountId}`.execute(
    db,
  )
  return rows[0] ?? { merchantIds: [], merchantId: null, marketplaceId: null }
}
