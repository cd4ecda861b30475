import type { FileAnswer } from '#shared/define-endpoint.ts'
import { type ExportFormat, exportFormats } from '#shared/export-file.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import type { MetricUnit } from '#shared/metrics.ts'

export interface FileColumn {
  heading: string
  /** How a spreadsheet shows its numbers, by Excel's number format. */
  format?: string
  /** In characters. */
  width?: number
}

export type Cell = string | number | null

const numberFormats = { money: '#,##0.00', percent: '0.00', ratio: '0.00', count: '#,##0' } as const

/** A column of a text or of numbers; the heading says the unit, so that the numbers stay plain. */
export function fileColumn(label: string, unit: MetricUnit | 'text', currency: string): FileColumn {
  if (unit === 'text') return { heading: label }
  const suffix = { money: ` (${currency})`, percent: ' (%)', ratio: '', count: '' }[unit]
  return { heading: label + suffix, format: numberFormats[unit] }
}

/** Without an extension: tideline-ad-groups-us-2026-03-01-to-2026-03-30. */
export function fileName(
  what: string,
  { marketplaceId, currency }: { marketplaceId: number; currency: string },
  days?: { from: string; to: string },
): string {
  const country = marketplaceById(marketplaceId)?.key ?? currency
  const parts = ['tideline', what, country, ...(days ? [days.from, 'to', days.to] : [])]
  return parts.join('-').toLowerCase().replaceAll(' ', '-')
}

const rowsPerRead = 1000

/**
 * The rows of keys whose order was fixed at the start, a thousand at a time. Read each part in a transaction of its own: a
 * slow download then blocks nobody. A row that went away meanwhile is left out.
 */
export async function* readInParts<Row, Key extends string | number>(
  keys: readonly Key[],
  keyOf: (row: Row) => unknown,
  read: (part: Key[]) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let at = 0; at < keys.length; at += rowsPerRead) {
    const part = keys.slice(at, at + rowsPerRead)
    const byKey = new Map((await read(part)).map(row => [keyOf(row), row]))
    for (const key of part) {
      const row = byKey.get(key)
      if (row) yield row
    }
  }
}

interface TableFile {
  /** Without an extension, see `fileName`. */
  name: string
  format: ExportFormat
  /** Name of the sheet, at most 31 characters. */
  sheet: string
  columns: readonly FileColumn[]
  rows: AsyncIterable<Cell[]>
}

/**
 * A table as a file that is made while it is sent, in bounded memory. No cell is a formula: in CSV a text that a
 * spreadsheet would run gets an apostrophe in front, in XLSX every text is typed as text.
 */
export function tableFile({ name, format, sheet, columns, rows }: TableFile): FileAnswer {
  const headings = columns.map(({ heading }) => heading)
  // The library loads with the first file: few processes make any.
  async function* content() {
    if (format === 'csv') {
      const { writeCsvStream } = await import('hucre/csv')
      // Excel reads UTF-8 only by its mark.
      yield* writeCsvStream(withHeadings(headings, rows), { headers: false, bom: true, escapeFormulae: true })
      return
    }
    const { writeXlsxStream } = await import('hucre/xlsx')
    yield* writeXlsxStream(rows, {
      name: sheet,
      columns: columns.map(({ heading, format: numFmt, width }) => ({
        header: heading,
        ...(numFmt && { numFmt }),
        width: width ?? Math.max(10, heading.length + 2),
      })),
      freezePane: { rows: 1, columns: 1 },
    })
  }
  return { name: `${name}.${format}`, mediaType: exportFormats[format], content: content() }
}

async function* withHeadings(headings: string[], rows: AsyncIterable<Cell[]>): AsyncGenerator<Cell[]> {
  yield headings
  yield* rows
}
