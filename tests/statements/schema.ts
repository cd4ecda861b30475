import { sql } from 'kysely'
import { kindOf } from '#server/db/distribute/plan.ts'
import type { Db } from '#server/db/tables.ts'
import type { Schema } from './rules.ts'

const column = 'merchant_id'

/** Reads from a migrated database what the rules must know of it. */
export async function readSchema(db: Db): Promise<Schema> {
  const tables = await sql<{
    name: string
    hasMerchant: boolean
  }>`select relname as name, exists (select from pg_attribute a
      where a.attrelid = c.oid and a.attname = ${column} and not a.attisdropped) as "hasMerchant"
    from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`.execute(db)
  const functions = await sql<{ name: string; volatility: 'volatile' | 'stable' }>`
    select proname || '/' || case when provariadic = 0 then pronargs::text else '' end as name, case max(provolatile::text) when 'v' then 'volatile' else 'stable' end as volatility
    from pg_proc where provolatile <> 'i' group by 1`.execute(db)
  const times = await sql<{ name: string }>`select distinct attname as name from pg_attribute
    where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p'))
      and atttypid in ('date'::regtype, 'timestamptz'::regtype, 'timestamp'::regtype)`.execute(db)
  const kinds = new Map(tables.rows.map(table => [table.name, kindOf(table)]))
  const volatility = new Map(functions.rows.map(row => [row.name, row.volatility]))
  const timeNames = new Set(times.rows.map(row => row.name))
  return {
    column,
    kindOf: table => kinds.get(table) ?? null,
    // Those of any number of arguments have none in their name.
    volatilityOf: (name, args) => volatility.get(`${name}/${args}`) ?? volatility.get(`${name}/`) ?? 'immutable',
    isTime: column => timeNames.has(column),
  }
}
