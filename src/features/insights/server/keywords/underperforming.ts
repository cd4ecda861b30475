import { sql } from 'kysely'
import type { EndpointOutput, EndpointParsed } from '#shared/define-endpoint.ts'
import { type MetricName, toFigures } from '#shared/metrics.ts'
import { fromMicros } from '#shared/money.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { type Listing, readOrderedIds, readPage } from '#features/campaigns/server/public.ts'
import { figuresBy, presentFreshness, profileFreshness } from '#features/metrics/server/public.ts'
import {
  acosLimit,
  clicksNeeded,
  spendAllowed,
  type Verdict,
  verdictThresholds,
} from '#features/search-terms/contract.ts'
import { type GroupStandard, keywordStandards } from '#features/search-terms/server/public.ts'
import { tableOf } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { keywordEndpoints as endpoints, UnderperformingRow } from '../../keyword-contract.ts'
import { type Failed, failedKeywords } from './failed-keywords.ts'
import { type Days, inUnits, keywordRow, settledDays, type TargetRow, withRows } from './keyword-rows.ts'

type Query = EndpointParsed<(typeof endpoints)['underperforming']>['query']
type Order = Pick<Query, 'test' | 'sortBy' | 'sortDir'>

/** A page of the running keywords and targets that fail a test by their settled days. */
export function listUnderperforming(
  ctx: Ctx,
  query: Query,
): Promise<EndpointOutput<(typeof endpoints)['underperforming']>> {
  const { page, size } = query
  return readAccount(ctx, async (tx, profile) => {
    const { currency } = profile
    const freshness = await profileFreshness(tx, profile)
    const days = settledDays(freshness, query)
    const { content, total, counts } = await readPart(tx, profile, days, query)
    return {
      content,
      page: pageInfo(page, size, total),
      currency,
      days: days && { dateFrom: days.from, dateTo: days.to },
      counts,
      freshness: presentFreshness(freshness),
    }
  })
}

interface Part {
  content: UnderperformingRow[]
  total: number
  counts: { NO_SALE: number; TOO_DEAR: number }
}

async function readPart(tx: Db, profile: Profile, days: Days | null, query: Query): Promise<Part> {
  const counts = { NO_SALE: 0, TOO_DEAR: 0 }
  if (!days) return { content: [], total: 0, counts }
  const { page, size } = query
  if (query.test === 'STARVED') return { ...(await readStarved(tx, profile, days, query)), counts }
  const failed = await failedKeywords(tx, profile, days)
  for (const { verdict } of failed) if (verdict.test !== 'STARVED') counts[verdict.test] += 1
  const ordered = inOrder(failed, query)
  const content = await presentFailed(tx, profile, ordered.slice(page * size, (page + 1) * size))
  return { content, total: ordered.length, counts }
}

/** Those of one test, or of both, in order; unknown values last, equal ones by id. */
export function inOrder(failed: readonly Failed[], { test, sortBy, sortDir }: Order): Failed[] {
  const keyed = failed
    .filter(({ verdict }) => test === undefined || verdict.test === test)
    .map(one => ({ one, key: keyOf(one, sortBy) }))
  const sign = sortDir === 'asc' ? 1 : -1
  return keyed
    .toSorted((a, b) => {
      if (a.key === b.key) return a.one.id - b.one.id
      if (a.key === null || b.key === null) return a.key === null ? 1 : -1
      return sign * (a.key < b.key ? -1 : 1)
    })
    .map(({ one }) => one)
}

function keyOf(one: Failed, sortBy: Order['sortBy']): number | null {
  if (sortBy === 'confidence') return one.verdict.confidence
  // Spend without sales is worse than any ACOS.
  return toFigures(one)[sortBy] ?? (sortBy === 'acos' && one.costMicros > 0 ? Infinity : null)
}

/** Failed keywords as answers carry them, in their order. */
export async function presentFailed(
  tx: Db,
  profile: Profile,
  failed: readonly Failed[],
): Promise<UnderperformingRow[]> {
  return (await withRows(tx, profile, failed)).map(({ verdict, standard, ...row }) =>
    present(row, standard, verdict, profile.currency),
  )
}

function present(
  row: TargetRow,
  standard: GroupStandard,
  { test, confidence }: { test: Verdict['test']; confidence: number | null },
  currency: string,
): UnderperformingRow {
  return {
    ...keywordRow(row, standard, test, currency),
    verdict: {
      test,
      confidence,
      productCvr: 100 * standard.cvr,
      clicksNeeded: clicksNeeded(standard),
      price: inUnits(standard.priceMicros),
      spendAllowed: fromMicros(spendAllowed(standard)),
      acosLimit: acosLimit(standard),
      breakEvenAcos: standard.breakEvenAcos,
      impressionsNeeded: verdictThresholds.starvedImpressions,
    },
  }
}

/** Running keywords that were hardly ever shown, in campaigns that were. */
function starved(profile: Profile, days: Days): Listing<'target'> {
  const runs = (table: 'campaign' | 'adGroup', key: string) =>
    sql`exists (select 1 from ${tableOf(table)} p where p.merchant_id = ${profile.merchantId} and p.id = ${sql.ref(key)} and p.state = 'ENABLED')`
  const shown = sql`t.campaign_id in (select x.key from ${figuresBy('campaign', profile, days.from, days.to)} x where x.impressions > 0)`
  return {
    entity: 'target',
    filters: [sql`t.state = 'ENABLED'`, runs('campaign', 't.campaign_id'), runs('adGroup', 't.ad_group_id'), shown],
    conditions: [{ metric: 'impressions', is: '<', value: verdictThresholds.starvedImpressions }],
    few: false,
  }
}

// What is counted has no confidence.
const figureOf = (sortBy: Order['sortBy']): MetricName => (sortBy === 'confidence' ? 'impressions' : sortBy)

async function readStarved(
  tx: Db,
  profile: Profile,
  days: Days,
  { page, size, sortBy, sortDir }: Query,
): Promise<Pick<Part, 'content' | 'total'>> {
  const order = { ...days, page, size, sortBy: figureOf(sortBy), sortDir }
  const found = await readPage(tx, profile, starved(profile, days), order)
  return { content: await presentStarved(tx, profile, days, found.rows), total: found.total }
}

/** The ids of all of them in order. */
export const starvedIds = (tx: Db, profile: Profile, days: Days, { sortBy, sortDir }: Order): Promise<number[]> =>
  readOrderedIds(tx, profile, starved(profile, days), { ...days, sortBy: figureOf(sortBy), sortDir })

/** Starved keywords as answers carry them. */
export async function presentStarved(
  tx: Db,
  profile: Profile,
  days: Days,
  rows: readonly TargetRow[],
): Promise<UnderperformingRow[]> {
  const standards = await keywordStandards(tx, profile, days, [...new Set(rows.map(row => row.adGroupId))])
  return rows.flatMap(row => {
    const standard = standards.get(row.adGroupId)
    return standard ? [present(row, standard, { test: 'STARVED', confidence: null }, profile.currency)] : []
  })
}
