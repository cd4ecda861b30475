import { CsvError, parse } from 'csv-parse/sync'
import { currencyDigits, type Micros, numberText, toMicros } from '#shared/money.ts'
import type { CostFault, DecimalMark } from '../../cost-import-contract.ts'
import { beginning } from '../../contract.ts'

/** A line of a file as it was written. */
export interface CostLine {
  line: number
  sku: string
  cogs: string
  /** Empty where the file has no such column or nothing in it. */
  validFrom: string
  currency: string
}

const headings: Record<keyof Omit<CostLine, 'line'>, readonly string[]> = {
  sku: ['sku', 'seller-sku', 'seller sku', 'seller_sku', 'merchant sku', 'msku'],
  cogs: ['cogs', 'cost', 'unit cost', 'unit_cost', 'cost of goods', 'cogs per unit'],
  validFrom: ['valid_from', 'valid from', 'valid-from', 'validfrom', 'from'],
  currency: ['currency'],
}
const rowLimit = 20_000

/** The text of a file in UTF-8, UTF-16 or, where it is neither, the Windows code page that older spreadsheets write. */
export function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The lines of a table of costs with a heading, whose cells a comma, semicolon or tab separates; or what is wrong with the whole. */
export function linesOf(text: string): { lines: CostLine[] } | { fault: CostFault } {
  const whole = (message: string, line = 1) => ({ fault: { line, field: 'file' as const, value: '', message } })
  // Some spreadsheets name the separator in a line of its own.
  const separator = /^\s*sep=(.)\r?\n/i.exec(text)
  const table = text.slice(separator?.[0].length ?? 0).trimStart()
  const heading = /^[^\r\n]*/.exec(table)?.[0] ?? ''
  if (!heading) return whole('The file is empty.')
  const delimiter =
    separator?.[1] ?? [';', '\t', ','].toSorted((a, b) => heading.split(b).length - heading.split(a).length)[0] ?? ','
  let records: { record: string[]; info: { lines: number } }[]
  try {
    records = parse(table, {
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      to: rowLimit + 2,
    }) as unknown as typeof records
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return whole(
      'A quotation mark is not closed, or has text behind it.',
      typeof error.lines === 'number' ? error.lines : 1,
    )
  }
  const [names, ...rows] = records
  if (rows.length > rowLimit) return whole(`The file has more than ${numberText(rowLimit)} lines. Split it.`)
  const columns = names?.record.map(name => name.toLowerCase()) ?? []
  const at = (field: keyof typeof headings) => columns.findIndex(name => headings[field].includes(name))
  const [sku, cogs, validFrom, currency] = [at('sku'), at('cogs'), at('validFrom'), at('currency')]
  if (sku < 0 || cogs < 0)
    return whole(`The first line must name the columns: ${sku < 0 ? '“sku”' : '“cogs”'} is missing.`)
  if (!rows.length) return whole('The file has a heading and no lines.')
  const cell = (record: string[], column: number) => (column < 0 ? '' : (record[column] ?? ''))
  return {
    lines: rows
      .map(({ record, info }) => ({
        line: info.lines + (separator ? 1 : 0),
        // A spreadsheet may have put it there against formulas.
        sku: cell(record, sku).replace(/^'(?=[=+\-@])/, ''),
        cogs: cell(record, cogs),
        validFrom: cell(record, validFrom),
        currency: cell(record, currency),
      }))
      // A line of a template that was not filled in.
      .filter(line => line.cogs !== '' || line.sku === ''),
  }
}

const signs: Record<string, readonly string[]> = {
  $: ['USD', 'CAD', 'AUD', 'MXN', 'SGD', 'BRL'],
  '€': ['EUR'],
  '£': ['GBP'],
  '¥': ['JPY'],
  '￥': ['JPY'],
  '₹': ['INR'],
}

/** The number of an amount without its currency; the currency when it is another. */
function splitAmount(text: string, currency: string): { digits: string; other: string | null } {
  const match = /^([^\d.,+-]*)([+-]?[\d.,'\s]*?)\s*([^\d.,']*)$/u.exec(text.trim())
  const digits = (match?.[2] ?? '').replaceAll(/['\s]/g, '')
  const word = `${match?.[1] ?? ''}${match?.[3] ?? ''}`.trim()
  const isOwn = word === '' || word.toUpperCase() === currency || signs[word]?.includes(currency) === true
  return { digits: match ? digits : '', other: isOwn ? null : word }
}

/**
 * Which sign separates decimals in these amounts: as the amounts that can be read in one way only show it. Null where
 * those that there are could mean either (1.234) and nobody has decided. Where no amount has either sign, it is a point.
 */
export function decimalMarkOf(amounts: readonly string[], currency: string): DecimalMark | null {
  let isOpen = false
  for (const text of amounts) {
    const { digits } = splitAmount(text, currency)
    const found = markOf(digits, currency)
    if (found === 'POINT' || found === 'COMMA') return found
    isOpen ||= found === 'EITHER'
  }
  return isOpen ? null : 'POINT'
}

function markOf(digits: string, currency: string): DecimalMark | 'EITHER' | 'NONE' {
  const [points, commas] = [digits.split('.').length - 1, digits.split(',').length - 1]
  if (!points && !commas) return 'NONE'
  if (points && commas) return digits.lastIndexOf('.') > digits.lastIndexOf(',') ? 'POINT' : 'COMMA'
  const [last, other] = points ? (['POINT', 'COMMA'] as const) : (['COMMA', 'POINT'] as const)
  // Repeated, or in a currency without decimals, it separates thousands.
  if (points + commas > 1 || currencyDigits(currency) === 0) return other
  return /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(digits) ? 'EITHER' : last
}

export type AmountProblem = { problem: string }

/** An amount in micros, or what is wrong with it. */
export function amountOf(text: string, mark: DecimalMark, currency: string): { micros: Micros } | AmountProblem {
  const { digits, other } = splitAmount(text, currency)
  if (text.trim() === '') return { problem: 'There is no cost.' }
  if (other !== null && digits !== '')
    return { problem: `The amount is in ${other}; the costs of this marketplace are in ${currency}.` }
  const [decimal, group] = mark === 'POINT' ? ['.', ','] : [',', '.']
  const pattern = new RegExp(`^[+-]?(\\d+|\\d{1,3}(\\${group}\\d{3})+)(\\${decimal}\\d*)?$`)
  if (!pattern.test(digits))
    return {
      problem:
        markOf(digits, currency) === 'NONE' || !/\d/.test(digits) || /[^\d.,+-]/.test(digits)
          ? 'This is not a number.'
          : `This is not a number: in this file decimals come after a ${mark === 'POINT' ? 'point' : 'comma'}.`,
    }
  const plain = digits.replaceAll(group, '').replace(decimal, '.').replace(/^\+/, '').replace(/\.$/, '')
  if (plain.startsWith('-')) return { problem: 'A cost cannot be negative.' }
  if (plain.replace(/\..*/, '').length > 10 || Number(plain) > 1_000_000_000)
    return { problem: 'Must be at most 1,000,000,000.' }
  const fraction = (plain.split('.')[1] ?? '').replace(/0+$/, '')
  if (fraction.length > currencyDigits(currency))
    return {
      problem:
        currencyDigits(currency) === 0
          ? `${currency} has no decimals.`
          : `${currency} has at most ${currencyDigits(currency)} decimals.`,
    }
  return { micros: toMicros(plain) }
}

const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/

/** The day of a cost; null for the usual one; or what is wrong with it. */
export function dayOf(text: string): { day: string | null } | AmountProblem {
  if (text === '') return { day: null }
  if (/^(from the )?beginning$/i.test(text)) return { day: beginning }
  const parts = german.exec(text)
  const day = parts ? `${parts[3]}-${parts[2]?.padStart(2, '0')}-${parts[1]?.padStart(2, '0')}` : text
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return { problem: 'Write the day as year-month-day, like 2026-03-31.' }
  const at = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== day) return { problem: 'There is no such day.' }
  if (!/^2[01]/.test(day)) return { problem: 'Must be a day from 2000 to 2199.' }
  return { day }
}
