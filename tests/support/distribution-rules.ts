import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

/** What a schema must keep to, so that its tables could be spread over several servers by one column. */
export interface DistributionRules {
  column: string
  /** Tables copied to every server. */
  reference: readonly string[]
  /** Tables that stay on one server. */
  local: readonly string[]
}

type Kind = 'distributed' | 'reference' | 'local'
type KindOf = (table: string) => Kind

interface Found {
  table: string
}

async function ask<R>(db: Db, text: string, column: string): Promise<R[]> {
  const { rows } = await sql<R>`${sql.raw(text.replaceAll('$column', `'${column}'`))}`.execute(db)
  return rows
}

const tablesSql = `select c.relname as "table", a.attnum is not null as has, coalesce(a.attnotnull, false) as required,
    format_type(a.atttypid, a.atttypmod) as type
  from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = $column and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`

const indexesSql = `select t.relname as "table", i.relname as index, exists (select from unnest(x.indkey) k
    join pg_attribute a on a.attrelid = t.oid and a.attnum = k where a.attname = $column) as has
  from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
  where t.relnamespace = 'public'::regnamespace and (x.indisunique or x.indisexclusion) and not t.relispartition`

const keysSql = `select c.conname as name, t.relname as "table", r.relname as target, c.confdeltype::text as deletion,
    exists (select from generate_subscripts(c.conkey, 1) s
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[s]
      join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[s]
      where a.attname = $column and b.attname = $column) as pair,
    (c.confdelsetcols is null or exists (select from pg_attribute a
      where a.attrelid = c.conrelid and a.attnum = any(c.confdelsetcols) and a.attname = $column)) as takes
  from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class r on r.oid = c.confrelid
  where t.relnamespace = 'public'::regnamespace and c.contype = 'f' and c.conparentid = 0`

const triggersSql = `select t.relname as "table", g.tgname as name from pg_trigger g join pg_class t on t.oid = g.tgrelid
  where t.relnamespace = 'public'::regnamespace and not g.tgisinternal`

const countersSql = `select t.relname as "table", a.attname as name, format_type(a.atttypid, null) as type
  from pg_attribute a join pg_class t on t.oid = a.attrelid
  where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition and a.attnum > 0
    and (a.attidentity <> '' or exists (select from pg_attrdef d
      where d.adrelid = t.oid and d.adnum = a.attnum and pg_get_expr(d.adbin, d.adrelid) like 'nextval(%'))`

const viewsSql = `select relname as "table" from pg_class where relnamespace = 'public'::regnamespace and relkind = 'm'`

interface ForeignKey extends Found {
  name: string
  target: string
  deletion: string
  pair: boolean
  takes: boolean
}

function brokenKey(column: string, kindOf: KindOf, key: ForeignKey): string[] {
  const [from, to] = [kindOf(key.table), kindOf(key.target)]
  const name = `${key.table}.${key.name}`
  const broken: string[] = []
  if (from === 'distributed' && to === 'distributed' && !key.pair)
    broken.push(`${name}: foreign key to ${key.target} lacks the pair ${column} = ${column}`)
  if (from === 'distributed' && to === 'local')
    broken.push(`${name}: distributed table refers to local table ${key.target}`)
  if (from !== 'distributed' && to === 'distributed')
    broken.push(`${name}: ${from} table refers to distributed table ${key.target}`)
  if (from === 'distributed' && key.pair && (key.deletion === 'n' || key.deletion === 'd') && key.takes)
    broken.push(`${name}: on delete set null or default would set ${column}; name the columns`)
  return broken
}

/** Every breach of the rules that a distributed PostgreSQL (Citus) makes, in words; empty when there is none. */
export async function brokenRules(db: Db, { column, reference, local }: DistributionRules): Promise<string[]> {
  const kindOf: KindOf = table =>
    reference.includes(table) ? 'reference' : local.includes(table) ? 'local' : 'distributed'
  const distributed = <F extends Found>(found: readonly F[]) => found.filter(f => kindOf(f.table) === 'distributed')
  const tables = distributed(
    await ask<Found & { has: boolean; required: boolean; type: string }>(db, tablesSql, column),
  )
  const indexes = distributed(await ask<Found & { index: string; has: boolean }>(db, indexesSql, column))
  const keys = await ask<ForeignKey>(db, keysSql, column)
  const triggers = distributed(await ask<Found & { name: string }>(db, triggersSql, column))
  const counters = distributed(await ask<Found & { name: string; type: string }>(db, countersSql, column))
  const views = await ask<Found>(db, viewsSql, column)
  const types = new Set(tables.filter(t => t.has).map(t => t.type))
  return [
    ...tables
      .filter(t => !t.has)
      .map(t => `${t.table}: no ${column} column (distribute it, or list it as reference or local)`),
    ...tables.filter(t => t.has && !t.required).map(t => `${t.table}.${column}: nullable`),
    ...(types.size > 1 ? [`${column} has several types: ${[...types].join(', ')}`] : []),
    ...indexes.filter(i => !i.has).map(i => `${i.table}: unique index ${i.index} lacks ${column}`),
    ...keys.flatMap(key => brokenKey(column, kindOf, key)),
    ...triggers.map(t => `${t.table}: trigger ${t.name}`),
    ...counters.filter(c => c.type !== 'bigint').map(c => `${c.table}.${c.name}: sequence on ${c.type}; needs bigint`),
    ...views.map(v => `${v.table}: materialized view stays on one server; use a table of sums`),
  ]
}
