import type { Db } from '#server/db/tables.ts'

/** First and last names by account; accounts that are gone are missing. */
export async function accountNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (!ids.length) return new Map()
  const rows = await db.selectFrom('account').select(['id', 'first_name', 'last_name']).where('id', 'in', ids).execute()
  return new Map(rows.map(row => [row.id, `${row.first_name} ${row.last_name}`.trim()]))
}
