import { sql } from 'kysely'
import type { Db } from './tables.ts'

const atOnce = 5000

/**
 * Every table with rows of tenants, those that refer to others first, so that they can be emptied in this order. Read from
 * the database itself, so that no table that a feature adds is ever forgotten.
 */
export async function tenantTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; refers: string[] }>`
    select c.relname as name, coalesce((select array_agg(distinct p.relname::text) from pg_constraint k
        join pg_class p on p.oid = k.confrelid where k.contype = 'f' and k.conrelid = c.oid and p.oid <> c.oid), '{}') as refers
    from pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    where c.relkind in ('r', 'p') and not c.relispartition
      and exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'merchant_id' and not a.attisdropped)
    order by c.relname`.execute(db)
  const left = new Map(rows.map(row => [row.name, row.refers]))
  const ordered: string[] = []
  while (left.size) {
    const next = [...left.keys()].find(name => ![...left.values()].some(refers => refers.includes(name)))
    if (next === undefined) throw new Error(`tables refer to each other in a circle: ${[...left.keys()].join(', ')}`)
    ordered.push(next)
    left.delete(next)
  }
  return ordered
}

/**
 * Deletes every row of one tenant from every table but those of `keep`, a few thousand at a time, so that nobody waits
 * long; broken off, it goes on where it was when called again. Returns how many rows each table lost.
 */
export async function purgeTenant(
  db: Db,
  merchantId: number,
  keep: readonly string[],
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const lost: Record<string, number> = {}
  for (const table of await tenantTables(db)) {
    if (keep.includes(table)) continue
    for (let removed = atOnce; removed === atOnce; ) {
      signal.throwIfAborted()
      // A row's place is its own within one part of a table only, so that it takes the merchant to name it.
      const result = await sql`delete from ${sql.table(table)} where merchant_id = ${merchantId} and ctid = any(array(
        select ctid from ${sql.table(table)} where merchant_id = ${merchantId} limit ${atOnce}))`.execute(db)
      removed = Number(result.numAffectedRows ?? 0)
      if (removed) lost[table] = (lost[table] ?? 0) + removed
    }
  }
  return lost
}
