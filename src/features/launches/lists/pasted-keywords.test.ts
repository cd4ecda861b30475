import { describe, expect, it } from 'vitest'
import { marketplaces } from '#shared/marketplaces.ts'
import { pastedKeywords } from './pasted-keywords.ts'

const market = marketplaces.find(m => m.key === 'US')
if (!market) throw new Error('There is no US')
const options = { chosen: [], matchType: 'EXACT', bid: 1, market } as const
const paste = (text: string, more: Partial<Parameters<typeof pastedKeywords>[1]> = {}) =>
  pastedKeywords(text, { ...options, ...more })

describe('a pasted list', () => {
  it.each([
    ['lines', 'yoga mat\r\nsteel flask\n\n  travel mug  \n'],
    ['commas', 'yoga mat, steel flask,travel mug'],
    ['semicolons', 'yoga mat;steel flask; travel mug'],
    ['a column with its title', 'Keyword\nyoga mat\nsteel flask\ntravel mug'],
    ['quoted cells', '"yoga mat"\n"steel flask"\n"travel mug"'],
  ])('is read from %s', (_name, text) => {
    expect(paste(text).map(row => row.keyword)).toEqual(['yoga mat', 'steel flask', 'travel mug'])
  })

  it('takes match type and bid from the columns of a spreadsheet, and else those given', () => {
    const rows = paste('yoga mat\tPhrase\t0.85\nsteel flask\t$1.20\ntravel mug')
    expect(rows.map(({ keyword, matchType, bid, fault }) => ({ keyword, matchType, bid, fault }))).toEqual([
      { keyword: 'yoga mat', matchType: 'PHRASE', bid: 0.85, fault: null },
      { keyword: 'steel flask', matchType: 'EXACT', bid: 1.2, fault: null },
      { keyword: 'travel mug', matchType: 'EXACT', bid: 1, fault: null },
    ])
  })

  it('keeps a comma inside a spreadsheet’s cell', () => {
    expect(paste('mug, steel\tbroad').map(row => row.keyword)).toEqual(['mug, steel'])
  })

  it('says row by row why a keyword cannot be added', () => {
    const rows = paste(
      ['yoga mat', 'Yoga  MAT', 'x'.repeat(81), 'a b c d e f g h i j k', 'steel flask\t0.001'].join('\n'),
      { chosen: [{ keyword: 'steel flask', matchType: 'BROAD' }] },
    )
    expect(rows.map(({ line, fault }) => [line, fault])).toEqual([
      [1, null],
      [2, 'It is in the list already'],
      [3, 'A keyword has at most 80 characters'],
      [4, 'A keyword has at most 10 words'],
      [5, 'The bid must be between 0.02 and 1000 USD'],
    ])
  })

  it('wants a bid, and knows what is chosen already', () => {
    expect(paste('yoga mat', { bid: null })[0]?.fault).toBe('Enter a bid')
    expect(paste('Yoga mat', { chosen: [{ keyword: 'yoga mat', matchType: 'EXACT' }] })[0]?.fault).toBe(
      'It is in the list already',
    )
  })

  it('is empty where nothing was pasted', () => {
    expect(paste(' \n\t\n')).toEqual([])
  })

  it('tells of each row for which the list has no room, so that none is lost unseen', () => {
    const rows = paste(Array.from({ length: 1205 }, (_, i) => `term ${i}`).join('\n'))
    expect(rows).toHaveLength(1205)
    expect(rows[999]?.fault).toBeNull()
    expect(rows.slice(1000).every(row => row.fault === 'The list holds at most 1000')).toBe(true)
  })

  it('takes no bid for a keyword, whatever its currency’s sign, nor one below zero', () => {
    const rows = paste('steel flask\tCA$1.15\nyoga mat\t-1', { bid: null })
    expect(rows.map(({ keyword, bid, fault }) => [keyword, bid, fault])).toEqual([
      ['steel flask', 1.15, null],
      ['yoga mat', -1, 'The bid must be between 0.02 and 1000 USD'],
    ])
  })
})
