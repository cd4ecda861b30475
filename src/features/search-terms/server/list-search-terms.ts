import { type RawBuilder, sql } from 'kysely'
import type { EndpointOutput, EndpointParsed, FileAnswer } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { type FigureSums, type MetricName, metricNames, metrics, toFigures } from '#shared/metrics.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { addDays } from '#shared/time.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import {
  figuresBy,
  metricColumns,
  metricSortKey,
  presentFreshness,
  settledClicksOfTerm,
  targetsOfTerm,
} from '#features/metrics/server/public.ts'
import {
  coveringKeyword,
  coveringNegative,
  describedTargets,
  idExists,
  tableOf,
} from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type Cell, fileColumn, fileName, readInParts, tableFile } from '#server/http/table-file.ts'
import { type SearchTerm, searchTermColumns, type searchTermEndpoints as endpoints } from '../contract.ts'
import { clicksToBeSure, expectedCvr, isAsin, mistakeChance } from '../rules.ts'
import { type TermKey, termsOf } from './read-terms.ts'

type Query = EndpointParsed<(typeof endpoints)['ofAccount']>['query']
type FileQuery = EndpointParsed<(typeof endpoints)['file']>['query']
type Page = EndpointOutput<(typeof endpoints)['ofAccount']>
type Covering = SearchTerm['coveredBy']
interface Row
  extends FigureSums,
    Pick<SearchTerm, 'adGroupId' | 'campaignId' | 'adGroupName' | 'campaignName' | 'adType'> {
  /** Null where the page is empty: the row then has the sums of all terms alone. */
  term: string | null
  matchedBy: SearchTerm['matchedBy']
  keyword: Covering
  negative: Covering
  settledClicks: number
  groupClicks: number
  groupOrders: number
  total: number
  all: Record<string, number>
}

/** A page of the search terms of one ad group. Throws NOT_FOUND when the current account has none of this id. */
export function listAdGroupTerms(ctx: Ctx, adGroupId: number, query: Query): Promise<Page> {
  return readAccount(ctx, async (tx, profile) => {
    if (!(await idExists(tx, 'adGroup', profile, adGroupId)))
      throw new AppError('NOT_FOUND', 'There is no such ad group.')
    return readTerms(ctx, tx, profile, { ...query, adGroupId })
  })
}

/** A page of the search terms of the current account, with the sums of all that match. */
export function listSearchTerms(ctx: Ctx, query: Query): Promise<Page> {
  return readAccount(ctx, (tx, profile) => readTerms(ctx, tx, profile, query))
}

/** All search terms that match as a file. The days and the order are fixed at the start; the rows are read in parts. */
export async function exportSearchTerms(ctx: Ctx, { format, columns, ...query }: FileQuery): Promise<FileAnswer> {
  const { profile, from, to, keys } = await readAccount(ctx, async (tx, account) => {
    const found = await termsOf(ctx, tx, account, query)
    const { rows } = await sql<TermKey>`select f.ad_group_id as "adGroupId", f.search_term as term from ${found.terms} f
      order by ${orderOf(query)}`.execute(tx)
    return { profile: account, from: found.from, to: found.to, keys: new Map(rows.map(key => [keyOf(key), key])) }
  })
  const read = async (part: string[]): Promise<SearchTerm[]> => {
    const among = part.flatMap(key => keys.get(key) ?? [])
    const page = { ...query, dateFrom: from, dateTo: to, page: 0, size: part.length }
    return ctx.db.reading(profile.merchantId, async tx => (await readTerms(ctx, tx, profile, page, among)).content)
  }
  const names = columns?.length ? columns : [...Object.keys(searchTermColumns), ...metricNames]
  async function* rows(): AsyncGenerator<Cell[]> {
    for await (const row of readInParts([...keys.keys()], keyOf, read))
      yield names.map(name => cellOf(row[name as keyof SearchTerm]))
  }
  return tableFile({
    name: fileName('search terms', profile, { from, to }),
    format,
    sheet: 'search terms',
    columns: names.map(name => {
      const { label, unit } = { ...metrics, ...searchTermColumns }[name as MetricName]
      return { ...fileColumn(label, unit, profile.currency), ...(name === 'term' && { width: 40 }) }
    }),
    rows: rows(),
  })
}

const keyOf = ({ adGroupId, term }: TermKey): string => `${adGroupId} ${term}`

type Clause = SearchTerm['matchedBy'][number]

// Of a clause its text and match type.
function cellOf(value: SearchTerm[keyof SearchTerm] | Clause): Cell {
  if (Array.isArray(value)) return value.map(clause => cellOf(clause)).join(', ')
  if (typeof value !== 'object' || value === null) return value
  return [value.text, value.matchType].filter(Boolean).join(' ')
}

const rowSums = sql.join(metricColumns.map(({ column, field }) => sql`p.${sql.ref(column)} as ${sql.ref(field)}`))
const allSums = sql.join(
  metricColumns.map(({ column, field }) => sql`${sql.lit(field)}, coalesce(sum(${sql.ref(column)}), 0)`),
)

/** A page of terms; with `among`, of those alone. */
async function readTerms(ctx: Ctx, tx: Db, profile: Profile, query: Query, among?: readonly TermKey[]): Promise<Page> {
  const { page, size, ...filter } = query
  const { from, to, freshness, terms } = await termsOf(ctx, tx, profile, filter, among)
  const order = orderOf(query)
  // What the ad groups usually convert, by the days that no longer change.
  const settledTo = freshness.movingFrom && freshness.movingFrom <= to ? addDays(freshness.movingFrom, -1) : to
  const rates = figuresBy('adGroup', profile, from, settledTo, { keys: sql`array(select ad_group_id from p)` })
  const { rows } = await sql<Row & { accountClicks: number; accountOrders: number }>`
    with f as materialized ${terms},
      p as materialized (select f.*, row_number() over (order by ${order}) as place
        from (select * from f order by ${order} limit ${size} offset ${page * size}) f),
      r as materialized (select * from ${rates} x),
      a as materialized (select * from ${figuresBy('profileAdGroups', profile, from, settledTo)} x)
    select p.search_term as term, ${rowSums}, p.ad_group_id as "adGroupId", p.campaign_id as "campaignId",
      ${settledClicksOfTerm(profile, 'p', { from, to: settledTo })} as "settledClicks",
      g.name as "adGroupName", c.name as "campaignName", c.ad_type as "adType",
      coalesce(r.clicks, 0) as "groupClicks", coalesce(r.orders, 0) as "groupOrders",
      ${coveringKeyword(profile)} as keyword, ${coveringNegative(profile)} as negative,
      ${describedTargets(profile, targetsOfTerm(profile, 'p', { from, to }))} as "matchedBy",
      (select count(*) from f)::float8 as total, (select jsonb_build_object(${allSums}) from f) as "all",
      coalesce((select clicks from a), 0) as "accountClicks", coalesce((select orders from a), 0) as "accountOrders"
    from (select) one
      left join (p join ${tableOf('adGroup')} g on g.merchant_id = ${profile.merchantId} and g.id = p.ad_group_id
        join ${tableOf('campaign')} c on c.merchant_id = g.merchant_id and c.id = p.campaign_id) on true
      left join r on r.key = p.ad_group_id
      left join p s on s.place = p.place
    order by p.place`.execute(tx)
  const [first] = rows
  if (!first) throw new Error('an outer join without a row')
  return {
    content: rows.flatMap(row => (row.term === null ? [] : [present({ ...row, term: row.term }, profile)])),
    page: pageInfo(page, size, first.total),
    currency: profile.currency,
    dateFrom: from,
    dateTo: to,
    totals: toFigures(first.all as unknown as FigureSums),
    freshness: presentFreshness(freshness),
  }
}

function orderOf({ sortBy, sortDir }: Pick<Query, 'sortBy' | 'sortDir'>): RawBuilder<unknown> {
  const key = sortBy === 'term' ? sql`f.search_term` : metricSortKey(sortBy as MetricName)
  return sql`${key} ${sortDir === 'asc' ? sql`asc` : sql`desc`} nulls last, f.search_term, f.ad_group_id`
}

function present(
  row: Row & { term: string; accountClicks: number; accountOrders: number },
  { currency }: Profile,
): SearchTerm {
  const { term, adGroupId, campaignId, adGroupName, campaignName, adType, matchedBy, keyword, negative } = row
  const cvr = expectedCvr(
    { clicks: row.accountClicks, orders: row.accountOrders },
    { clicks: row.groupClicks, orders: row.groupOrders },
  )
  return {
    term,
    kind: isAsin(term) ? 'PRODUCT' : 'TERM',
    campaignId,
    campaignName,
    adGroupId,
    adGroupName,
    adType,
    ...toFigures(row),
    currency,
    // A term that is negative here stays away, whatever runs elsewhere.
    coverage: negative ? 'NEGATIVE' : keyword ? 'KEYWORD' : 'NEW',
    coveredBy: negative ?? keyword,
    matchedBy,
    // An order of a day that may still change is an order; a click of such a day may still bring one.
    mistakeChance: mistakeChance({ clicks: row.settledClicks, orders: row.orders }, cvr),
    clicksToBeSure: clicksToBeSure(cvr),
    settledClicks: row.settledClicks,
  }
}
