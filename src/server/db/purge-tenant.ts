import { sql } from 'kysely'
import type { Db } from './tables.ts'

const batchSize = 5000

/** Every table with tenants' rows, referencing ones first; read from the database, so that no new one is forgotten. */
export async function tenantTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; refers: string[] }>`
    select c.relname as name, coalesce((select array_agg(distinct p.relname::text) from pg_constraint k
        join pg_class p on p.oid = k.confrelid where k.contype = 'f' and k.conrelid = c.oid and p.oid <> c.oid), '{}') as refers
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    where c.relkind in ('r', 'p') and not c.relispartition
      and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'merchant_id' and not a.attisdropped)
    order by c.relname`.execute(db)
  const remaining = new Map(rows.map(row => [row.name, row.refers]))
  const ordered: string[] = []
  while (remaining.size) {
    const next = [...remaining.keys()].find(name => ![...remaining.values()].some(refers => refers.includes(name)))
    if (next === undefined) throw new Error(`these tables reference each other: ${[...remaining.keys()].join(', ')}`)
    ordered.push(next)
    remaining.delete(next)
  }
  return ordered
}

/**
 * Deletes the rows of one tenant from all tables except those of `keep`, in batches, so that no statement blocks others
 * for long. If it is interrupted, calling it again continues. Returns the number of rows deleted from each table.
 */
export async function purgeTenant(
  db: Db,
  merchantId: number,
  keep: readonly string[],
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {}
  for (const table of await tenantTables(db)) {
    if (keep.includes(table)) continue
    for (let removed = batchSize; removed >= batchSize; ) {
      signal.throwIfAborted()
      // A ctid is unique within one partition only: those of other partitions that go as well are the same merchant's.
      const result = await sql`delete from ${sql.table(table)} where merchant_id = ${merchantId} and ctid = any(array(
        select ctid from ${sql.table(table)} where merchant_id = ${merchantId} limit ${batchSize}))`.execute(db)
      removed = Number(result.numAffectedRows ?? 0)
      if (removed) deleted[table] = (deleted[table] ?? 0) + removed
    }
  }
  return deleted
}
