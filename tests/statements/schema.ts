import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { Schema } from './rules.ts'

/** Reads from a migrated database what the rules must know of it. */
export async function readSchema(db: Db, kindOf: Schema['kindOf']): Promise<Schema> {
  const functions = await sql<{ name: string; volatility: 'volatile' | 'stable' }>`
    select proname || '/' || case when provariadic = 0 then pronargs::text else '' end as name, case max(provolatile::text) when 'v' then 'volatile' else 'stable' end as volatility
    from pg_proc where provolatile <> 'i' group by 1`.execute(db)
  const times = await sql<{ name: string }>`select distinct attname as name from pg_attribute
    where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p'))
      and atttypid in ('date'::regtype, 'timestamptz'::regtype, 'timestamp'::regtype)`.execute(db)
  const volatility = new Map(functions.rows.map(row => [row.name, row.volatility]))
  const timeNames = new Set(times.rows.map(row => row.name))
  return {
    column: 'merchant_id',
    kindOf,
    // Those of any number of arguments have none in their name.
    volatilityOf: (name, args) => volatility.get(`${name}/${args}`) ?? volatility.get(`${name}/`) ?? 'immutable',
    isTime: column => timeNames.has(column),
  }
}
