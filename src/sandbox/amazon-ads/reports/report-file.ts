import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import writeExcelFile from 'write-excel-file/node'
import type { Profile } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import { cellOf } from './columns.ts'
import type { ReportRequest } from './report-request.ts'
import { reportRows } from './report-rows.ts'

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

export const fileEndings: Readonly<Record<string, string>> = { GZIP_JSON: 'json.gz', CSV: 'csv', XLSX: 'xlsx' }

/** A report as the marketplace knew its figures at `asOf`: gzipped JSON, comma-separated text or a workbook. */
export async function reportFile(world: World, profile: Profile, request: ReportRequest, asOf: Date): Promise<Buffer> {
  const { sellerId, marketplaceId } = profile
  const byAsin = new Map(
    [...world.store.products.values()]
      .filter(product => product.sellerId === sellerId && product.marketplaceId === marketplaceId)
      .map(product => [product.asin, product]),
  )
  const context = { profile, request, productOf: (asin: string) => byAsin.get(asin) }
  const { columns, format } = request.configuration
  const cells = columns.map(cellOf)
  const table = reportRows(world, profile, request, asOf).map(row => cells.map(cell => cell(row, context)))
  if (format === 'XLSX') return writeExcelFile([columns, ...table.map(row => row.map(sheetCell))]).toBuffer()
  if (format === 'CSV')
    return Buffer.from([columns.join(','), ...table.map(row => row.map(csvCell).join(','))].join('\n'))
  const names = columns.map(column => `${JSON.stringify(column)}:`)
  const rows = table.map(row => `{${row.map((cell, i) => `${names[i]}${cell}`).join(',')}}`)
  return promisify(gzip)(`[${rows.join(',')}]`)
}
