import { adLimits } from '#shared/ad-limits.ts'
import { type MarketplaceFacts, marketplaceByKey } from '#shared/marketplaces.ts'
import { addDays, daysOf } from '#shared/time.ts'
import { decide } from './decide.ts'
import type { Decision } from './decisions.ts'
import type { CampaignFacts, DayFigures, Facts, FamilyFacts, TargetFacts } from './facts.ts'
import type { Memory, Settings } from './settings.ts'

// Facts for tests: one family of bottles at 30.00 with a margin of 45 %, and one keyword at an ACOS of 27 %.

export const today = '2026-06-30'
export const now = new Date(`${today}T10:00:00Z`)
const us = marketplaceByKey('US') as MarketplaceFacts
export const limits = adLimits(us, { adType: 'SPONSORED_PRODUCTS', advertiser: 'seller' } as Parameters<
  typeof adLimits
>[1])
export const dollars = (amount: number): number => Math.round(amount * 1e6)

/** The same figures on each of the last days. */
export const daily = (each: Partial<DayFigures>, count = 60): DayFigures[] =>
  daysOf(addDays(today, -count), addDays(today, -1)).map(day => ({
    day,
    clicks: 0,
    costMicros: 0,
    orders: 0,
    salesMicros: 0,
    ...each,
  }))
export const target = (id: string, more: Partial<TargetFacts> = {}): TargetFacts => ({
  id,
  campaignId: 'c1',
  adGroupId: 'g1',
  familyId: 'bottles',
  kind: 'keyword',
  matchType: 'PHRASE',
  text: `words ${id}`,
  bidMicros: dollars(1),
  isEnabled: true,
  suggestedHighMicros: null,
  days: [],
  ...more,
})
export const campaign = (id: string, more: Partial<CampaignFacts> = {}): CampaignFacts => ({
  id,
  adType: 'SPONSORED_PRODUCTS',
  costType: 'CPC',
  rules: [],
  budgetMicros: dollars(50),
  spentTodayMicros: 0,
  strategyRaise: 0,
  topRaise: 0,
  ruleRaise: 0,
  limits,
  days: daily({ costMicros: dollars(20) }).map(day => ({ ...day, budgetMicros: dollars(50) })),
  places: null,
  ...more,
})
export const family = (more: Partial<FamilyFacts> = {}): FamilyFacts => ({
  id: 'bottles',
  priceMicros: dollars(30),
  margin: 0.45,
  coverDays: 60,
  brandWords: ['driftwood'],
  keywordHome: { campaignId: 'c1', adGroupId: 'exact' },
  productHome: null,
  ...more,
})
// 10 clicks a day at 0.80 and an order a day: an ACOS of 27 % at an order value of 30.
export const usual = { clicks: 10, costMicros: dollars(8), orders: 1, salesMicros: dollars(30) }
export const facts = (more: Partial<Facts> = {}): Facts => ({
  currency: 'USD',
  reportedAt: `${today}T08:00:00Z`,
  shown: [0, 1],
  account: daily(usual),
  categoryRate: 0.08,
  families: [family()],
  campaigns: [campaign('c1')],
  targets: [target('usual', { days: daily(usual) })],
  terms: [],
  ...more,
})
export const settings = (more: Partial<Settings> = {}): Settings => ({
  targetAcos: 0.3,
  strategy: 'PROFIT',
  highestBidMicros: null,
  budgetMicros: dollars(50),
  untouched: [],
  ...more,
})
export const run = (of: Facts, set = settings(), memory: Memory = {}) => decide(of, set, memory, { now, today })
export const bidOf = (decisions: readonly Decision[], id: string): Decision | undefined =>
  decisions.find(one => one.kind === 'bid' && one.entityId === id)
