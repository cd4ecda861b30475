import { sql } from 'kysely'
import { type Owner, tableOf } from '#features/structure/server/public.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Db } from '#server/db/tables.ts'
import type { FigureSums } from '#shared/metrics.ts'
import { metricColumns } from './metric-columns.ts'
import { figuresBy } from './read-figures.ts'

/** The sums of a campaign in two periods; without an id, of all campaigns that are not listed. */
export interface ComparedCampaign {
  campaignId: number | null
  name: string | null
  before: FigureSums
  after: FigureSums
}

interface Days {
  from: string
  to: string
}

/**
 * The campaigns whose spend and sales differ most between two periods, at most `most`, and one row for all others together.
 * Their sums are those of the account. A campaign without figures in a period has zeros there.
 */
export async function compareCampaigns(
  tx: Db,
  owner: Owner,
  before: Days,
  after: Days,
  most: number,
): Promise<ComparedCampaign[]> {
  const zeros = (alias: string) =>
    sql.raw(metricColumns.map(({ column }) => `coalesce(${alias}.${column}, 0) as ${alias}_${column}`).join(', '))
  const moved = (column: string) => sql.raw(`abs(coalesce(a.${column}, 0) - coalesce(b.${column}, 0))`)
  const totals = (alias: string) =>
    sql.raw(metricColumns.map(({ column }) => `sum(${alias}_${column})::float8 as ${alias}_${column}`).join(', '))
  const { rows } = await sql<Record<string, number | null> & { name: string | null }>`${prepared}
    with b as materialized (select * from ${figuresBy('campaign', owner, before.from, before.to, { isAlone: true })} x),
      a as materialized (select * from ${figuresBy('campaign', owner, after.from, after.to, { isAlone: true })} x),
      both_periods as (
        select coalesce(a.key, b.key) as key, ${zeros('b')}, ${zeros('a')},
          row_number() over (order by ${moved('cost_micros')} + ${moved('sales_micros')} desc, coalesce(a.key, b.key)) as place
        from b full join a on a.key = b.key
      ),
      listed as (
        select case when place <= ${most} then key end as key, ${totals('b')}, ${totals('a')}
        from both_periods group by 1
      )
    select l.key as "campaignId", c.name, l.* from listed l
      left join ${tableOf('campaign')} c on c.merchant_id = ${owner.merchantId} and c.id = l.key`.execute(tx)
  return rows.map(row => ({
    campaignId: row.campaignId ?? null,
    name: row.name,
    before: sumsOf(row, 'b'),
    after: sumsOf(row, 'a'),
  }))
}

const sumsOf = (row: Record<string, unknown>, alias: 'a' | 'b') =>
  Object.fromEntries(
    metricColumns.map(({ column, field }) => [field, row[`${alias}_${column}`]]),
  ) as unknown as FigureSums
