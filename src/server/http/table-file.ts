import { writeCsvStream } from 'hucre/csv'
import { writeXlsxStream } from 'hucre/xlsx'
import type { FileAnswer } from '#shared/define-endpoint.ts'

export interface FileColumn {
  heading: string
  /** How a spreadsheet shows its numbers, by Excel's number format. */
  format?: string
  /** In characters. */
  width?: number
}

export type Cell = string | number | null

interface TableFile {
  /** Without an extension. */
  name: string
  mediaType: string
  format: 'csv' | 'xlsx'
  /** Name of the sheet, at most 31 characters. */
  sheet: string
  columns: readonly FileColumn[]
  rows: AsyncIterable<Cell[]>
}

/**
 * A table as a file that is made while it is sent, in bounded memory. No cell is a formula: in CSV a text that a
 * spreadsheet would run gets an apostrophe in front, in XLSX every text is typed as text.
 */
export function tableFile({ name, mediaType, format, sheet, columns, rows }: TableFile): FileAnswer {
  const headings = columns.map(({ heading }) => heading)
  const content =
    format === 'csv'
      ? // Excel reads UTF-8 only by its mark.
        writeCsvStream(withHeadings(headings, rows), { headers: false, bom: true, escapeFormulae: true })
      : writeXlsxStream(rows, {
          name: sheet,
          columns: columns.map(({ heading, format: numFmt, width }) => ({
            header: heading,
            ...(numFmt && { numFmt }),
            width: width ?? Math.max(10, heading.length + 2),
          })),
          freezePane: { rows: 1, columns: 1 },
        })
  return { name: `${name}.${format}`, mediaType, content }
}

async function* withHeadings(headings: string[], rows: AsyncIterable<Cell[]>): AsyncGenerator<Cell[]> {
  yield headings
  yield* rows
}
