import { expect, test } from 'vitest'
import { adLimits, bidProblem, lifetimeBudgetProblem } from './ad-limits.ts'
import { placementsProblem } from './campaign-rules.ts'
import { marketplaceByKey } from './marketplaces.ts'

const us = marketplaceByKey('US')
if (!us) throw new Error('no such marketplace')

test.each([
  [{ adType: 'SPONSORED_PRODUCTS' }, 20_000, 1_000_000_000],
  [{ adType: 'SPONSORED_BRANDS', costType: 'CPC', isVideo: false }, 100_000, 49_000_000],
  [{ adType: 'SPONSORED_BRANDS', costType: 'CPC', isVideo: true }, 250_000, 49_000_000],
  [{ adType: 'SPONSORED_BRANDS', costType: 'VCPM', isVideo: true }, 12_000_000, 5_000_000_000],
  [{ adType: 'SPONSORED_DISPLAY', costType: 'VCPM' }, 1_000_000, 1_000_000_000],
  // What is not known narrows nothing.
  [{ adType: 'SPONSORED_BRANDS' }, 100_000, 5_000_000_000],
])('the bids of %o are limited as published', (terms, least, most) => {
  expect(adLimits(us, terms)).toMatchObject({ minBidMicros: least, maxBidMicros: most })
})

test('budgets for a day and for the whole run have limits of their own, and vendors of Display another', () => {
  const brands = adLimits(us, { adType: 'SPONSORED_BRANDS' })
  expect(lifetimeBudgetProblem(99, brands)).toBe('The lifetime budget must be between 100 and 20000000 USD')
  expect(lifetimeBudgetProblem(100, brands)).toBeNull()
  expect(bidProblem(0.1, adLimits(us, { adType: 'SPONSORED_BRANDS', costType: 'CPC', isVideo: true }))).toContain(
    '0.25',
  )
  const ofVendor = adLimits(us, { adType: 'SPONSORED_DISPLAY', advertiser: 'vendor' })
  expect(ofVendor.maxDailyBudgetMicros).toBe(50_000_000_000)
})

test('placements are adjusted as the ad type allows', () => {
  const brands = (percentage: number, strategy = 'MANUAL') =>
    placementsProblem([{ placement: 'HOME_PAGE', percentage }], 'SPONSORED_BRANDS', strategy)
  expect(brands(-99)).toBeNull()
  expect(brands(-100)).toBe('Must be a whole number from -99 to 900')
  expect(brands(20, 'AUTOMATIC_SALES')).toBe('The marketplace chooses the placements with this bidding strategy')
  const down = [{ placement: 'TOP_OF_SEARCH', percentage: -10 } as const]
  expect(placementsProblem(down, 'SPONSORED_PRODUCTS', 'MANUAL')).toBe('Must be a whole number from 0 to 900')
  expect(placementsProblem(down, 'SPONSORED_DISPLAY', null)).toBe('This ad type does not have this placement')
})
