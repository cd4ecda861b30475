import { describe, expect, test } from 'vitest'
import { amountOf, dayOf, decimalMarkOf, linesOf, textOf } from './read-cost-file.ts'

const skusOf = (text: string) => {
  const read = linesOf(text)
  return 'lines' in read ? read.lines.map(line => [line.line, line.sku, line.cogs, line.validFrom]) : read.fault
}

describe('a file of costs', () => {
  test.each([
    ['UTF-8', new TextEncoder().encode('sku,cogs\nMÜG,4\n')],
    ['UTF-8 with its mark', new TextEncoder().encode('\uFEFFsku,cogs\nMÜG,4\n')],
    ['UTF-16 of Excel', Buffer.from('\uFEFFsku\tcogs\r\nMÜG\t4\r\n', 'utf16le')],
    ['UTF-16, the other way round', Buffer.from('\uFEFFsku\tcogs\r\nMÜG\t4\r\n', 'utf16le').swap16()],
    ['Windows', Buffer.from('sku;cogs\r\nMÜG;4\r\n', 'latin1')],
  ])('is read in %s', (_, bytes) => expect(skusOf(textOf(bytes))).toEqual([[2, 'MÜG', '4', '']]))

  test('may separate by semicolons, quote, order its columns freely and have others', () => {
    const text = 'Title;COGS;Seller SKU;valid from\n"A ""big"" mug; blue";4,50; M-1 ;2026-03-01\n\n\nx;5;"M-2";\n'
    expect(skusOf(text)).toEqual([
      [2, 'M-1', '4,50', '2026-03-01'],
      [5, 'M-2', '5', ''],
    ])
    expect(skusOf('sep=;\nsku;cogs\nM-1;4\n')).toEqual([[3, 'M-1', '4', '']])
  })

  test('leaves out lines of the template that were not filled in, and undoes the mark against formulas', () => {
    expect(skusOf("sku,title,cogs\nM-1,Mug,\n'=M-2,Cup,3\n")).toEqual([[3, '=M-2', '3', '']])
  })

  test.each([
    ['', 'The file is empty.'],
    ['  \n\n', 'The file is empty.'],
    ['name,price\nM-1,4\n', 'The first line must name the columns: “sku” is missing.'],
    ['sku,price\nM-1,4\n', 'The first line must name the columns: “cogs” is missing.'],
    ['sku,cogs\n', 'The file has a heading and no lines.'],
    ['sku,cogs\nM-1,"4\nM-2,5\n', 'A quotation mark is not closed, or has text behind it.'],
    [`sku,cogs\n${'M-1,4\n'.repeat(20_001)}`, 'The file has more than 20,000 lines. Split it.'],
    ['PK\u0003\u0004\u0000\u0000binary', 'The first line must name the columns: “sku” is missing.'],
  ])('that cannot be read as a whole says why: %j', (text, message) =>
    expect(skusOf(text.slice(0, 130_000))).toMatchObject({ field: 'file', message }),
  )

  test('of the greatest size is read in time that grows with its size', () => {
    const timed = (lines: number): number => {
      const text = `sku,cogs\n${Array.from({ length: lines }, (_, i) => `"SKU ""${i}""",1.5\n`).join('')}`
      const at = performance.now()
      linesOf(text)
      return performance.now() - at
    }
    timed(2000)
    expect(timed(20_000)).toBeLessThan(Math.max(400, timed(5000) * 12))
    // One endless field is no trap either.
    const at = performance.now()
    linesOf(`sku,cogs\n"${'"",'.repeat(300_000)}`)
    decimalMarkOf(['1.'.repeat(100_000), `${'9'.repeat(100_000)}x`], 'USD')
    expect(performance.now() - at).toBeLessThan(3000)
  })
})

describe('the decimal mark', () => {
  test.each([
    [['4.50', '1.234'], 'POINT'],
    [['1.234', '4,5'], 'COMMA'],
    [['1.234,56'], 'COMMA'],
    [['1,234.56'], 'POINT'],
    [['1.234.567'], 'COMMA'],
    [['1,234,567'], 'POINT'],
    [['0.125'], 'POINT'],
    [['4', '12'], 'POINT'],
    [['1.234'], null],
    [['4', '1,234', '22.500'], null],
    [['€ 4,50'], 'COMMA'],
  ])('of %j is %s', (amounts, mark) => expect(decimalMarkOf(amounts, 'EUR')).toBe(mark))
  test('is never open in a currency without decimals: a sign separates thousands', () => {
    expect(decimalMarkOf(['1,234'], 'JPY')).toBe('POINT')
    expect(decimalMarkOf(['1.234'], 'JPY')).toBe('COMMA')
  })
})

describe('an amount', () => {
  test.each([
    ['4.5', 'POINT', 'USD', 4_500_000],
    ['$1,234.56', 'POINT', 'USD', 1_234_560_000],
    ['1.234,56 €', 'COMMA', 'EUR', 1_234_560_000],
    ['EUR 4,50', 'COMMA', 'EUR', 4_500_000],
    ["1'234.50", 'POINT', 'USD', 1_234_500_000],
    ['0', 'POINT', 'USD', 0],
    ['4.500', 'POINT', 'USD', 4_500_000],
    ['¥1,234', 'POINT', 'JPY', 1_234_000_000],
    ['1.234', 'COMMA', 'JPY', 1_234_000_000],
  ] as const)('%s with decimals after a %s in %s is %d micros', (text, mark, currency, micros) =>
    expect(amountOf(text, mark, currency)).toEqual({ micros }),
  )
  test.each([
    ['', 'POINT', 'USD', 'There is no cost.'],
    ['abc', 'POINT', 'USD', 'This is not a number.'],
    ['4,50', 'POINT', 'USD', 'This is not a number: in this file decimals come after a point.'],
    ['4.50', 'COMMA', 'EUR', 'This is not a number: in this file decimals come after a comma.'],
    ['12,34.5', 'POINT', 'USD', 'This is not a number: in this file decimals come after a point.'],
    ['-4', 'POINT', 'USD', 'A cost cannot be negative.'],
    ['4.505', 'POINT', 'USD', 'USD has at most 2 decimals.'],
    ['450.5', 'POINT', 'JPY', 'JPY has no decimals.'],
    ['€4.50', 'POINT', 'USD', 'The amount is in €; the costs of this marketplace are in USD.'],
    ['GBP 4.50', 'POINT', 'USD', 'The amount is in GBP; the costs of this marketplace are in USD.'],
    ['99999999999', 'POINT', 'USD', 'Must be at most 1,000,000,000.'],
    ['1e5', 'POINT', 'USD', 'This is not a number.'],
    ['=4', 'POINT', 'USD', 'The amount is in =; the costs of this marketplace are in USD.'],
  ] as const)('%j with decimals after a %s in %s: %s', (text, mark, currency, problem) =>
    expect(amountOf(text, mark, currency)).toEqual({ problem }),
  )
})

test.each([
  ['', { day: null }],
  ['2026-02-28', { day: '2026-02-28' }],
  ['28.2.2026', { day: '2026-02-28' }],
  ['from the beginning', { day: '2000-01-01' }],
  ['2026-02-30', { problem: 'There is no such day.' }],
  ['03/04/2026', { problem: 'Write the day as year-month-day, like 2026-03-31.' }],
  ['1999-12-31', { problem: 'Must be a day from 2000 to 2199.' }],
])('the day %j is %j', (text, expected) => expect(dayOf(text)).toEqual(expected))
