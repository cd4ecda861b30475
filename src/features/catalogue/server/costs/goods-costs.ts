import { type RawBuilder, sql } from 'kysely'
import { productSales } from '#features/metrics/server/public.ts'
import type { Micros } from '#shared/money.ts'
import { addDays } from '#shared/time.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Db } from '#server/db/tables.ts'
import type { Shop } from './cost-rows.ts'

interface Days {
  from: string
  to: string
}

/** The days of a range, cut wherever the cost of any product changed: within a span each cost is one. */
export async function costSpans(tx: Db, { merchantId, marketplaceId }: Shop, { from, to }: Days): Promise<Days[]> {
  const { rows } = await sql<{ day: string }>`${prepared}select distinct valid_from as day from product_cost
    where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and valid_from > ${from} and valid_from <= ${to}
    order by valid_from`.execute(tx)
  const starts = [from, ...rows.map(row => row.day)]
  return starts.map((start, i) => {
    const next = starts[i + 1]
    return { from: start, to: next === undefined ? to : addDays(next, -1) }
  })
}

/**
 * A subquery to join with (alias it): what a unit of each product cost on the first day of each span, with `asin`, `span`
 * (its place in `spans`) and `cogs_micros`. Where the costs of an ASIN's skus differ the highest counts, so that profit is
 * never overstated. A product is missing where no cost was entered for it.
 */
export const goodsCosts = ({ merchantId, marketplaceId }: Shop, spans: readonly Days[]): RawBuilder<unknown> => sql`(
  select p.asin, d.span, max(c.cogs_micros) as cogs_micros
  from unnest(${spans.map(span => span.from)}::date[], ${spans.map((_, i) => i)}::int[]) as d(day, span)
  cross join lateral (
    select distinct on (sku) sku, cogs_micros from product_cost
    where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and valid_from <= d.day
    order by sku, valid_from desc) as c
  join product p on p.merchant_id = ${merchantId} and p.marketplace_id = ${marketplaceId} and p.sku = c.sku
  where p.asin is not null group by p.asin, d.span)`

/** What the marketplace keeps of the sale of a unit, by its estimate, by `asin`; of several skus the highest counts. */
export const unitFees = ({ merchantId, marketplaceId }: Shop): RawBuilder<unknown> => sql`(
  select asin, max(fees_micros) as fees_micros from product
  where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and asin is not null group by asin)`

/** What was sold, where the cost and the fees of a unit are known; and of how many products one of them is missing. */
export interface SoldAtCost {
  /** Of how many of the period's days the sales by product are imported. */
  importedDays: number
  salesMicros: Micros
  feesMicros: Micros
  goodsMicros: Micros
  /** Products that sold while both were known. */
  withCosts: number
  missingCogs: number
  missingFees: number
}

/** The sales of all products in each of the periods, whose days are both included, at the costs of those days. */
export async function soldAtCost(
  tx: Db,
  account: Shop & { profileId: number },
  periods: readonly Days[],
): Promise<SoldAtCost[]> {
  const [starts, ends] = [periods.map(period => period.from), periods.map(period => period.to)]
  const [from, to] = [starts.toSorted()[0], ends.toSorted().at(-1)]
  if (from === undefined || to === undefined) return []
  const cuts = await costSpans(tx, account, { from, to })
  const spans = periods.flatMap((period, index) => cutBy(cuts, period).map(span => ({ ...span, period: index })))
  const areKnown = sql`c.cogs_micros is not null and u.fees_micros is not null`
  const total = (amount: RawBuilder<unknown>, name: string) =>
    sql`coalesce(sum(${amount}) filter (where ${areKnown}), 0)::float8 as ${sql.ref(name)}`
  const count = (condition: RawBuilder<unknown>, name: string) =>
    sql`count(distinct f.asin) filter (where ${condition})::float8 as ${sql.ref(name)}`
  const { rows } = await sql<SoldAtCost>`
    select (select count(*) from product_trade_pull where merchant_id = ${account.merchantId}
        and marketplace_id = ${account.marketplaceId} and date between p.first and p.last)::float8 as "importedDays",
      ${total(sql`f.total_sales_micros`, 'salesMicros')}, ${total(sql`f.total_units * u.fees_micros`, 'feesMicros')},
      ${total(sql`f.total_units * c.cogs_micros`, 'goodsMicros')}, ${count(areKnown, 'withCosts')},
      ${count(sql`c.cogs_micros is null`, 'missingCogs')}, ${count(sql`u.fees_micros is null`, 'missingFees')}
    from unnest(${starts}::date[], ${ends}::date[]) with ordinality as p(first, last, period)
    left join unnest(${spans.map(span => span.period + 1)}::int[]) with ordinality as x(period, span) on x.period = p.period
    left join ${productSales(account, spans)} f on f.span = x.span - 1 and (f.total_units <> 0 or f.total_sales_micros <> 0)
    left join ${goodsCosts(account, spans)} c on c.asin = f.asin and c.span = f.span
    left join ${unitFees(account)} u on u.asin = f.asin
    group by p.period, p.first, p.last order by p.period`.execute(tx)
  return rows
}

const cutBy = (cuts: readonly Days[], { from, to }: Days): Days[] =>
  cuts
    .filter(cut => cut.from <= to && cut.to >= from)
    .map(cut => ({ from: cut.from < from ? from : cut.from, to: cut.to > to ? to : cut.to }))
