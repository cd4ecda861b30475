import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

/** Which of the names a campaign of the account bears already, whatever its letters' case; archived ones keep theirs. */
export const nameTaken = async (
  tx: Db,
  merchantId: number,
  profileId: number,
  names: readonly string[],
): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select name from campaign where merchant_id = ${merchantId} and profile_id = ${profileId}
      and lower(name) = any(${names.map(n => n.toLowerCase())}::text[])`.execute(tx)
  const taken = new Set(rows.map(row => row.name.toLowerCase()))
  return names.filter(name => taken.has(name.toLowerCase()))
}
