import type { Profile } from '#features/accounts/server/public.ts'
import type { Look } from '#features/branding/server/public.ts'
import { campaignsListing, keywordsListing, listFigures } from '#features/campaigns/server/public.ts'
import { getCards, getPerformance, getWhy, sentencesOf } from '#features/home/server/public.ts'
import { listAsins } from '#features/insights/server/public.ts'
import { listSearchTerms } from '#features/search-terms/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { figureText, plainText } from '#shared/figure-text.ts'
import type { Figures, MetricName, Ratios } from '#shared/metrics.ts'
import { metrics } from '#shared/metrics.ts'
import { daysBetween } from '#shared/time.ts'
import { targetText } from '#shared/target-text.ts'
import { type ReportKind, reportKinds } from '../../contract.ts'
import type { Column } from './table.ts'

/** Notes how far a report is, in whole percent, and what is being done. */
export type Progress = (percent: number, step: string) => Promise<void>

export interface ReportRequest {
  kind: ReportKind
  profile: Profile
  look: Look
  /** The products that a report about products is limited to; null: all. */
  asins: readonly string[] | null
  dateFrom: string
  dateTo: string
}

export interface Part {
  title: string
  columns: readonly Column[]
  rows: readonly (readonly string[])[]
  total: readonly string[]
  /** How many there are in all. */
  count: number
  /** What the rows are, in the plural. */
  what: string
  /** ASINs that were asked for and that are none of the account's products in these days. */
  missing?: readonly string[]
  /** The strongest rows, for a chart. */
  bars: readonly { label: string; values: readonly number[] }[]
}

type Kind = Exclude<ReportKind, 'ACCOUNT'>
// A report about one thing has many of its rows, one about the account the strongest of each.
const rowsOf = { alone: 150, together: 15 }
const mostBars = 8

const byCost = { sortBy: 'cost', sortDir: 'desc', page: 0 } as const
const all = { state: 'ALL' } as const

/** Everything that a report as PDF says, read by the verbs of the screens. */
export async function readContent(
  ctx: Ctx,
  { kind, profile, asins, dateFrom, dateTo }: ReportRequest,
  progress: Progress,
) {
  const days = { dateFrom, dateTo }
  const length = daysBetween(dateFrom, dateTo) + 1
  const granularity = length > 370 ? 'MONTH' : length > 92 ? 'WEEK' : 'DAY'
  const cards = await getCards(ctx, days)
  const performance = await getPerformance(ctx, { ...days, granularity })
  await progress(15, 'Explaining the changes')
  const why = await getWhy(ctx, days)
  const sentences = why.acos
    ? sentencesOf(why.acos, profile.currency).map(pieces =>
        pieces.map(piece => (typeof piece === 'string' ? piece : piece.name)).join(''),
      )
    : []
  const kinds: readonly Kind[] = kind === 'ACCOUNT' ? ['CAMPAIGNS', 'ASIN', 'KEYWORDS', 'SEARCH_TERMS'] : [kind]
  const size = kind === 'ACCOUNT' ? rowsOf.together : rowsOf.alone
  const parts: Part[] = []
  for (const [index, one] of kinds.entries()) {
    await progress(25 + Math.round((index / kinds.length) * 50), `Reading ${reportKinds[one].file}`)
    parts.push(
      await readers[one](ctx, { ...days, ...byCost, size: asins ? asins.length : size, asins: asins ?? undefined }),
    )
  }
  return { cards, performance, granularity, sentences, compared: why.compared, parts } as const
}
export type Content = Awaited<ReturnType<typeof readContent>>

type Query = typeof byCost & { dateFrom: string; dateTo: string; size: number; asins?: readonly string[] | undefined }

const figures = ['cost', 'sales', 'acos', 'orders', 'clicks'] as const satisfies readonly MetricName[]
const wide = (heading: string, share: number): Column => ({ heading, share })
const figureColumns = (share: number): Column[] =>
  figures.map(name => ({ heading: metrics[name].label, share, isNumber: true }))

const cellsOf = (row: Figures & Ratios, currency: string): string[] =>
  figures.map(name => valueText(row[name], metrics[name].unit, currency))
export const valueText = (value: number | null, unit: Parameters<typeof figureText>[1], currency: string): string =>
  value === null ? '–' : figureText(value, unit, currency)

const barsOf = <R extends Figures>(rows: readonly R[], label: (row: R) => string): Part['bars'] =>
  rows.slice(0, mostBars).map(row => ({ label: label(row), values: [row.cost, row.sales] }))

interface Named {
  title: string
  what: string
  currency: string
  totals: Figures & Ratios
  page: { totalElements: number }
}

function partOf<R extends Figures & Ratios>(
  { title, what, currency, totals, page }: Named,
  rows: readonly R[],
  names: readonly { column: Column; text: (row: R) => string }[],
  label: (row: R) => string,
): Part {
  const share = (1 - names.reduce((sum, { column }) => sum + column.share, 0)) / figures.length
  return {
    title,
    what,
    columns: [...names.map(({ column }) => column), ...figureColumns(share)],
    rows: rows.map(row => [...names.map(({ text }) => text(row)), ...cellsOf(row, currency)]),
    total: [
      `All ${plainText(page.totalElements)} ${what}`,
      ...names.slice(1).map(() => ''),
      ...cellsOf(totals, currency),
    ],
    count: page.totalElements,
    bars: barsOf(rows, label),
  }
}

const readers: Record<Kind, (ctx: Ctx, query: Query) => Promise<Part>> = {
  CAMPAIGNS: async (ctx, query) => {
    const list = await listFigures(ctx, query, campaignsListing(all, ctx.clock.now()))
    const name = (row: { name: string }) => row.name
    return partOf(
      { title: 'Campaigns', what: 'campaigns', ...list },
      list.content,
      [{ column: wide('Campaign', 0.42), text: name }],
      name,
    )
  },
  ASIN: async (ctx, query) => {
    const list = await listAsins(ctx, query)
    const name = (row: { title: string | null; asin: string }) => row.title ?? row.asin
    const found = new Set(list.content.map(row => row.asin))
    const part = partOf(
      { title: 'Products', what: 'products', ...list },
      list.content,
      [
        { column: wide('Product', 0.31), text: name },
        { column: wide('ASIN', 0.13), text: row => row.asin },
      ],
      name,
    )
    return { ...part, missing: query.asins?.filter(asin => !found.has(asin)) ?? [] }
  },
  KEYWORDS: async (ctx, query) => {
    const list = await listFigures(ctx, query, keywordsListing(all))
    const name = (row: { text: string; kind: string }) => targetText({ kind: row.kind, text: row.text })
    return partOf(
      { title: 'Keywords', what: 'keywords', ...list },
      list.content,
      [
        { column: wide('Keyword', 0.32), text: name },
        { column: wide('Match type', 0.12), text: row => matchText(row.matchType) },
      ],
      name,
    )
  },
  SEARCH_TERMS: async (ctx, query) => {
    const list = await listSearchTerms(ctx, query)
    return partOf(
      { title: 'Search terms', what: 'search terms', ...list },
      list.content,
      [
        { column: wide('Search term', 0.24), text: row => row.term },
        { column: wide('Campaign', 0.22), text: row => row.campaignName },
      ],
      row => row.term,
    )
  },
}

const matchText = (type: string | null): string => (type ? type.charAt(0) + type.slice(1).toLowerCase() : '–')
