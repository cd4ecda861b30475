import { describe, expect, it } from 'vitest'
import { bidControls } from '#shared/campaign-rules.ts'
import { batchResultWire, refusedBy, toOutcomes } from './outcome.ts'
import { newToWire, schemaOf, toWire } from './wire-fields.ts'
import { sponsoredProducts as entities } from './wire-table.ts'

const readCampaign = (wire: object) => schemaOf(entities.campaigns).parse(wire)

// Answers as the vendor's published collection of requests shows them.
const campaign = {
  budget: { budget: 100, budgetType: 'DAILY' },
  campaignId: '276748589410145',
  dynamicBidding: { placementBidding: [{ percentage: 900, placement: 'PLACEMENT_TOP' }], strategy: 'LEGACY_FOR_SALES' },
  endDate: '2022-11-08',
  name: 'Test SP campaign',
  premiumBidAdjustment: true,
  startDate: '2022-10-31',
  state: 'ENABLED',
  targetingType: 'AUTO',
}

describe('a campaign', () => {
  it('is read in our words', () => {
    expect(readCampaign(campaign)).toEqual({
      campaignId: '276748589410145',
      name: 'Test SP campaign',
      state: 'ENABLED',
      targetingType: 'AUTO',
      dailyBudgetMicros: 100_000_000,
      bidding: {
        strategy: 'SALES_DOWN_ONLY',
        placements: [{ placement: 'TOP_OF_SEARCH', percentage: 900 }],
        audiences: [],
      },
      startDate: '2022-10-31',
      endDate: '2022-11-08',
      portfolioId: null,
      tags: {},
      servingStatus: null,
      createdAt: null,
      updatedAt: null,
    })
  })

  it('comes back as it was sent, audiences and all', () => {
    const bidding = {
      strategy: 'SALES_UP_AND_DOWN',
      placements: [{ placement: 'SITE_AMAZON_BUSINESS', percentage: 10 }],
      audiences: [{ percentage: 30, audiences: [{ audienceId: 'A1', type: 'SPONSORED_ADS_AMC' }] }],
    } as const
    const sent = newToWire(entities.campaigns, {
      name: 'N',
      state: 'PAUSED',
      targetingType: 'MANUAL',
      dailyBudgetMicros: 12_340_000,
      bidding: {
        ...bidding,
        placements: [...bidding.placements],
        audiences: bidding.audiences.map(a => ({ ...a, audiences: [...a.audiences] })),
      },
      startDate: '2026-11-21',
    })
    expect(sent['budget']).toEqual({ budget: 12.34, budgetType: 'DAILY' })
    const read = readCampaign({ ...sent, campaignId: '1' })
    expect(read.bidding).toEqual(bidding)
    expect(read.dailyBudgetMicros).toBe(12_340_000)
  })

  it.each([
    ['ENABLING', 'ENABLED'],
    ['PROPOSED', 'PAUSED'],
    ['USER_DELETED', 'ARCHIVED'],
    ['SOMETHING_NEW', 'PAUSED'],
  ])('in state %s is shown as %s', (state, ours) => {
    expect(readCampaign({ ...campaign, state }).state).toBe(ours)
  })

  it('has a word of the marketplace for every strategy and placement, the same both ways', () => {
    const { strategies, placements } = bidControls.SPONSORED_PRODUCTS
    for (const strategy of strategies) {
      const bidding = {
        strategy,
        placements: placements.map(placement => ({ placement, percentage: 5 })),
        audiences: [],
      }
      const dynamicBidding = entities.campaigns.fields.bidding.to(bidding)
      expect(readCampaign({ ...campaign, dynamicBidding }).bidding).toEqual(bidding)
    }
  })

  it('of an unknown strategy can be read but not sent', () => {
    const { bidding } = readCampaign({ ...campaign, dynamicBidding: { strategy: 'NEW_ONE' } })
    expect(bidding.strategy).toBe('OTHER')
    expect(() => toWire(entities.campaigns, { campaignId: '1', bidding })).toThrow(RangeError)
  })

  it('changes in nothing but what is named, and its bidding only as a whole', () => {
    expect(toWire(entities.campaigns, { campaignId: '1', state: 'PAUSED' })).toEqual({
      campaignId: '1',
      state: 'PAUSED',
    })
    const change = toWire(entities.campaigns, {
      campaignId: '1',
      bidding: { strategy: 'MANUAL', placements: [], audiences: [] },
    })
    expect(change).toEqual({ campaignId: '1', dynamicBidding: { strategy: 'MANUAL', placementBidding: [] } })
  })
})

describe('dates', () => {
  const ad = { adGroupId: '1', adId: '2', asin: 'B0986YK83J', campaignId: '3', sku: 'a140aafa-1a23', state: 'ENABLED' }
  it('are read from epoch milliseconds and from ISO text', () => {
    const older = { ...ad, extendedData: { creationDate: 1652879836672, lastUpdateDate: 1652879836672 } }
    const newer = {
      ...ad,
      extendedData: { creationDateTime: '2022-11-02T15:31:09.471Z', lastUpdateDateTime: '2022-11-02T15:31:09.471Z' },
    }
    expect(schemaOf(entities.productAds).parse(older).createdAt).toEqual(new Date('2022-05-18T13:17:16.672Z'))
    expect(schemaOf(entities.productAds).parse(newer).updatedAt).toEqual(new Date('2022-11-02T15:31:09.471Z'))
  })
})

describe('a target', () => {
  it.each([
    ['QUERY_HIGH_REL_MATCHES', 'CLOSE_MATCH'],
    ['QUERY_BROAD_REL_MATCHES', 'LOOSE_MATCH'],
    ['ASIN_SUBSTITUTE_RELATED', 'SUBSTITUTES'],
    ['ASIN_ACCESSORY_RELATED', 'COMPLEMENTS'],
  ])('%s is called %s', (theirs, ours) => {
    const wire = {
      adGroupId: '1',
      campaignId: '2',
      expression: [{ type: theirs }],
      expressionType: 'AUTO',
      resolvedExpression: [{ type: theirs }],
      state: 'ENABLED',
      targetId: '3',
    }
    const read = schemaOf(entities.targets).parse(wire)
    expect(read).toMatchObject({ expressionType: 'AUTO', bidMicros: null, expression: [{ type: ours, value: null }] })
  })

  it('is sent as a manual one', () => {
    const expression = [{ type: 'ASIN_SAME_AS', value: 'B07R7V6KS8' }]
    expect(
      newToWire(entities.targets, {
        adGroupId: '1',
        campaignId: '2',
        expression,
        state: 'ENABLED',
        bidMicros: 750_000,
      }),
    ).toEqual({
      adGroupId: '1',
      campaignId: '2',
      expression,
      expressionType: 'MANUAL',
      state: 'ENABLED',
      bid: 0.75,
    })
  })
})

it('a keyword without a bid takes the default of its ad group', () => {
  const sent = newToWire(entities.keywords, {
    adGroupId: '1',
    campaignId: '2',
    text: 'soap',
    matchType: 'EXACT',
    state: 'ENABLED',
  })
  expect(sent).not.toHaveProperty('bid')
  expect(sent['keywordText']).toBe('soap')
  expect(schemaOf(entities.keywords).parse({ ...sent, keywordId: '3' }).bidMicros).toBeNull()
})

describe('the outcomes of a batch', () => {
  const result = batchResultWire.parse({
    success: [{ index: 2, keywordId: '11' }],
    error: [
      {
        index: 0,
        errors: [
          {
            errorType: 'rangeError',
            errorValue: {
              rangeError: {
                reason: 'TOO_LOW',
                message: 'Bid is lower than the minimum allowed by the marketplace',
                cause: { location: '$.keywords[0].bid', trigger: '0.01' },
              },
            },
          },
        ],
      },
    ],
  })

  it('stand in the order of the request; what is not mentioned is unknown', () => {
    const outcomes = toOutcomes(3, result, item => ({ id: String(item['keywordId']), entity: null }))
    expect(outcomes[0]).toEqual({
      ok: false,
      selector: 'rangeError',
      reason: 'TOO_LOW',
      location: '$.keywords[0].bid',
      message: 'Bid is lower than the minimum allowed by the marketplace',
      retryable: false,
    })
    expect(outcomes[1]).toMatchObject({ ok: false, reason: 'OUTCOME_UNKNOWN' })
    expect(outcomes[2]).toEqual({ ok: true, id: '11', entity: null })
  })

  it('may be tried again where the marketplace only had no time', () => {
    expect(refusedBy([{ errorValue: { throttledError: { reason: 'THROTTLED', message: 'slow' } } }])).toMatchObject({
      retryable: true,
    })
    expect(refusedBy([])).toMatchObject({ ok: false, reason: 'OTHER_ERROR', retryable: false })
  })
})

it('the ids that success items bear differ by resource as the specification says', () => {
  const ids = Object.fromEntries(
    Object.entries(entities).map(([name, r]) => [name, [r.listKey, r.successId, r.successEntity]]),
  )
  expect(ids).toEqual({
    campaigns: ['campaigns', 'campaignId', 'campaign'],
    adGroups: ['adGroups', 'adGroupId', 'adGroup'],
    productAds: ['productAds', 'adId', 'productAd'],
    keywords: ['keywords', 'keywordId', 'keyword'],
    negativeKeywords: ['negativeKeywords', 'negativeKeywordId', 'negativeKeyword'],
    campaignNegativeKeywords: ['campaignNegativeKeywords', 'campaignNegativeKeywordId', 'campaignNegativeKeyword'],
    targets: ['targetingClauses', 'targetId', 'targetingClause'],
    negativeTargets: ['negativeTargetingClauses', 'targetId', 'negativeTargetingClause'],
    campaignNegativeTargets: [
      'campaignNegativeTargetingClauses',
      'campaignNegativeTargetingClauseId',
      'campaignNegativeTargetingClauses',
    ],
  })
})
