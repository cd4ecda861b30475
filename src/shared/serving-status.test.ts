import { describe, expect, test } from 'vitest'
import { servingKinds, servingOf, statusesOf } from './serving-status.ts'

const ofMarketplace =
  `ACCOUNT_OUT_OF_BUDGET ADVERTISER_ACCOUNT_OUT_OF_BUDGET ADVERTISER_ARCHIVED ADVERTISER_EXCEED_SPENDS_LIMIT
ADVERTISER_OUT_OF_BUDGET ADVERTISER_PAUSED ADVERTISER_PAYMENT_FAILURE ADVERTISER_POLICING_PENDING_REVIEW ADVERTISER_POLICING_SUSPENDED
ADVERTISER_STATUS_ENABLED AD_ARCHIVED AD_CREATION_FAILED AD_CREATION_OFFLINE_FAILED AD_CREATION_OFFLINE_IN_PROGRESS
AD_CREATION_OFFLINE_PENDING AD_ELIGIBLE AD_GROUP_ARCHIVED AD_GROUP_INCOMPLETE AD_GROUP_LOW_BID AD_GROUP_PAUSED
AD_GROUP_POLICING_CREATIVE_REJECTED AD_GROUP_POLICING_PENDING_REVIEW AD_GROUP_STATUS_ENABLED AD_INELIGIBLE
AD_LANDING_PAGE_NOT_AVAILABLE AD_MISSING_DECORATION AD_MISSING_IMAGE AD_NOT_BUYABLE AD_NOT_IN_BUYBOX AD_NO_PURCHASABLE_OFFER
AD_OUT_OF_STOCK AD_PAUSED AD_POLICING_PENDING_REVIEW AD_POLICING_SUSPENDED AD_STATUS_LIVE CAMPAIGN_ADS_NOT_DELIVERING
CAMPAIGN_ARCHIVED CAMPAIGN_ENDED CAMPAIGN_INCOMPLETE CAMPAIGN_OUT_OF_BUDGET CAMPAIGN_PAUSED CAMPAIGN_PENDING_START_DATE
CAMPAIGN_STATUS_ENABLED ELIGIBLE ENDED INELIGIBLE LANDING_PAGE_NOT_AVAILABLE MISSING_DECORATION MISSING_IMAGE NOT_BUYABLE
NOT_IN_BUYBOX NO_INVENTORY NO_PURCHASABLE_OFFER OUT_OF_STOCK PENDING_REVIEW PENDING_START_DATE PIR_RULE_EXCLUDED
PORTFOLIO_ARCHIVED PORTFOLIO_ENDED PORTFOLIO_OUT_OF_BUDGET PORTFOLIO_PAUSED PORTFOLIO_PENDING_START_DATE PORTFOLIO_STATUS_ENABLED
REJECTED SECURITY_SCAN_PENDING_REVIEW SECURITY_SCAN_REJECTED TARGETING_CLAUSE_ARCHIVED TARGETING_CLAUSE_BLOCKED
TARGETING_CLAUSE_PAUSED TARGETING_CLAUSE_POLICING_SUSPENDED TARGETING_CLAUSE_STATUS_LIVE`.split(/\s+/)

describe('a serving status', () => {
  test.each(ofMarketplace)('%s has a meaning in plain words', status => {
    const serving = servingOf(status)
    expect(serving?.kind).not.toBe('UNKNOWN')
    if (serving?.kind === 'RUNS') expect(serving.reason).toBe('')
    else expect(serving?.reason).toMatch(/^[A-Z][^_A-Z]+.*\.$/)
  })
  test('names the level that stops the entity', () => {
    expect(servingOf('PORTFOLIO_PAUSED')).toEqual({ kind: 'OFF', reason: 'Its portfolio is paused.' })
    expect(servingOf('CAMPAIGN_OUT_OF_BUDGET')).toMatchObject({ kind: 'MONEY' })
    expect(servingOf('AD_GROUP_LOW_BID')?.reason).toBe('The bid of the ad group is too low to win an auction.')
    expect(servingOf('ENDED', 'The campaign')?.reason).toBe('The campaign has ended: its last day is over.')
  })
  test('is listed under the kind that it has', () => {
    for (const kind of servingKinds)
      if (kind !== 'UNKNOWN') for (const status of statusesOf(kind)) expect(servingOf(status)?.kind, status).toBe(kind)
    const listed = new Set(servingKinds.flatMap(kind => (kind === 'UNKNOWN' ? [] : statusesOf(kind))))
    expect(ofMarketplace.filter(status => !listed.has(status))).toEqual([])
  })
  test('that is new is shown in the marketplace’s own words; none is none', () => {
    expect(servingOf('AD_ON_HOLIDAY')).toEqual({ kind: 'UNKNOWN', reason: 'The marketplace says: ad on holiday.' })
    expect(servingOf(null)).toBeNull()
  })
})
