import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

/** The number of a table's rows and a digest of them, without columns that only have times. */
export async function tableState(
  db: Db,
  table: string,
  options: { omit?: readonly string[]; where?: string } = {},
): Promise<{ rows: number; digest: string | null }> {
  const { omit = [], where = 'true' } = options
  const { rows } = await sql<{ rows: number; digest: string | null }>`
    select count(*)::int as rows, md5(string_agg(line, E'\n' order by line)) as digest
    from (select (to_jsonb(t) - ${[...omit]}::text[])::text as line from ${sql.table(table)} t where ${sql.raw(where)}) as lines`.execute(
    db,
  )
  return rows[0] ?? { rows: 0, digest: null }
}
