import { expect, test } from 'vitest'
import type { Launch } from '../contract.ts'
import { faultsOfLaunch } from './faults-of-launch.ts'
import { freshWizard, type WizardState } from './wizard-state.ts'

const state: WizardState = {
  ...freshWizard('GUIDED'),
  template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL',
  keywords: { B0TESTASIN: [{ keyword: 'Steel mug', matchType: 'EXACT', bid: 0.01 }] },
  negativeKeywords: [{ keyword: 'cheap', matchType: 'NEGATIVE_PHRASE' }],
}
type Step = Launch['steps'][number]
const failed = (name: Step['name'], ...errors: [item: string, reason: string][]): Step => ({
  name,
  status: 'FAILED',
  startedAt: null,
  finishedAt: null,
  done: 0,
  total: 1,
  errors: errors.map(([item, reason]) => ({ item, reason, message: `${reason} in words.` })),
})
const fieldsOf = (step: Step, over: Partial<WizardState> = {}) =>
  faultsOfLaunch({ steps: [step] }, { ...state, ...over }).map(fault => `${fault.field} at ${fault.step}`)

const target = { template: 'SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN' } as const
test.each<[Step, string[], Partial<WizardState>?]>([
  [failed('CAMPAIGNS', ['TL | Mugs', 'NAME_NOT_UNIQUE']), ['campaignName at 3']],
  [failed('CAMPAIGNS', ['TL | Mugs', 'FORBIDDEN_CHARS']), ['campaignName at 3']],
  [failed('CAMPAIGNS', ['TL | Mugs', 'BUDGET_TOO_LOW']), ['budget at 3']],
  [failed('KEYWORDS', ['steel mug (exact)', 'BID_GT_BUDGET']), ['budget at 3']],
  [failed('KEYWORDS', ['steel mug (phrase)', 'TOO_LOW']), ['keywords at 4']],
  [failed('KEYWORDS', ['steel mug (exact)', 'OTHER_ERROR']), ['keywords at 4']],
  [failed('PRODUCT_ADS', ['B0TESTASIN in Exact', 'INVALID_SKU']), ['products at 4']],
  [failed('PRODUCT_TARGETS', ['Mugs', 'TOO_LOW']), ['categories at 4'], { ...target, productTargetType: 'CATEGORY' }],
  [failed('PRODUCT_TARGETS', ['B0', 'TOO_LOW']), ['productTargets at 4'], { ...target, productTargetType: 'PRODUCT' }],
  [
    failed('NEGATIVE_KEYWORDS', ['“cheap” as a phrase kept out of Exact', 'DUPLICATE_VALUE']),
    ['negativeKeywords at 4'],
  ],
])('%j is mended at %j', (step, fields, over) => {
  expect(fieldsOf(step, over)).toEqual(fields)
})

test('what a retry mends, what only followed, and what the user did not enter, has no field', () => {
  const errors = ['INTERNAL_ERROR', 'THROTTLED', 'OUTCOME_UNKNOWN', 'PARENT_MISSING', 'KEYWORD_FAILED', 'HELD_BACK']
  for (const reason of errors) expect(fieldsOf(failed('KEYWORDS', ['steel mug (exact)', reason])), reason).toEqual([])
  expect(fieldsOf(failed('KEYWORDS', ['recommended mug (exact)', 'TOO_LOW']))).toEqual([])
  expect(fieldsOf(failed('KEYWORDS', ['steel mug (exact)', 'TOO_LOW']), { setupMode: 'SMART' })).toEqual([])
  expect(fieldsOf(failed('NEGATIVE_KEYWORDS', ['mug kept out of Exact', 'TOO_LOW']))).toEqual([])
})

test('of each field the first fault is told with what else failed there, the fields in the order of the steps', () => {
  const steps = [
    failed('KEYWORDS', ['steel mug (exact)', 'TOO_LOW'], ['steel mug (phrase)', 'TOO_LOW']),
    failed('CAMPAIGNS', ['TL | Mugs', 'NAME_NOT_UNIQUE']),
  ]
  expect(faultsOfLaunch({ steps }, state)).toEqual([
    { field: 'campaignName', message: 'TL | Mugs: NAME_NOT_UNIQUE in words.', step: 3 },
    { field: 'keywords', message: 'steel mug (exact): TOO_LOW in words. 1 more failed likewise.', step: 4 },
  ])
})
