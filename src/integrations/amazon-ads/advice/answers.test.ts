import { expect, it } from 'vitest'
import { toBidExpression } from './advice.ts'
import { bidAdvice, categoryAdvice, eligibility, keywordAdvice } from './answers.ts'

// Answers as the vendor's published collection of requests shows them.
const keywords = {
  keywordTargetList: [
    {
      keyword: 'foaming hand soap refill',
      bidInfo: [
        {
          matchType: 'PHRASE',
          theme: 'CONVERSION_OPPORTUNITIES',
          rank: 1,
          bid: 311,
          suggestedBid: { rangeStart: 126, rangeMedian: 311, rangeEnd: 476 },
        },
        {
          matchType: 'EXACT',
          theme: 'CONVERSION_OPPORTUNITIES',
          rank: 1,
          bid: 256,
          suggestedBid: { rangeStart: 125, rangeMedian: 256, rangeEnd: 455 },
        },
      ],
      translation: 'recarga de jabón de manos espumoso',
      userSelectedKeyword: false,
    },
    { keyword: 'no bid at all', bidInfo: [{ matchType: 'BROAD', bid: null, suggestedBid: null }] },
  ],
}

it('bids of recommended keywords come in cents', () => {
  const [phrase, exact, none] = keywordAdvice('USD').parse(keywords)
  expect(phrase).toMatchObject({
    keyword: 'foaming hand soap refill',
    matchType: 'PHRASE',
    lowMicros: 1_260_000,
    bidMicros: 3_110_000,
    highMicros: 4_760_000,
  })
  expect(exact).toMatchObject({
    matchType: 'EXACT',
    bidMicros: 2_560_000,
    translation: 'recarga de jabón de manos espumoso',
  })
  expect(none).toMatchObject({ matchType: 'BROAD', bidMicros: null, lowMicros: null })
})

it('bids in a currency without small change come in whole units', () => {
  expect(keywordAdvice('JPY').parse(keywords)[0]?.bidMicros).toBe(311_000_000)
})

it('categories are read from both versions, without the root and without what cannot be targeted', () => {
  const read = categoryAdvice.parse({
    categories: [
      { id: '7141123011', name: 'Clothing', parent: '-1', canBeTargeted: true, path: '/Clothing' },
      { id: '1', name: 'Closed', parent: '2', canBeTargeted: false, path: '/Closed' },
      {
        id: '1044920',
        name: 'Socks',
        parentCategoryId: '3456051',
        categoryPath: '/Socks',
        asinCounts: { min: 10, max: 20 },
      },
    ],
  })
  expect(read).toEqual([
    {
      categoryId: '7141123011',
      name: 'Clothing',
      path: '/Clothing',
      parentId: null,
      minProducts: null,
      maxProducts: null,
    },
    { categoryId: '1044920', name: 'Socks', path: '/Socks', parentId: '3456051', minProducts: 10, maxProducts: 20 },
  ])
})

it('a bid recommendation gives low, middle and high in major units', () => {
  const wire = {
    bidRecommendations: [
      {
        theme: 'CONVERSION_OPPORTUNITIES',
        bidRecommendationsForTargetingExpressions: [
          {
            targetingExpression: { type: 'CLOSE_MATCH', value: null },
            bidValues: [{ suggestedBid: 0.5 }, { suggestedBid: 0.75 }, { suggestedBid: 1.1 }],
          },
          {
            targetingExpression: { type: 'KEYWORD_EXACT_MATCH', value: 'soap' },
            bidValues: [{ suggestedBid: 1.1 }, { suggestedBid: 0.75 }, { suggestedBid: 0.5 }],
          },
          { targetingExpression: { type: 'KEYWORD_GROUP', value: 'x' }, bidValues: [{ suggestedBid: 1 }] },
        ],
      },
    ],
  }
  const bids = { theme: 'CONVERSION_OPPORTUNITIES', lowMicros: 500_000, medianMicros: 750_000, highMicros: 1_100_000 }
  expect(bidAdvice.parse(wire)).toEqual([
    { ...bids, subject: { type: 'AUTO', group: 'CLOSE_MATCH' } },
    { ...bids, subject: { type: 'KEYWORD', matchType: 'EXACT', text: 'soap' } },
  ])
})

it('what a bid is asked for is named as the vendor names it', () => {
  expect(toBidExpression({ type: 'KEYWORD', matchType: 'BROAD', text: 'soap' })).toEqual({
    type: 'KEYWORD_BROAD_MATCH',
    value: 'soap',
  })
  expect(toBidExpression({ type: 'AUTO', group: 'SUBSTITUTES' })).toEqual({ type: 'SUBSTITUTES' })
  expect(toBidExpression({ type: 'PRODUCT', asin: 'B01' })).toEqual({ type: 'PAT_ASIN', value: 'B01' })
  expect(toBidExpression({ type: 'CATEGORY', categoryId: '7' })).toEqual({ type: 'PAT_CATEGORY', value: '7' })
})

it('a product without a status must not be advertised', () => {
  const read = eligibility.parse({
    productResponseList: [
      { productDetails: { asin: 'B01' } },
      { productDetails: { asin: 'B02' }, overallStatus: 'ELIGIBLE' },
    ],
  })
  expect(read.map(r => r.status)).toEqual(['INELIGIBLE', 'ELIGIBLE'])
})
