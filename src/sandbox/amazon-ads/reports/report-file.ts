import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Profile } from '../../core/model.ts'
import type { World } from '../../core/world.ts'
import type { ReportRequest } from './report-request.ts'
import { cellOf } from './rows/cell-of.ts'
import type { ReportContext } from './rows/dimension-cells.ts'
import { reportRows } from './rows/report-rows.ts'

const compress = promisify(gzip)

const contextOf = (world: World, profile: Profile, request: ReportRequest): ReportContext => {
  const { sellerId, marketplaceId } = profile
  const own = [...world.books.products.values()].filter(
    product => product.sellerId === sellerId && product.marketplaceId === marketplaceId,
  )
  const byAsin = new Map(own.map(product => [product.asin, product]))
  return { books: world.books, profile, request, productOf: asin => byAsin.get(asin) }
}

/** JSON text as a cell of comma-separated text. */
const csvCell = (json: string): string => {
  if (json === 'null') return ''
  if (!json.startsWith('"')) return json
  const text = JSON.parse(json) as string
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The file's text before it is compressed: a JSON array, or CSV with a line of names; columns in the order asked. */
export const reportText = (world: World, profile: Profile, request: ReportRequest, asOf: Date): string => {
  const { columns, format } = request.configuration
  const context = contextOf(world, profile, request)
  const cells = columns.map(cellOf)
  const rows = reportRows(world, profile, request, asOf)
  if (format === 'CSV')
    return [columns.join(','), ...rows.map(row => cells.map(cell => csvCell(cell(row, context))).join(','))].join('\n')
  const names = columns.map(column => `${JSON.stringify(column)}:`)
  const lines = rows.map(row => `{${cells.map((cell, i) => (names[i] ?? '') + cell(row, context)).join(',')}}`)
  return `[${lines.join(',')}]`
}

/** The gzipped file of a report, as the marketplace knew its figures at `asOf`. */
export const reportFile = (world: World, profile: Profile, request: ReportRequest, asOf: Date): Promise<Buffer> =>
  compress(reportText(world, profile, request, asOf))
