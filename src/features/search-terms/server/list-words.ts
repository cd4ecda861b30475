import { type RawBuilder, sql } from 'kysely'
import type { EndpointOutput, EndpointParsed } from '#shared/define-endpoint.ts'
import { fromMicros, type Micros } from '#shared/money.ts'
import { type FigureSums, type MetricName, toFigures } from '#shared/metrics.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { readAccount } from '#features/accounts/server/public.ts'
import { metricColumns, metricSortKey, presentFreshness } from '#features/metrics/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { searchTermEndpoints } from '../contract.ts'
import { termsOf } from './read-terms.ts'

type Endpoint = (typeof searchTermEndpoints)['words']

const ownSorts: Record<string, RawBuilder<unknown>> = {
  words: sql`f.words`,
  terms: sql`f.terms`,
  waste: sql`f."wasteMicros"`,
}
const named = sql.join(metricColumns.map(({ column, field }) => sql`f.${sql.ref(column)} as ${sql.ref(field)}`))
const summed = sql.join(metricColumns.map(({ column }) => sql`sum(s.${sql.ref(column)}) as ${sql.ref(column)}`))

/** Runs of `length` words, each summed over the terms that contain it; a term counts once for a run, ASINs not at all. */
export function listWords(
  ctx: Ctx,
  { page, size, sortBy, sortDir, length, ...filter }: EndpointParsed<Endpoint>['query'],
): Promise<EndpointOutput<Endpoint>> {
  return readAccount(ctx, async (tx, profile) => {
    const { from, to, freshness, terms } = await termsOf(ctx, tx, profile, filter)
    const key = ownSorts[sortBy] ?? metricSortKey(sortBy as MetricName)
    const { rows } = await sql<FigureSums & { words: string; terms: number; wasteMicros: Micros; total: number }>`
      with f as (
        select w.words, count(distinct s.search_term)::float8 as terms, ${summed},
          coalesce(sum(s.cost_micros) filter (where s.orders = 0), 0)::float8 as "wasteMicros"
        from ${terms} s
          cross join lateral (select string_to_array(s.search_term, ' ') as list) l
          cross join lateral (
            select distinct array_to_string(l.list[i : i + ${length}::int - 1], ' ') as words
            from generate_series(1, cardinality(l.list) - ${length}::int + 1) i
          ) w
        where s.search_term !~ '^b0[a-z0-9]{8}$' group by w.words
      )
      select f.words, f.terms, f."wasteMicros", ${named}, count(*) over ()::float8 as total from f
      order by ${key} ${sortDir === 'asc' ? sql`asc` : sql`desc`} nulls last, f.words
      limit ${size} offset ${page * size}`.execute(tx)
    return {
      content: rows.map(row => ({
        words: row.words,
        terms: row.terms,
        ...toFigures(row),
        waste: fromMicros(row.wasteMicros),
      })),
      page: pageInfo(page, size, rows[0]?.total ?? 0),
      currency: profile.currency,
      dateFrom: from,
      dateTo: to,
      freshness: presentFreshness(freshness),
    }
  })
}
