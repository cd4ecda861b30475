import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import writeExcelFile from 'write-excel-file/node'
import type { Profile } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import type { ReportRequest } from './report-request.ts'
import { cellOf } from './rows/cell-of.ts'
import type { ReportContext } from './rows/dimension-cells.ts'
import { reportRows } from './rows/report-rows.ts'

const compress = promisify(gzip)

function contextOf(world: World, profile: Profile, request: ReportRequest): ReportContext {
  const { sellerId, marketplaceId } = profile
  const own = [...world.store.products.values()].filter(
    product => product.sellerId === sellerId && product.marketplaceId === marketplaceId,
  )
  const byAsin = new Map(own.map(product => [product.asin, product]))
  return { store: world.store, profile, request, productOf: asin => byAsin.get(asin) }
}

/** JSON text as a cell of comma-separated text. */
function csvCell(json: string): string {
  if (json === 'null') return ''
  if (!json.startsWith('"')) return json
  const text = JSON.parse(json) as string
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** JSON text as a cell of a workbook; ids stay text, for a workbook's numbers are doubles. */
function sheetCell(json: string): string | number | null {
  const value = JSON.parse(json) as string | number | null
  return typeof value === 'number' && !Number.isSafeInteger(value) && !json.includes('.') ? json : value
}

/** The rows of a report, as the marketplace knew its figures at `asOf`; cells are JSON text, columns in the requested order. */
function tableOf(world: World, profile: Profile, request: ReportRequest, asOf: Date): string[][] {
  const context = contextOf(world, profile, request)
  const cells = request.configuration.columns.map(cellOf)
  return reportRows(world, profile, request, asOf).map(row => cells.map(cell => cell(row, context)))
}

function jsonOf(columns: readonly string[], table: readonly string[][]): string {
  const names = columns.map(column => `${JSON.stringify(column)}:`)
  return `[${table.map(row => `{${row.map((cell, i) => (names[i] ?? '') + cell).join(',')}}`).join(',')}]`
}

/** What the file of each format is called at its end. */
export const fileEndings: Readonly<Record<string, string>> = { GZIP_JSON: 'json.gz', CSV: 'csv', XLSX: 'xlsx' }

/** The file of a report: gzipped JSON, comma-separated text or a workbook. */
export async function reportFile(world: World, profile: Profile, request: ReportRequest, asOf: Date): Promise<Buffer> {
  const { columns, format } = request.configuration
  const table = tableOf(world, profile, request, asOf)
  if (format === 'XLSX') return writeExcelFile([columns, ...table.map(row => row.map(sheetCell))]).toBuffer()
  if (format === 'CSV')
    return Buffer.from([columns.join(','), ...table.map(row => row.map(csvCell).join(','))].join('\n'))
  return compress(jsonOf(columns, table))
}
