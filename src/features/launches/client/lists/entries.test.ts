import { describe, expect, it } from 'vitest'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import type { ListItems } from './list-changes.ts'
import { keywordEntries, negativeEntries, pastedEntries, targetEntries, textProblem } from './entries.ts'

const found = marketplaceByKey('US')
if (!found) throw new Error('There is no US')
const market = found

describe('a pasted list of keywords', () => {
  const paste = (
    text: string,
    { chosen = [], bid = 1 }: { chosen?: ListItems['keywords'][]; bid?: number | null } = {},
  ) =>
    pastedEntries(keywordEntries, text, { chosen, defaults: { matchType: 'EXACT', bid }, market }).map(
      ({ problem, ...row }) => ({ ...row, problem: problem?.message ?? null, code: problem?.code }),
    )

  it.each([
    ['lines', 'yoga mat\r\nsteel flask\n\n  travel mug  \n'],
    ['commas', 'yoga mat, steel flask,travel mug'],
    ['semicolons', 'yoga mat;steel flask; travel mug'],
    ['a column with its title', 'Keyword\nyoga mat\nsteel flask\ntravel mug'],
    ['quoted cells', '"yoga mat"\n"steel flask"\n"travel mug"'],
  ])('is read from %s', (_name, text) => {
    expect(paste(text).map(row => row.text)).toEqual(['yoga mat', 'steel flask', 'travel mug'])
  })

  it('takes match type and bid from the columns of a spreadsheet, otherwise the defaults', () => {
    const rows = paste('yoga mat\tPhrase\t0.85\nsteel flask\t$1.20\ntravel mug')
    expect(rows.map(({ text, matchType, bid, problem }) => ({ text, matchType, bid, problem }))).toEqual([
      { text: 'yoga mat', matchType: 'PHRASE', bid: 0.85, problem: null },
      { text: 'steel flask', matchType: 'EXACT', bid: 1.2, problem: null },
      { text: 'travel mug', matchType: 'EXACT', bid: 1, problem: null },
    ])
  })

  it('leaves a comma inside the cell of a spreadsheet', () => {
    expect(paste('mug, steel\tbroad').map(row => row.text)).toEqual(['mug, steel'])
  })

  it('says row by row why a keyword cannot be added', () => {
    const rows = paste(
      ['yoga mat', 'Yoga  MAT', 'x'.repeat(81), 'a b c d e f g h i j k', 'steel flask\t0.001'].join('\n'),
      { chosen: [{ keyword: 'steel flask', matchType: 'BROAD', bid: 1 }] },
    )
    expect(rows.map(({ line, problem, code }) => [line, problem, code])).toEqual([
      [1, null, undefined],
      [2, '“Yoga  MAT” is already in the list as exact match.', 'DUPLICATE'],
      [3, 'A keyword has at most 80 characters', 'TEXT'],
      [4, 'A keyword has at most 10 words', 'TEXT'],
      [5, 'The bid must be between 0.02 and 1000 USD', 'BID'],
    ])
  })

  it('requires a bid, and recognizes keywords that are already chosen', () => {
    expect(paste('yoga mat', { bid: null })[0]).toMatchObject({ problem: 'Enter a bid', code: 'NO_BID' })
    const chosen = [{ keyword: 'yoga mat', matchType: 'EXACT' as const, bid: 1 }]
    expect(paste('Yoga mat', { chosen })[0]).toMatchObject({
      problem: '“Yoga mat” is already in the list as exact match.',
      code: 'DUPLICATE',
    })
  })

  it('is empty when the text is blank', () => {
    expect(paste(' \n\t\n')).toEqual([])
  })

  it('reports each row that the list has no room for', () => {
    const rows = paste(Array.from({ length: 1205 }, (_, i) => `term ${i}`).join('\n'))
    expect(rows).toHaveLength(1205)
    expect(rows[999]?.problem).toBeNull()
    expect(rows.slice(1000).every(row => row.problem === 'The list holds at most 1000' && row.code === 'FULL')).toBe(
      true,
    )
  })

  it('does not mistake a bid for a keyword, whatever its currency sign, and accepts no bid below zero', () => {
    const rows = paste('steel flask\tCA$1.15\nyoga mat\t-1', { bid: null })
    expect(rows.map(({ text, bid, problem }) => [text, bid, problem])).toEqual([
      ['steel flask', 1.15, null],
      ['yoga mat', -1, 'The bid must be between 0.02 and 1000 USD'],
    ])
  })
})

describe('a pasted list of negative keywords', () => {
  const paste = (text: string, chosen: ListItems['negativeKeywords'][] = []) =>
    pastedEntries(negativeEntries, text, { chosen, defaults: { matchType: 'NEGATIVE_EXACT', bid: null }, market })
  const problems = (text: string, chosen?: ListItems['negativeKeywords'][]) =>
    paste(text, chosen).map(row => row.problem?.message ?? null)
  const used = { keyword: 'used', matchType: 'NEGATIVE_EXACT' } as const

  it.each([
    ['lines', 'free\nused mat'],
    ['commas', 'free, used mat'],
    ['semicolons', 'free;used mat'],
    ['a column with its title', 'Negative keyword\nfree\nused mat'],
  ])('is read from %s', (_, text) => {
    expect(paste(text).map(n => [n.text, n.matchType, n.problem])).toEqual([
      ['free', 'NEGATIVE_EXACT', null],
      ['used mat', 'NEGATIVE_EXACT', null],
    ])
  })

  it('takes the match type from a column, however it is written', () => {
    const text = 'free\tPhrase\nused\tnegative exact\nold\tNEGATIVE_PHRASE\ncheap\tNegativePhrase'
    expect(paste(text).map(n => n.matchType)).toEqual([
      'NEGATIVE_PHRASE',
      'NEGATIVE_EXACT',
      'NEGATIVE_PHRASE',
      'NEGATIVE_PHRASE',
    ])
  })

  it('says row by row why a negative keyword cannot be added', () => {
    const text = `free\nFree \none two three four five\tphrase\n${'x'.repeat(81)}\nfree\tphrase`
    expect(paste(text, [used]).map(n => [n.line, n.problem?.message ?? null])).toEqual([
      [1, null],
      [2, '“Free” is already in the list as negative exact match.'],
      [3, 'A negative phrase has at most 4 words'],
      [4, 'A keyword has at most 80 characters'],
      [5, null],
    ])
    expect(problems('Used', [used])).toEqual(['“Used” is already in the list as negative exact match.'])
  })

  it('reports rows that the list has no room for', () => {
    const chosen = Array.from({ length: 999 }, (_, i) => ({ ...used, keyword: `k ${i}` }))
    expect(problems('free\nused', chosen)).toEqual([null, 'The list holds at most 1000'])
  })
})

describe('a typed negative keyword', () => {
  const ids = new Set(['NEGATIVE_EXACT cheap mat'])
  it.each([
    ['', 'NEGATIVE_EXACT', 'Enter the keyword'],
    ['x'.repeat(81), 'NEGATIVE_EXACT', 'A keyword has at most 80 characters'],
    ['a b c d e', 'NEGATIVE_PHRASE', 'A negative phrase has at most 4 words'],
    ['a b c d e', 'NEGATIVE_EXACT', undefined],
    ['cheap  Mat', 'NEGATIVE_EXACT', '“cheap  Mat” is already in the list as negative exact match.'],
    ['cheap mat', 'NEGATIVE_PHRASE', undefined],
  ] as const)('%j as %s: %s', (text, matchType, message) => {
    expect(textProblem(negativeEntries, { text, matchType, bid: null }, ids)?.message).toBe(message)
  })
})

describe('a pasted list of product targets', () => {
  const paste = (text: string, bid: number | null = 0.5) =>
    pastedEntries(targetEntries, text, {
      chosen: [{ asin: 'B0CHOSEN01', bid: 1 }],
      defaults: { matchType: null, bid },
      market,
    })
  const short = (text: string, bid?: number | null) => paste(text, bid).map(t => [t.line, t.text, t.bid, t.problem])

  it('is read from lines, commas, or a column next to the bids, in any case', () => {
    expect(short('b0aaaaaaaa\nB0BBBBBBBB, B0CCCCCCCC')).toEqual([
      [1, 'B0AAAAAAAA', 0.5, null],
      [2, 'B0BBBBBBBB', 0.5, null],
      [2, 'B0CCCCCCCC', 0.5, null],
    ])
    expect(short('ASIN\tBid\nB0AAAAAAAA\t$1.20\nB0BBBBBBBB\t0,80')).toEqual([
      [2, 'B0AAAAAAAA', 1.2, null],
      [3, 'B0BBBBBBBB', 0.8, null],
    ])
  })

  it('takes the ASIN from the address of a product page', () => {
    const address = 'https://www.example.com/Some-Mat/dp/B0AAAAAAAA/ref=sr_1?th=1'
    expect(short(`${address}\nhttps://www.example.com/gp/product/B0BBBBBBBB`).map(row => row[1])).toEqual([
      'B0AAAAAAAA',
      'B0BBBBBBBB',
    ])
  })

  it('says row by row why a target cannot be added', () => {
    const text = 'B0CHOSEN01\nB0AAAAAAAA\nB0AAAAAAAA\nB0SHORT\nB0BBBBBBBB\t5000'
    expect(paste(text).map(t => t.problem?.message ?? null)).toEqual([
      '“B0CHOSEN01” is already in the list.',
      null,
      '“B0AAAAAAAA” is already in the list.',
      'An ASIN has exactly 10 letters and digits',
      'The bid must be between 0.02 and 1000 USD',
    ])
    expect(paste('B0AAAAAAAA', null)[0]?.problem?.message).toBe('Enter a bid')
  })
})

describe('a pasted cell', () => {
  const paste = (text: string) =>
    pastedEntries(keywordEntries, text, { chosen: [], defaults: { matchType: 'EXACT', bid: null }, market })

  it.each([
    ['"', [['"']]],
    ['"yoga mat', [['"yoga mat']]],
    ['yoga mat\n"steel flask\ntravel mug', [['yoga mat'], ['"steel flask'], ['travel mug']]],
    ['"yoga" mat, mug', [['"yoga" mat', 'mug']]],
    ['12" pan', [['12" pan']]],
    ['"mug, steel"\nmat', [['mug, steel'], ['mat']]],
  ])('in %j is read, whatever its quotes do', (text, expected) => {
    const rows = Map.groupBy(paste(text), row => row.line)
    expect([...rows.values()].map(row => row.map(entry => entry.text))).toEqual(expected)
  })

  it('is not parted by the comma of a bid with a long sign', () => {
    expect(paste('becher blau;0,75 zł\nbecher, rot;0,80 zł').map(row => [row.text, row.bid])).toEqual([
      ['becher blau', 0.75],
      ['becher, rot', 0.8],
    ])
  })

  it.each([
    ['0.85', 0.85],
    ['1,20 €', 1.2],
    ['0,755', 0.755],
    ['¥1,200', 1200],
    ['1,200.50', 1200.5],
    ['1.200,50', 1200.5],
    ['1 200,50', 1200.5],
    ['₹25', 25],
    ['CA$1.15', 1.15],
    ['R$ 1.234,50', 1234.5],
    ['USD 0.50', 0.5],
    ['0,90 zł', 0.9],
    ['.75', 0.75],
    ['-1', -1],
    ['-1.234,50', -1234.5],
    ['ABC 12', null],
    ['12 pan', null],
    ['', null],
  ])('%j is the bid %j', (cell, bid) => {
    expect(paste(`mug\t${cell}`)[0]?.bid).toBe(bid)
  })
})
