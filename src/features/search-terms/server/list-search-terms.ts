import { type RawBuilder, sql } from 'kysely'
import type { EndpointOutput, EndpointParsed } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { type FigureSums, type MetricName, toFigures } from '#shared/metrics.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { addDays } from '#shared/time.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { figuresBy, metricColumns, metricSortKey, presentFreshness } from '#features/metrics/server/public.ts'
import {
  coveringKeyword,
  coveringNegative,
  describedTargets,
  idExists,
  tableOf,
} from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { SearchTerm, searchTermEndpoints as endpoints } from '../contract.ts'
import { clicksToBeSure, expectedCvr, isAsin, mistakeChance } from '../rules.ts'
import { termsOf } from './read-terms.ts'

type Query = EndpointParsed<(typeof endpoints)['ofAccount']>['query']
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
  settledOrders: number
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

const rowSums = sql.join(metricColumns.map(({ column, field }) => sql`p.${sql.ref(column)} as ${sql.ref(field)}`))
const allSums = sql.join(
  metricColumns.map(({ column, field }) => sql`${sql.lit(field)}, coalesce(sum(${sql.ref(column)}), 0)`),
)

async function readTerms(ctx: Ctx, tx: Db, profile: Profile, query: Query): Promise<Page> {
  const { page, size, sortBy, sortDir, ...filter } = query
  const { from, to, freshness, terms } = await termsOf(ctx, tx, profile, filter)
  const order = sql`${sortKeyOf(sortBy)} ${sortDir === 'asc' ? sql`asc` : sql`desc`} nulls last, f.search_term, f.ad_group_id`
  // What the ad groups usually convert, by the days that no longer change.
  const settledTo = freshness.movingFrom && freshness.movingFrom <= to ? addDays(freshness.movingFrom, -1) : to
  const rates = sql`${figuresBy('adGroup', profile, from, settledTo)}`
  const { rows } = await sql<Row & { accountClicks: number; accountOrders: number }>`
    with f as materialized ${terms},
      p as (select f.*, row_number() over (order by ${order}) as place from f order by place limit ${size} offset ${page * size}),
      r as materialized ${rates}
    select p.search_term as term, ${rowSums}, p.ad_group_id as "adGroupId", p.campaign_id as "campaignId",
      p.settled_clicks as "settledClicks", p.settled_orders as "settledOrders",
      g.name as "adGroupName", c.name as "campaignName", c.ad_type as "adType",
      coalesce(r.clicks, 0) as "groupClicks", coalesce(r.orders, 0) as "groupOrders",
      ${coveringKeyword(profile)} as keyword, ${coveringNegative(profile)} as negative,
      ${describedTargets(profile, sql`p.target_ids`)} as "matchedBy",
      (select count(*) from f)::float8 as total, (select jsonb_build_object(${allSums}) from f) as "all",
      (select coalesce(sum(clicks), 0) from r) as "accountClicks", (select coalesce(sum(orders), 0) from r) as "accountOrders"
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

const sortKeyOf = (column: Query['sortBy']): RawBuilder<unknown> =>
  column === 'term' ? sql`f.search_term` : metricSortKey(column as MetricName)

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
