import * as v from 'valibot'
import { expect, test } from 'vitest'
import { storedPayload } from '../launch-schema.ts'
import { fieldOfItem, type ItemContent } from './launch-items.ts'

const payload = v.parse(storedPayload, {
  template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL',
  strategy: 'NORMAL',
  setupMode: 'GUIDED',
  campaignName: 'Mugs',
  budget: 60,
  targetAcos: 30,
  products: [{ asin: 'B0TESTASIN', sku: 'S', keywords: [{ keyword: 'Steel mug', matchType: 'EXACT', bid: 0.01 }] }],
  categories: [{ id: '7', name: 'Mugs', bid: 1 }],
  productTargets: [{ asin: 'B0OTHERONE', bid: 1 }],
  negativeKeywords: [{ keyword: 'cheap', matchType: 'NEGATIVE_PHRASE' }],
})
const campaign: ItemContent = {
  kind: 'CAMPAIGN',
  name: 'TL | Mugs',
  targetingType: 'MANUAL',
  dailyBudgetMicros: 1_000_000,
  biddingStrategy: 'SALES_DOWN_ONLY',
  topOfSearchPercent: 0,
}
function keyword(text: string, matchType: 'EXACT' | 'PHRASE' = 'EXACT'): ItemContent {
  return {
    kind: 'KEYWORD',
    text,
    matchType,
    bidMicros: 10_000,
  }
}
function target(match: 'CATEGORY' | 'PRODUCT_EXACT', value: string): ItemContent {
  return {
    kind: 'PRODUCT_TARGET',
    match,
    value,
    bidMicros: 10_000,
  }
}

test.each<[ItemContent, reason: string, field: string]>([
  [campaign, 'NAME_NOT_UNIQUE', 'campaignName'],
  [campaign, 'FORBIDDEN_CHARS', 'campaignName'],
  [campaign, 'BUDGET_TOO_LOW', 'budget'],
  [keyword('steel mug'), 'BID_GT_BUDGET', 'budget'],
  [keyword('steel  MUG', 'PHRASE'), 'TOO_LOW', 'keywords'],
  [keyword('steel mug'), 'OTHER_ERROR', 'keywords'],
  [{ kind: 'PRODUCT_AD', asin: 'B0TESTASIN', sku: 'S' }, 'INVALID_SKU', 'products'],
  [target('CATEGORY', '7'), 'TOO_LOW', 'categories'],
  [target('PRODUCT_EXACT', 'B0OTHERONE'), 'TOO_LOW', 'productTargets'],
  [{ kind: 'NEGATIVE_KEYWORD', text: 'cheap', matchType: 'NEGATIVE_PHRASE' }, 'DUPLICATE_VALUE', 'negativeKeywords'],
])('%j with the reason %s needs a change of %s', (content, reason, field) => {
  expect(fieldOfItem(content, reason, payload)).toBe(field)
})

test('what a retry repairs, what only followed, and what the user did not enter, has no field', () => {
  const reasons = ['INTERNAL_ERROR', 'THROTTLED', 'OUTCOME_UNKNOWN', 'PARENT_MISSING', 'KEYWORD_FAILED', 'HELD_BACK']
  for (const reason of reasons) expect(fieldOfItem(keyword('steel mug'), reason, payload), reason).toBeNull()
  expect(fieldOfItem(keyword('recommended mug'), 'TOO_LOW', payload)).toBeNull()
  expect(fieldOfItem(keyword('steel mug'), 'TOO_LOW', { ...payload, products: [] })).toBeNull()
  expect(fieldOfItem(target('CATEGORY', '8'), 'TOO_LOW', payload)).toBeNull()
  expect(fieldOfItem({ kind: 'NEGATIVE_KEYWORD', text: 'mug' }, 'TOO_LOW', payload)).toBeNull()
  expect(fieldOfItem({ kind: 'NEGATIVE_KEYWORD', text: 'cheap' }, 'TOO_LOW', payload)).toBeNull()
})
