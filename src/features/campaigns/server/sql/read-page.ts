import { sql } from 'kysely'
import { type FigureState, figureStateOf } from '#features/metrics/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { type Listing, type Owner, type PageOptions, withFigures } from './listing.ts'
import { sortKey } from './sort-keys.ts'

/** Sums; money in micros. */
export interface Sums {
  impressions: number
  clicks: number
  cost: number
  sales: number
  orders: number
  units: number
}

interface Totals extends Sums {
  total: number
}

const figureNames = ['impressions', 'clicks', 'cost', 'sales', 'orders', 'units'] as const
const figureList = (alias: string, prefix = '') =>
  sql.join(figureNames.map(name => sql`${sql.ref(`${alias}.${name}`)} as ${sql.ref(prefix + name)}`))

/**
 * One page of rows with their figures, how many match and their sums over all pages, and the state of the figures, in one
 * pass over the facts.
 * What is not known comes last either way; equal rows are ordered by id, so that no row is met on two pages.
 */
export const readPage = async <Columns>(
  tx: Db,
  owner: Owner,
  listing: Listing<Columns>,
  options: PageOptions,
): Promise<{ rows: (Columns & Sums)[]; total: number; totals: Sums; state: FigureState | null }> => {
  const { from, to, page, size, sortBy } = options
  const direction = options.sortDir === 'asc' ? sql`asc` : sql`desc`
  const result = await sql<Record<string, unknown>>`
    with m as materialized (
      select t.id, ${sortKey(sortBy)} as sort_key, ${sql.join(figureNames.map(n => sql`coalesce(${sql.ref(`f.${n}`)}, 0) as ${sql.ref(n)}`))}
      from ${withFigures(owner, listing, from, to)}
    ), p as (
      select * from m order by sort_key ${direction} nulls last, id limit ${size} offset ${page * size}
    ), s as (
      select count(*)::float8 as total, ${sql.join(figureNames.map(n => sql`coalesce(sum(${sql.ref(n)}), 0) as ${sql.ref(n)}`))} from m
    )
    select ${listing.columns}, ${figureList('p')}, s.total as "all_total", ${figureList('s', 'all_')}, ${figureStateOf(owner)} as "figure_state"
    from s left join (p join ${sql.table(listing.table)} t on t.merchant_id = ${owner.merchantId} and t.id = p.id) on true
    order by p.sort_key ${direction} nulls last, p.id`.execute(tx)
  const [first] = result.rows
  const totals = Object.fromEntries(['total', ...figureNames].map(n => [n, Number(first?.[`all_${n}`] ?? 0)]))
  const { total, ...sums } = totals as unknown as Totals
  // An empty page still has its row of sums. The columns are the listing's own, so the row is what it says.
  const rows = result.rows.filter(row => row.id !== null) as unknown as (Columns & Sums)[]
  return { rows, total, totals: sums, state: (first?.figure_state ?? null) as FigureState | null }
}
