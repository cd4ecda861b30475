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
  from (
    select sku, cogs_micros, valid_from, lead(valid_from, 1, 'infinity') over (partition by sku order by valid_from) as next_from
    from product_cost where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId}) as c
  join unnest(${spans.map(span => span.from)}::date[], ${spans.map((_, i) => i)}::int[]) as d(day, span)
    on d.day >= c.valid_from and d.day < c.next_from
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
  const areKnown = sql`cogs_micros is not null and fees_micros is not null`
  const total = (amount: RawBuilder<unknown>, name: string) =>
    sql`coalesce(sum(${amount}) filter (where ${areKnown}), 0)::float8 as ${sql.ref(name)}`
  // Letters in the order of their bytes, which sorts soonest; they are only counted.
  const count = (condition: RawBuilder<unknown>, name: string) =>
    sql`count(distinct asin collate "C") filter (where ${condition})::float8 as ${sql.ref(name)}`
  // Each part is made once and looked up in a hash table: the planner, which expects few rows, would compare all with all.
  const { rows } = await sql<SoldAtCost>`${prepared}with f as materialized (
      select * from ${productSales(account, spans)} s where total_units <> 0 or total_sales_micros <> 0
    ), c as materialized (select * from ${goodsCosts(account, spans)} c),
    u as materialized (select * from ${unitFees(account)} u),
    sold as materialized (select f.*, c.cogs_micros, u.fees_micros from f
      left join c on c.asin = f.asin and c.span = f.span left join u on u.asin = f.asin)
    select (select count(*) from product_trade_pull where merchant_id = ${account.merchantId}
        and marketplace_id = ${account.marketplaceId} and date between p.first and p.last)::float8 as "importedDays", s.*
    from unnest(${starts}::date[], ${ends}::date[]) with ordinality as p(first, last, period)
    cross join lateral (
      select ${total(sql`total_sales_micros`, 'salesMicros')}, ${total(sql`total_units * fees_micros`, 'feesMicros')},
        ${total(sql`total_units * cogs_micros`, 'goodsMicros')}, ${count(areKnown, 'withCosts')},
        ${count(sql`cogs_micros is null`, 'missingCogs')}, ${count(sql`fees_micros is null`, 'missingFees')}
      from sold where (${spans.map(span => span.period + 1)}::int[])[sold.span + 1] = p.period) s
    order by p.period`.execute(tx)
  return rows
}

const cutBy = (cuts: readonly Days[], { from, to }: Days): Days[] =>
  cuts
    .filter(cut => cut.from <= to && cut.to >= from)
    .map(cut => ({ from: cut.from < from ? from : cut.from, to: cut.to > to ? to : cut.to }))
