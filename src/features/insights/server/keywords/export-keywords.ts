import type { EndpointParsed, FileAnswer } from '#shared/define-endpoint.ts'
import { type MetricName, metricNames, metrics } from '#shared/metrics.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { readOrderedIds } from '#features/campaigns/server/public.ts'
import { profileFreshness } from '#features/metrics/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { type Cell, fileColumn, fileName, readInParts, tableFile } from '#server/http/table-file.ts'
import type { ExportFormat } from '#shared/export-file.ts'
import {
  impactColumns,
  type KeywordRow,
  keywordColumns,
  type keywordEndpoints as endpoints,
  type NegativeImpact,
  type UnderperformingRow,
  verdictColumns,
} from '../../keyword-contract.ts'
import { failedKeywords } from './failed-keywords.ts'
import { clicked, daysShown, keywordRows, settledDays, targetsOf } from './keyword-rows.ts'
import { readImpact } from './negative-impact.ts'
import { inOrder, presentFailed, starvedIds, presentStarved } from './underperforming.ts'

type KeywordsQuery = EndpointParsed<(typeof endpoints)['exportKeywords']>['query']
type UnderperformingQuery = EndpointParsed<(typeof endpoints)['exportUnderperforming']>['query']
type ImpactQuery = EndpointParsed<(typeof endpoints)['exportImpact']>['query']
type Unit = Parameters<typeof fileColumn>[1]

const columns: Readonly<Record<string, readonly [label: string, unit: Unit]>> = {
  text: ['Keyword', 'text'],
  matchType: ['Match type', 'text'],
  campaignName: ['Campaign', 'text'],
  adGroupName: ['Ad group', 'text'],
  state: ['State', 'text'],
  bid: ['Bid', 'money'],
  maxCpc: ['Max CPC at target', 'money'],
  test: ['Test', 'text'],
  confidence: ['Confidence', 'percent'],
  clicksNeeded: ['Clicks to be sure', 'count'],
  acosLimit: ['ACOS limit', 'percent'],
  addedAt: ['Added at', 'text'],
  addedBy: ['Added by', 'text'],
  daysActive: ['Days active', 'count'],
  savedLow: ['Saved or redirected, low', 'money'],
  saved: ['Saved or redirected', 'money'],
  savedHigh: ['Saved or redirected, high', 'money'],
  ...Object.fromEntries(metricNames.map((name: MetricName) => [name, [metrics[name].label, metrics[name].unit]])),
}

/** The keywords that were clicked as a file. The order is fixed at the start, the rows are read in parts. */
export async function exportTopKeywords(ctx: Ctx, query: KeywordsQuery): Promise<FileAnswer> {
  const { profile, days, settled, ids } = await readAccount(ctx, async (tx, account) => {
    const shown = daysShown(ctx, account, query)
    const freshness = await profileFreshness(tx, account)
    const found = await readOrderedIds(tx, account, clicked, { ...shown, ...query })
    return { profile: account, days: shown, settled: settledDays(freshness, {}) ?? shown, ids: found }
  })
  const read = (part: number[]): Promise<KeywordRow[]> =>
    ctx.db.reading(profile.merchantId, async tx =>
      keywordRows(tx, profile, settled, await targetsOf(tx, profile, part, days)),
    )
  const names = query.columns?.length ? query.columns : keywordColumns
  return file(
    'top keywords',
    profile,
    query.format,
    days,
    names,
    readInParts(ids, row => row.id, read),
  )
}

/** The keywords that fail a test as a file. */
export async function exportUnderperforming(ctx: Ctx, query: UnderperformingQuery): Promise<FileAnswer> {
  const { profile, days, read, ids } = await readAccount(ctx, async (tx, account) => {
    const settled = settledDays(await profileFreshness(tx, account), query)
    if (!settled) return { profile: account, days: daysShown(ctx, account, query), ids: [], read: async () => [] }
    if (query.test === 'STARVED')
      return {
        profile: account,
        days: settled,
        ids: await starvedIds(tx, account, settled, query),
        read: (part: number[]) =>
          ctx.db.reading(account.merchantId, async other =>
            presentStarved(other, account, settled, await targetsOf(other, account, part, settled)),
          ),
      }
    const failed = inOrder(await failedKeywords(tx, account, settled), query)
    const byId = new Map(failed.map(one => [one.id, one]))
    return {
      profile: account,
      days: settled,
      ids: failed.map(one => one.id),
      read: (part: number[]) =>
        ctx.db.reading(account.merchantId, other =>
          presentFailed(
            other,
            account,
            part.flatMap(id => byId.get(id) ?? []),
          ),
        ),
    }
  })
  const names = query.columns?.length ? query.columns : [...verdictColumns, ...keywordColumns]
  const rows = readInParts<UnderperformingRow, number>(ids, row => row.id, read)
  return file('underperforming keywords', profile, query.format, days, names, flat(rows))
}

async function* flat(rows: AsyncIterable<UnderperformingRow>): AsyncGenerator<object> {
  for await (const { verdict, ...row } of rows) yield { ...row, ...verdict }
}

/** What the negatives saved or redirected as a file. */
export async function exportImpact(ctx: Ctx, query: ImpactQuery): Promise<FileAnswer> {
  const { profile, rows, days } = await readAccount(ctx, async (tx, account) => {
    const found = await readImpact(tx, account, query)
    return { profile: account, rows: found.rows, days: found.days ?? daysShown(ctx, account, query) }
  })
  async function* all(): AsyncGenerator<object> {
    for (const { before, ...row } of rows as NegativeImpact[])
      yield { ...row, cost: before.cost, clicks: before.clicks, orders: before.orders }
  }
  const names = query.columns?.length ? query.columns : impactColumns
  return file('negative keyword impact', profile, query.format, days, names, all())
}

function file(
  what: string,
  profile: Profile,
  format: ExportFormat,
  days: { from: string; to: string },
  names: readonly string[],
  rows: AsyncIterable<object>,
): FileAnswer {
  async function* cells(): AsyncGenerator<Cell[]> {
    for await (const row of rows) yield names.map(name => (row as Record<string, Cell>)[name] ?? null)
  }
  return tableFile({
    name: fileName(what, profile, days),
    format,
    sheet: what,
    columns: names.map(name => {
      const [label, unit] = columns[name] ?? [name, 'text']
      return { ...fileColumn(label, unit, profile.currency), ...(name === 'text' && { width: 40 }) }
    }),
    rows: cells(),
  })
}
