import { parse } from 'csv-parse/browser/esm/sync'

/** One line of a pasted list, without its empty cells. */
export interface PastedRow {
  /** The line it stood in, from 1. */
  line: number
  cells: string[]
}

/** More entries than a list can hold are not read. */
export const MAX_PASTED = 1000

/** Reads pasted text: lines with what stands between commas or semicolons, or the columns of a spreadsheet without its titles. */
export const pastedRows = (text: string): PastedRow[] => {
  const delimiter = text.includes('\t') ? '\t' : [',', ';']
  // The parser takes the first line's ending for that of all.
  const parsed = parse(text.replace(/\r\n?/g, '\n'), {
    delimiter,
    info: true,
    bom: true,
    trim: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
  }) as unknown as { info: { lines: number }; record: string[] }[]
  const rows = parsed.map(({ info, record }) => ({ line: info.lines, cells: record.filter(cell => cell !== '') }))
  const [first, ...rest] = rows.filter(({ cells }) => cells.length > 0)
  if (!first) return []
  const isTitle = /^((negative )?keywords?|keyword text|search terms?)$/i.test(first.cells[0] ?? '')
  return isTitle ? rest : [first, ...rest]
}
