import { parse } from 'csv-parse/browser/esm/sync'
import { marketplaces } from '#shared/marketplaces.ts'

/** One line of a pasted list, without its empty cells. */
export interface PastedRow {
  /** The line it stood in, from 1. */
  line: number
  cells: string[]
}

/** More entries are not read: each is read anew while the text is mended. */
export const MAX_PASTED = 5000

type Parsed = { info: { lines: number }; record: string[] }[]

function parsed(text: string, delimiter: string | string[]): Parsed {
  const options = { delimiter, info: true, bom: true, trim: true, relax_column_count: true, skip_empty_lines: true }
  try {
    return parse(text, { ...options, relax_quotes: true }) as unknown as Parsed
  } catch {
    // A quote that is not closed, or not at a cell's end, as it is while one is being typed: it is only a character then.
    return parse(text, { ...options, quote: false }) as unknown as Parsed
  }
}

// As sheets and screens write them: $, CA$, R$, zł, or the currency's code.
const codes = [...new Set(marketplaces.map(m => m.currency))].join('|')
const sign = `(?:[A-Z]{0,3}[$€£¥￥₹₺]|${codes}|zł|kr|TL|円)?`
const bidWithComma = new RegExp(`;\\s*${sign}\\s*\\d+,\\d{1,2}\\s*${sign}\\s*(;|$)`, 'm')

/**
 * Reads pasted text: lines with what stands between commas or semicolons, or the columns of a spreadsheet. A first row that
 * begins with a title is left out.
 */
export function pastedRows(text: string, title: RegExp): PastedRow[] {
  // In a sheet of most of Europe the comma stands in the bids, not between the columns.
  const commaInBids = bidWithComma.test(text)
  const delimiter = text.includes('\t') ? '\t' : commaInBids ? ';' : [',', ';']
  // The parser takes the first line's ending for that of all.
  const even = text.replace(/\r\n?/g, '\n')
  const rows = parsed(even, delimiter).map(({ info, record }) => ({
    line: info.lines,
    cells: record.filter(cell => cell !== ''),
  }))
  const [first, ...rest] = rows.filter(({ cells }) => cells.length > 0)
  if (!first) return []
  return title.test(first.cells[0] ?? '') ? rest : [first, ...rest]
}

/** What the first column of keywords is called in the marketplace's sheets and others. */
export const keywordTitle = /^((negative )?keywords?|keyword text|search terms?)$/i

const signed = (digits: string) => new RegExp(`^${sign}\\s*(-?${digits})\\s*${sign}$`)
const amount = signed(String.raw`(?:\d+(?:[.,]\d+)?|[.,]\d+)`)
// No bid has three decimals, so that a comma before three digits parts the thousands (1,200 yen).
const withThousands = signed(String.raw`[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?`)
const withPoints = signed(String.raw`[1-9]\d{0,2}(?:[. \u00A0\u202F]\d{3})+,\d+`)

/** The bid that a cell stands for, with or without its currency's sign; null when it is none. */
export function pastedBid(cell: string): number | null {
  const thousands = withThousands.exec(cell)?.[1]
  if (thousands !== undefined) return Number(thousands.replaceAll(',', ''))
  const digits = withPoints.exec(cell)?.[1]?.replaceAll(/[^\d,-]/g, '') ?? amount.exec(cell)?.[1]
  return digits === undefined ? null : Number(digits.replace(',', '.'))
}
