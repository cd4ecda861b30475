import { sql } from 'kysely'
import type { EndpointOutput, EndpointParsed } from '#shared/define-endpoint.ts'
import { type FigureSums, toFigures } from '#shared/metrics.ts'
import { fromMicros, type Micros, toMicros } from '#shared/money.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { type Listing, readPage } from '#features/campaigns/server/public.ts'
import { type Freshness, presentFreshness, profileFreshness } from '#features/metrics/server/public.ts'
import { type KeywordTest, maxCpcMicros, verdictThresholds } from '#features/search-terms/contract.ts'
import { type GroupStandard, keywordStandards } from '#features/search-terms/server/public.ts'
import type { Rows } from '#features/structure/contract.ts'
import { matching, selectList, tableOf } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { actOf } from '../../keyword-acts.ts'
import type { keywordEndpoints as endpoints, KeywordRow } from '../../keyword-contract.ts'
import { clickedKeywords, mostClicked } from './clicked-keywords.ts'

export type TargetRow = Rows['target'] & FigureSums
export interface Days {
  from: string
  to: string
}

/** The days that were asked for, else the last 30 of the account's calendar. */
export function daysShown(
  ctx: Ctx,
  { timezone }: Profile,
  query: { dateFrom?: string | undefined; dateTo?: string | undefined },
): Days {
  const to = query.dateTo ?? dayIn(ctx.clock.now(), timezone)
  return { from: query.dateFrom ?? addDays(to, 1 - verdictThresholds.settledDays), to }
}

/**
 * Those of the requested days that no longer change; the last 30 of them where none was requested, or none of the
 * requested ones has settled. Null while no figures were imported.
 */
export function settledDays(
  { movingFrom }: Freshness,
  { dateFrom, dateTo }: { dateFrom?: string | undefined; dateTo?: string | undefined },
): Days | null {
  if (movingFrom === null) return null
  const last = addDays(movingFrom, -1)
  const to = dateTo !== undefined && dateTo < last ? dateTo : last
  const from = dateFrom !== undefined && dateFrom <= to ? dateFrom : addDays(to, 1 - verdictThresholds.settledDays)
  return { from, to }
}

/** Keywords that were clicked, whatever their state. */
export const clicked: Listing<'target'> = {
  entity: 'target',
  filters: [],
  conditions: [{ metric: 'clicks', is: '>=', value: 1 }],
  few: false,
  isWhole: true,
}

/** A page of the keywords and targets that were clicked. */
export function listTopKeywords(
  ctx: Ctx,
  query: EndpointParsed<(typeof endpoints)['topKeywords']>['query'],
): Promise<EndpointOutput<(typeof endpoints)['topKeywords']>> {
  const { page, size } = query
  return readAccount(ctx, async (tx, profile) => {
    const days = daysShown(ctx, profile, query)
    const freshness = await profileFreshness(tx, profile)
    const found = await clickedPage(tx, profile, days, query)
    return {
      content: await keywordRows(tx, profile, settledDays(freshness, {}) ?? days, found.rows),
      page: pageInfo(page, size, found.total),
      currency: profile.currency,
      dateFrom: days.from,
      dateTo: days.to,
      totals: toFigures(found.totals),
      freshness: presentFreshness(freshness),
    }
  })
}

async function clickedPage(
  tx: Db,
  profile: Profile,
  days: Days,
  { page, size, sortBy, sortDir }: EndpointParsed<(typeof endpoints)['topKeywords']>['query'],
) {
  const end = (page + 1) * size
  if (end > mostClicked) return readPage(tx, profile, clicked, { ...days, page, size, sortBy, sortDir })
  const { first, total, totals } = await clickedKeywords(tx, profile, days, { sortBy, sortDir })
  return { rows: await withRows(tx, profile, first.slice(page * size, end)), total, totals }
}

/** Keywords by our ids with their rows, in their order; those without a row are left out. */
export async function withRows<T extends { id: number }>(
  tx: Db,
  profile: Profile,
  keyed: readonly T[],
): Promise<(T & Rows['target'])[]> {
  if (!keyed.length) return []
  const ids = keyed.map(({ id }) => id)
  const { rows } = await sql<Rows['target']>`select ${selectList('target', profile)} from ${tableOf('target')} t
    where ${matching(profile, [sql`t.id = any(${ids}::bigint[])`])}`.execute(tx)
  const byId = new Map(rows.map(row => [row.id, row]))
  return keyed.flatMap(one => {
    const row = byId.get(one.id)
    return row ? [{ ...row, ...one }] : []
  })
}

/** Rows as answers carry them, held to the standards of the settled days. */
export async function keywordRows(
  tx: Db,
  profile: Profile,
  settled: Days,
  rows: readonly TargetRow[],
): Promise<KeywordRow[]> {
  const standards = await keywordStandards(tx, profile, settled, [...new Set(rows.map(row => row.adGroupId))])
  return rows.flatMap(row => {
    const standard = standards.get(row.adGroupId)
    return standard ? [keywordRow(row, standard, null, profile.currency)] : []
  })
}

/** One keyword with what a click of it may cost, and the act that follows from how it does. */
export function keywordRow(
  row: TargetRow,
  standard: GroupStandard,
  test: KeywordTest | null,
  currency: string,
): KeywordRow {
  const bidMicros = row.bid === null ? standard.defaultBidMicros : toMicros(row.bid)
  const most = maxCpcMicros(row, standard)
  const act = actOf(test, row, standard, bidMicros, currency)
  return {
    ...row,
    ...toFigures(row),
    currency,
    campaignName: standard.campaignName,
    adGroupName: standard.adGroupName,
    effectiveBid: inUnits(bidMicros),
    targetAcos: standard.targetAcos,
    targetFrom: standard.targetFrom,
    maxCpc: inUnits(most),
    act: { kind: act.kind, bid: inUnits(act.bidMicros) },
  }
}

export const inUnits = (micros: Micros | null) => (micros === null ? null : fromMicros(micros))

/** Some keywords by our ids with their figures, in any order. */
export async function targetsOf(tx: Db, profile: Profile, ids: readonly number[], days: Days): Promise<TargetRow[]> {
  if (!ids.length) return []
  const listing: Listing<'target'> = {
    entity: 'target',
    filters: [sql`t.id = any(${[...ids]}::bigint[])`],
    conditions: [],
    few: true,
  }
  const { rows } = await readPage(tx, profile, listing, {
    ...days,
    page: 0,
    size: ids.length,
    sortBy: 'id',
    sortDir: 'asc',
  })
  return rows
}
