import { draftOf } from './payload-of.ts'
import { blockedKeywords } from '../chosen-terms.ts'
import { stepProblems } from './rules.ts'
import { expect, test, vi } from 'vitest'
import { CAMPAIGN_KEY, freshWizard, type WizardState } from './wizard-state.ts'

function wizard(extra: Partial<WizardState>): WizardState {
  return {
    ...freshWizard('GUIDED'),
    template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN',
    automationMode: 'MANUAL',
    keywordMatchType: 'EXACT',
    products: [{ asin: 'B0TESTASIN', sku: 'S-1', title: null, imageUrl: null }],
    keywords: {
      B0TESTASIN: [
        { keyword: 'Red mat', matchType: 'EXACT', bid: 1 },
        { keyword: 'red mat', matchType: 'BROAD', bid: 1 },
      ],
      [CAMPAIGN_KEY]: [{ keyword: 'cheap red towel', matchType: 'PHRASE', bid: 1 }],
      B0NOTCHOSE: [{ keyword: 'cheap', matchType: 'EXACT', bid: 1 }],
    },
    ...extra,
  }
}

test('the keywords that a negative would block are named, and no others', () => {
  const exact = { keyword: 'red mat', matchType: 'NEGATIVE_EXACT' as const }
  const phrase = { keyword: 'cheap', matchType: 'NEGATIVE_PHRASE' as const }
  expect(blockedKeywords(draftOf(wizard({})))).toEqual([])
  expect(blockedKeywords(draftOf(wizard({ negativeKeywords: [exact] })))).toEqual(['Red mat'])
  expect(blockedKeywords(draftOf(wizard({ negativeKeywords: [exact, phrase] })))).toEqual([
    'Red mat',
    'cheap red towel',
  ])
})

test('each text is held against the negatives once, however often a bid or another keyword changes', () => {
  const negativeKeywords = [{ keyword: 'cheap', matchType: 'NEGATIVE_PHRASE' as const }]
  const chosen = (...texts: string[]) => ({
    negativeKeywords,
    keywords: { [CAMPAIGN_KEY]: texts.map(keyword => ({ keyword, matchType: 'BROAD' as const, bid: texts.length })) },
  })
  expect(blockedKeywords(draftOf(wizard(chosen('cheap mat', 'red mat'))))).toEqual(['cheap mat'])
  const normalized = vi.spyOn(String.prototype, 'normalize')
  expect(blockedKeywords(draftOf(wizard(chosen('cheap mat', 'red mat'))))).toEqual(['cheap mat'])
  expect(normalized).not.toHaveBeenCalled()
  expect(blockedKeywords(draftOf(wizard(chosen('cheap mat', 'cheap rug'))))).toEqual(['cheap mat', 'cheap rug'])
  expect(normalized).toHaveBeenCalledTimes(1)
  normalized.mockRestore()
})

test('step 4 is not complete while a negative blocks a chosen keyword, unless keywords are not asked for', () => {
  const negativeKeywords = [{ keyword: 'red mat', matchType: 'NEGATIVE_EXACT' as const }]
  const faults = (extra: Partial<WizardState>) => stepProblems(wizard({ negativeKeywords, ...extra }), 4, null)
  expect(faults({})).toMatchObject([
    { field: 'negativeKeywords', message: '“Red mat” would never be shown: a negative keyword keeps it out' },
  ])
  expect(faults({ automationMode: 'AUTO' })).toEqual([])
  expect(faults({ setupMode: 'SMART' })).toEqual([])
})
