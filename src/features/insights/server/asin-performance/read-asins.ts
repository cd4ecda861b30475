import { type RawBuilder, sql } from 'kysely'
import type { Profile } from '#features/accounts/server/public.ts'
import {
  coverOf,
  goodsCosts,
  joinPace,
  matchesText,
  type Pace,
  stockByAsin,
  unitFees,
} from '#features/catalogue/server/public.ts'
import { columnTotals, figuresOf, metricColumns, metricSortKey, productSums } from '#features/metrics/server/public.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Db } from '#server/db/tables.ts'
import { type FigureSums, type MetricName, metrics } from '#shared/metrics.ts'
import type { Micros } from '#shared/money.ts'
import type { AsinColumn } from '../../asin-columns.ts'

export interface Days {
  from: string
  to: string
}

export interface AsinRequest {
  /** The days that count, also cut wherever a cost changed, and those before them. */
  days: Days
  spans: readonly Days[]
  previous: Days
  search?: string | undefined
  /** Only these products; absent: all of them. */
  asins?: readonly string[] | undefined
  sortBy: AsinColumn
  sortDir: 'asc' | 'desc'
  pace: Pace | null
  /** False while the sales by product of a day are missing: total sales and all that needs them are unknown. */
  hasTrade: boolean
}

/** What products did in some days; the terms of profit are of the sales at known costs. */
export interface ProductTotals extends FigureSums {
  totalUnits: number
  totalSalesMicros: Micros
  knownSalesMicros: Micros
  feesMicros: Micros
  goodsMicros: Micros
}
const tradeColumns = {
  totalUnits: 'total_units',
  totalSalesMicros: 'total_sales_micros',
  knownSalesMicros: 'known_sales',
  feesMicros: 'known_fees',
  goodsMicros: 'known_goods',
} as const
const selected = (alias: string) =>
  sql.join(
    Object.entries(tradeColumns).map(
      ([field, column]) => sql`coalesce(${sql.ref(`${alias}.${column}`)}, 0)::float8 as ${sql.ref(field)}`,
    ),
  )

/** A subquery: one row for each product that did anything in the days, at the costs of those days. */
function figuresByAsin(account: Profile, spans: readonly Days[], asins?: readonly string[]): RawBuilder<unknown> {
  const hasCosts = sql`c.cogs_micros is not null and u.fees_micros is not null`
  const sold = sql`(total_units <> 0 or total_sales_micros <> 0)`
  const ofKnown = (amount: RawBuilder<unknown>) => sql`coalesce(sum(${amount}) filter (where ${hasCosts}), 0)`
  return sql`(
    select r.asin, ${columnTotals}, sum(total_units) as total_units, sum(total_sales_micros) as total_sales_micros,
      ${ofKnown(sql`total_sales_micros`)} as known_sales, ${ofKnown(sql`total_units * u.fees_micros`)} as known_fees,
      ${ofKnown(sql`total_units * c.cogs_micros`)} as known_goods,
      bool_or(c.cogs_micros is null and ${sold}) as misses_cogs, bool_or(u.fees_micros is null and ${sold}) as misses_fees
    from ${productSums(account, spans, asins)} r
    left join ${goodsCosts(account, spans)} c on c.asin = r.asin and c.span = r.span
    left join ${unitFees(account)} u on u.asin = r.asin
    group by r.asin)`
}

/** What products `f` with stock `k` and pace `w` are ordered by; null where it is unknown. */
function sortKeyOf({ sortBy, hasTrade, pace }: AsinRequest): RawBuilder<unknown> {
  if (sortBy === 'title') return sql`l.name`
  if (sortBy in metrics) return metricSortKey(sortBy as MetricName)
  if (sortBy === 'available') return sql`k.available`
  if (sortBy === 'coverDays') return coverOf(pace)
  if (!hasTrade) return sql`null::float8`
  if (sortBy === 'totalUnits') return sql`coalesce(f.total_units, 0)`
  if (sortBy === 'totalSales') return sql`coalesce(f.total_sales_micros, 0)`
  // Spend without sales is the worst TACOS.
  if (sortBy === 'tacos')
    return sql`case when f.total_sales_micros > 0 then f.cost_micros / f.total_sales_micros
      when f.cost_micros > 0 then 'Infinity'::float8 end`
  return sql`case when f.asin is null then 0 when not f.misses_cogs and not f.misses_fees
    then f.known_sales - f.known_fees - f.known_goods - f.cost_micros end`
}

const needsStock = new Set<AsinColumn>(['available', 'coverDays'])

/**
 * The products that match: those that are listed, and others that did something in the days. Gives the ASINs of a page (or
 * all of them) in order, unknown values last, with how many match and their sums.
 */
export async function readOrder(
  tx: Db,
  account: Profile,
  request: AsinRequest,
  page?: { page: number; size: number },
): Promise<{ asins: string[]; total: number; missingCosts: number; totals: ProductTotals }> {
  const { merchantId, marketplaceId } = account
  const { spans, search, sortBy, sortDir, pace, asins: only } = request
  const figures = figuresByAsin(account, spans, only)
  const isFound = search ? sql`(l.asin is not null or strpos(lower(f.asin), ${search.toLowerCase()}) > 0)` : sql`true`
  const inOrder = sql`sort_key ${sortDir === 'asc' ? sql`asc` : sql`desc`} nulls last, asin`
  const stock = needsStock.has(sortBy)
    ? sql`left join ${stockByAsin(account)} k on k.asin = coalesce(f.asin, l.asin) ${joinPace(pace, sql`coalesce(f.asin, l.asin)`)}`
    : sql``
  const tradeSums = sql.join(
    Object.values(tradeColumns).map(column => sql`sum(${sql.ref(column)}) as ${sql.ref(column)}`),
  )
  const { rows } = await sql<ProductTotals & { asins: string[]; total: number; missingCosts: number }>`
    with m as materialized (
      select coalesce(f.asin, l.asin) as asin, ${sortKeyOf(request)} as sort_key, f.misses_cogs or f.misses_fees as misses_costs,
        ${sql.join(metricColumns.map(({ column }) => sql.ref(`f.${column}`)))},
        ${sql.join(Object.values(tradeColumns).map(column => sql.ref(`f.${column}`)))}
      from ${figures} f full join (
        select asin, min(lower(title)) as name, bool_or(gone_at is null) as is_listed from product
        where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and asin is not null
          ${search ? sql`and ${matchesText(search)}` : sql``} ${only ? sql`and asin = any(${[...only]}::text[])` : sql``}
        group by asin) l on l.asin = f.asin ${stock}
      where (f.asin is not null or l.is_listed) and ${isFound}
    ), s as (
      select count(*)::float8 as total, count(*) filter (where misses_costs)::float8 as missing, ${columnTotals}, ${tradeSums} from m
    )
    select coalesce((select array_agg(asin order by ${inOrder}) from (
        select asin, sort_key from m order by ${inOrder} ${page ? sql`limit ${page.size} offset ${page.page * page.size}` : sql``}) p),
        '{}') as asins, s.total, s.missing as "missingCosts", ${figuresOf('s')}, ${selected('s')}
    from s`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('an aggregate without a row')
  const { asins, total, missingCosts, ...totals } = row
  return { asins, total, missingCosts, totals }
}

/** A product with its figures; what happened before has `before` in front. */
export interface AsinFigures extends ProductTotals {
  asin: string
  title: string | null
  imageUrl: string | null
  missesCogs: boolean
  missesFees: boolean
  available: number | null
  coverDays: number | null
  before: FigureSums & { totalUnits: number; totalSalesMicros: Micros }
}

/** These products with their figures, in any order. */
export async function readFigures(
  tx: Db,
  account: Profile,
  asins: readonly string[],
  { spans, previous, pace }: Pick<AsinRequest, 'spans' | 'previous' | 'pace'>,
): Promise<AsinFigures[]> {
  const { merchantId, marketplaceId } = account
  const beforeFields = [
    ...metricColumns.map(({ column, field }) => [field, column] as const),
    ['totalUnits', 'total_units'] as const,
    ['totalSalesMicros', 'total_sales_micros'] as const,
  ]
  const before = sql.join(
    beforeFields.map(([field, column]) => sql`${field}::text, coalesce(${sql.ref(`b.${column}`)}, 0)`),
  )
  const { rows } = await sql<AsinFigures>`${prepared}
    select a.asin, l.title, l.image_url as "imageUrl", ${figuresOf('f')}, ${selected('f')},
      coalesce(f.misses_cogs, false) as "missesCogs", coalesce(f.misses_fees, false) as "missesFees",
      k.available, ${coverOf(pace)} as "coverDays", jsonb_build_object(${before}) as before
    from unnest(${[...asins]}::text[]) as a(asin)
    left join ${figuresByAsin(account, spans, asins)} f on f.asin = a.asin
    left join ${productSums(account, [previous], asins)} b on b.asin = a.asin
    left join lateral (
      select title, image_url from product p
      where p.merchant_id = ${merchantId} and p.marketplace_id = ${marketplaceId} and p.asin = a.asin
      order by p.gone_at is not null, p.title is null, p.id limit 1) l on true
    left join ${stockByAsin(account, asins)} k on k.asin = a.asin
    ${joinPace(pace, sql`a.asin`, asins)}`.execute(tx)
  return rows
}
