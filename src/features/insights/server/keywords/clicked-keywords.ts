import { sql } from 'kysely'
import type { Profile } from '#features/accounts/server/public.ts'
import { columnTotals, figuresBy, metricColumns, metricSortKey } from '#features/metrics/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { FigureSums, MetricName } from '#shared/metrics.ts'
import { rememberRows } from './remember-rows.ts'

interface Days {
  from: string
  to: string
}

/** A keyword or target by our id, with its figures. */
interface Clicked extends FigureSums {
  id: number
}

/** The first keywords of an order with how many there are in all, and the sums of all. */
interface FirstClicked {
  first: readonly Clicked[]
  total: number
  totals: FigureSums
}

/** Who goes on after so many pages looks for something else; two pages of the longest. */
export const mostClicked = 400

// Each takes some 200 bytes.
const remembered = rememberRows<FirstClicked>(20_000, ({ first }) => first.length)

/**
 * The keywords and targets that were clicked in the days, the first of them in an order. The sums of all are needed for it,
 * so they are made once for all pages until something is written.
 */
export const clickedKeywords = (
  tx: Db,
  profile: Profile,
  days: Days,
  order: { sortBy: MetricName; sortDir: 'asc' | 'desc' },
): Promise<FirstClicked> =>
  remembered(tx, profile, [days.from, days.to, order.sortBy, order.sortDir], () =>
    readClicked(tx, profile, days, order),
  )

const sums = sql.join(metricColumns.map(({ column }) => sql.ref(column)))
const allSums = sql.join(
  metricColumns.map(({ column, field }) => sql`coalesce(${sql.ref(`s.${column}`)}, 0)::float8 as ${sql.ref(field)}`),
)

async function readClicked(
  tx: Db,
  profile: Profile,
  { from, to }: Days,
  { sortBy, sortDir }: { sortBy: MetricName; sortDir: 'asc' | 'desc' },
): Promise<FirstClicked> {
  const inOrder = sql`sort_key ${sortDir === 'asc' ? sql`asc` : sql`desc`} nulls last, key`
  // As one value: hundreds of rows would take longer to receive than to read.
  const { rows } = await sql<FigureSums & { total: number; first: number[][] }>`
    with m as materialized (select f.*, ${metricSortKey(sortBy)} as sort_key
        from ${figuresBy('target', profile, from, to, { isAlone: true })} f where f.clicks > 0),
      p as (select * from m order by ${inOrder} limit ${mostClicked})
    select s.total, ${allSums},
      (select coalesce(json_agg(json_build_array(key, ${sums}) order by ${inOrder}), '[]') from p) as first
    from (select count(*)::float8 as total, ${columnTotals} from m) s`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('an aggregate without a row')
  const { total, first, ...totals } = row
  return { total, totals, first: first.map(values => clickedOf(values)) }
}

function clickedOf([id, ...values]: number[]): Clicked {
  const figures = Object.fromEntries(metricColumns.map(({ field }, i) => [field, values[i]]))
  return { id: id as number, ...(figures as unknown as FigureSums) }
}
