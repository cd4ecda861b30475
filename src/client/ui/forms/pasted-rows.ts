import { parse } from 'csv-parse/browser/esm/sync'
import { marketplaces } from '#shared/marketplaces.ts'

interface PastedRow {
  /** From 1. */
  line: number
  cells: string[]
}

type Parsed = { info: { lines: number }; record: string[] }[]

function parsed(text: string, delimiter: string | string[]): Parsed {
  const options = { delimiter, info: true, bom: true, trim: true, relax_column_count: true, skip_empty_lines: true }
  try {
    return parse(text, { ...options, relax_quotes: true }) as unknown as Parsed
  } catch {
    // An unclosed quote, for example while the user is typing, counts as a plain character.
    return parse(text, { ...options, quote: false }) as unknown as Parsed
  }
}

// Currency signs and codes: $, CA$, R$, zł, EUR.
const codes = [...new Set(marketplaces.map(m => m.currency))].join('|')
const sign = `(?:[A-Z]{0,3}[$€£¥￥₹₺]|${codes}|zł|kr|TL|円)?`
const bidWithComma = new RegExp(`;\\s*${sign}\\s*\\d+,\\d{1,2}\\s*${sign}\\s*(;|$)`, 'm')

/**
 * Splits pasted text into rows and cells: at tabs, or at commas and semicolons. Skips a first row that starts with a column
 * title.
 */
export function pastedRows(text: string, title: RegExp): PastedRow[] {
  // Most European spreadsheets use the comma in bids, not between columns.
  const commaInBids = bidWithComma.test(text)
  const delimiter = text.includes('\t') ? '\t' : commaInBids ? ';' : [',', ';']
  // The parser expects the same line ending everywhere.
  const even = text.replace(/\r\n?/g, '\n')
  const rows = parsed(even, delimiter).map(({ info, record }) => ({
    line: info.lines,
    cells: record.filter(cell => cell !== ''),
  }))
  const [first, ...rest] = rows.filter(({ cells }) => cells.length > 0)
  if (!first) return []
  return title.test(first.cells[0] ?? '') ? rest : [first, ...rest]
}

const signed = (digits: string) => new RegExp(`^${sign}\\s*(-?${digits})\\s*${sign}$`)
const amount = signed(String.raw`(?:\d+(?:[.,]\d+)?|[.,]\d+)`)
// A comma before three digits separates thousands (1,200 yen): no bid has three decimals.
const withThousands = signed(String.raw`[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?`)
const withPoints = signed(String.raw`[1-9]\d{0,2}(?:[. \u00A0\u202F]\d{3})+,\d+`)

/** The bid in a cell, with or without a currency sign; null when the cell holds no bid. */
export function pastedBid(cell: string): number | null {
  const thousands = withThousands.exec(cell)?.[1]
  if (thousands !== undefined) return Number(thousands.replaceAll(',', ''))
  const digits = withPoints.exec(cell)?.[1]?.replaceAll(/[^\d,-]/g, '') ?? amount.exec(cell)?.[1]
  return digits === undefined ? null : Number(digits.replace(',', '.'))
}
