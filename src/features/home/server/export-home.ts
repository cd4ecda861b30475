import type { Ctx } from '#server/context.ts'
import { type Cell, type FileColumn, fileColumn, fileName, tableFile } from '#server/http/table-file.ts'
import type { FileAnswer } from '#shared/define-endpoint.ts'
import type { ExportFormat } from '#shared/export-file.ts'
import { metricNames, metrics } from '#shared/metrics.ts'
import { currentProfile } from '#features/accounts/server/public.ts'
import { textOfCard, unitOf } from '../cards.ts'
import type { Granularity } from '../days.ts'
import { getBreakdown } from './get-breakdown.ts'
import { getCards } from './get-cards.ts'
import { getPerformance } from './get-performance.ts'

interface Request {
  dateFrom: string
  dateTo: string
  format: ExportFormat
}

/** The cards as a file: each figure with the range in which it will end, and with the days that its change compares. */
export async function exportCards(ctx: Ctx, request: Request): Promise<FileAnswer> {
  const { cards, currency, dateFrom, comparedTo, previousFrom, previousTo } = await getCards(ctx, request)
  const compared = comparedTo ? `${dateFrom} to ${comparedTo}` : 'Days that are over'
  const before = previousFrom && previousTo ? `${previousFrom} to ${previousTo}` : 'Days before'
  const shown = `${dateFrom} to ${request.dateTo}`
  const columns = ['Figure', 'Unit', shown, 'Ends from', 'Ends up to', compared, before, 'Note'].map(heading => ({
    heading,
  }))
  const units = { money: currency, percent: '%', count: '', ratio: '' }
  const rows = cards.map((card): Cell[] => [
    textOfCard(card.metric).label,
    units[unitOf(card)],
    card.value,
    card.band?.low ?? null,
    card.band?.high ?? null,
    card.compared,
    card.previous,
    card.note ?? card.unknownBecause,
  ])
  return fileOf(ctx, 'figures', request, columns, rows)
}

/** The chart as a file: every day, week or month with all metrics. */
export async function exportPerformance(
  ctx: Ctx,
  request: Request & { granularity: Granularity },
): Promise<FileAnswer> {
  const { points, currency } = await getPerformance(ctx, request)
  const columns = [
    { heading: { DAY: 'Day', WEEK: 'Week from', MONTH: 'Month from' }[request.granularity] },
    ...metricNames.map(name => fileColumn(metrics[name].label, metrics[name].unit, currency)),
  ]
  const rows = points.map((point): Cell[] => [point.date, ...metricNames.map(name => point[name])])
  return fileOf(ctx, 'performance', request, columns, rows)
}

/** The marketplaces of all merchants as a file, in their own currencies and converted; the rate stands in each row. */
export async function exportBreakdown(ctx: Ctx, request: Request): Promise<FileAnswer> {
  const { rows, userCurrency, ratesOf } = await getBreakdown(ctx, request)
  const columns = [
    ...['Merchant', 'Marketplace', 'Currency'].map(heading => ({ heading })),
    ...metricNames.map(name => fileColumn(metrics[name].label, metrics[name].unit, 'own currency')),
    fileColumn('Ad spend', 'money', userCurrency),
    fileColumn('Ad sales', 'money', userCurrency),
    { heading: `Rate for 1 ${userCurrency}` },
    { heading: 'Rate of' },
  ]
  const cells = rows.map((row): Cell[] => [
    row.merchantName,
    row.name,
    row.currency,
    ...metricNames.map(name => row[name]),
    row.converted?.cost ?? null,
    row.converted?.sales ?? null,
    row.converted?.rate ?? null,
    row.converted ? ratesOf : null,
  ])
  return fileOf(ctx, 'marketplaces', request, columns, cells)
}

async function fileOf(
  ctx: Ctx,
  what: string,
  { dateFrom, dateTo, format }: Request,
  columns: readonly FileColumn[],
  cells: readonly Cell[][],
): Promise<FileAnswer> {
  async function* rows(): AsyncGenerator<Cell[]> {
    yield* cells
  }
  const name = fileName(what, await currentProfile(ctx), { from: dateFrom, to: dateTo })
  return tableFile({ name, format, sheet: what, columns, rows: rows() })
}
