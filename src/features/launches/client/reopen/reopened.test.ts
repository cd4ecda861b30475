import { expect, test } from 'vitest'
import type { CreatePayload } from '../../launch-schema.ts'
import type { Launch } from '../../contract.ts'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { failedLaunch } from '../../../../../tests/support/failed-launch.ts'
import { reopened } from './reopened.ts'

const facts = marketplaceByKey('US')
if (!facts) throw new Error('no US marketplace')
const market = facts
const productOf = (asin: string, sku: string) => ({ asin, sku, keywords: [], categories: [], productTargets: [] })
const payload: CreatePayload = {
  template: 'MULTI_PRODUCT_AD_GROUP_KEYWORD_CAMPAIGN',
  strategy: 'NORMAL',
  setupMode: 'GUIDED',
  campaignName: 'Mugs',
  budget: 20,
  targetAcos: 30,
  products: [
    { ...productOf('B0TESTASI0', 'S-1'), keywords: [{ keyword: 'steel mug', matchType: 'EXACT', bid: 1 }] },
    productOf('B0TESTASI1', 'S-2'),
  ],
  keywords: [
    { keyword: 'steel mug', matchType: 'EXACT', bid: 1 },
    { keyword: 'mug', matchType: 'EXACT', bid: 0.5 },
  ],
  categories: [],
  productTargets: [],
  negativeKeywords: [],
  includeHighImpact: false,
  includeRanking: true,
  separateBrandTerms: false,
  automationMode: 'MANUAL',
  keywordMatchType: 'EXACT',
}
const launchOf = (over: Partial<Launch> = {}, input: CreatePayload | null = payload): Launch => ({
  ...failedLaunch(input),
  ...over,
})
const rowOf = (asin: string, sku: string) => ({ asin, sku, title: `Title ${sku}`, imageUrl: `https://a.b/${sku}.png` })
const listed = [rowOf('B0TESTASI0', 'S-1'), rowOf('B0TESTASI0', 'S-9'), rowOf('B0TESTASI1', 'S-2')]
function open(launch: Launch, rows = listed) {
  const found = reopened(launch, rows, market)
  if (!found) throw new Error('the launch is not understood')
  return found
}

test('a launch of which nothing is left and nothing is at problem opens at the review, its products as they are listed now', () => {
  const { state, problems, notes } = open(launchOf())
  expect([state.currentStep, state.campaignName, problems, notes]).toEqual([5, 'Mugs', [], []])
  expect(state.products).toEqual([listed[0], listed[2]])
})

test('a product that is no longer listed under its SKU is left out with its own terms, and its step says so', () => {
  const { state, problems } = open(launchOf(), listed.slice(1))
  expect(state.products.map(p => p.asin)).toEqual(['B0TESTASI1'])
  expect(state.keywords).toEqual({ campaign: [{ keyword: 'mug', matchType: 'EXACT', bid: 0.5 }] })
  const message = 'No longer listed, so removed along with its targeting: B0TESTASI0 (S-1)'
  expect([state.currentStep, problems]).toEqual([4, [{ field: 'products', message, step: 4 }]])
})

test('failed items and the wizard’s own problems are shown at their fields, and the first such step opens', () => {
  const errors = [{ item: 'mug (exact)', reason: 'TOO_LOW', message: 'Too low.', field: 'keywords' as const }]
  const step = { name: 'KEYWORDS' as const, status: 'FAILED' as const, startedAt: null, finishedAt: null, done: 0 }
  const steps = [{ ...step, total: 1, errors }]
  expect(open(launchOf({ steps })).problems).toEqual([{ field: 'keywords', message: 'mug (exact): Too low.', step: 4 }])
  const both = open(launchOf({ steps }, { ...payload, budget: 0 }))
  expect(both.problems.map(problem => problem.field)).toEqual(['budget', 'keywords'])
  expect(both.state.currentStep).toBe(3)
})

test.each<[Partial<Launch>, string, string?]>([
  [{ status: 'COMPLETED', createdCount: 9 }, 'Mugs (2)', 'because “Mugs” still exists.'],
  [{ status: 'PARTIAL', createdCount: 4 }, 'Mugs (2)', 'If this launch replaces it, undo the old one in the log.'],
  [{ status: 'PARTIAL', createdCount: 4, undo: 'PARTIAL' }, 'Mugs (2)', 'undo the old one'],
  [{ status: 'COMPLETED', createdCount: 9, undo: 'DONE' }, 'Mugs'],
  [{ status: 'FAILED' }, 'Mugs'],
])('a launch that is %j opens as “%s”, and a new name is announced', (over, name, note) => {
  const { state, notes } = open(launchOf(over))
  expect(state.campaignName).toBe(name)
  expect(notes).toEqual(note === undefined ? [] : [expect.stringContaining(note)])
})

test('a rejected name stays to be corrected by the user', () => {
  const errors = [
    {
      item: 'Mugs',
      reason: 'NAME_NOT_UNIQUE',
      message: 'A campaign of this name exists already.',
      field: 'campaignName' as const,
    },
  ]
  const step = { name: 'CAMPAIGNS' as const, status: 'PARTIAL' as const, startedAt: null, finishedAt: null, done: 1 }
  const { state, problems } = open(
    launchOf({ status: 'PARTIAL', createdCount: 1, steps: [{ ...step, total: 2, errors }] }),
  )
  expect([state.campaignName, problems[0]?.field, state.currentStep]).toEqual(['Mugs', 'campaignName', 3])
})

test('input that has no place in the wizard is announced', () => {
  const smart = { ...payload, setupMode: 'SMART' as const }
  expect(open(launchOf({}, smart)).notes).toEqual(['2 of its terms do not fit into the wizard and were left out.'])
})

test('an unreadable stored input opens nothing', () => {
  expect(reopened(launchOf({}, null), listed, market)).toBeNull()
})

const nameAfter = (campaignName: string) =>
  open(launchOf({ status: 'COMPLETED', createdCount: 9 }, { ...payload, campaignName })).state.campaignName
test.each([
  ['Mats', 'Mats (2)'],
  ['Mats (2)', 'Mats (3)'],
  ['Mats (9)', 'Mats (10)'],
  ['Mats 2026', 'Mats 2026 (2)'],
  ['(2)', '(2) (2)'],
])('the name after “%s” is “%s”', (name, next) => {
  expect(nameAfter(name)).toBe(next)
})
test('a long name is cut for its number, and never within a character', () => {
  expect(nameAfter('m'.repeat(100))).toBe(`${'m'.repeat(96)} (2)`)
  expect(nameAfter(`${'m'.repeat(95)}🧄🧄`)).toBe(`${'m'.repeat(95)} (2)`)
})

test('the first failure of each field is shown with the number of others, the fields in the order of the steps', () => {
  const failed = (name: 'KEYWORDS' | 'CAMPAIGNS', ...errors: Launch['steps'][number]['errors']) => ({
    name,
    status: 'FAILED' as const,
    startedAt: null,
    finishedAt: null,
    done: 0,
    total: 1,
    errors,
  })
  const low = { reason: 'TOO_LOW', message: 'Too low.', field: 'keywords' as const }
  const steps = [
    failed('KEYWORDS', { item: 'steel mug (exact)', ...low }, { item: 'steel mug (phrase)', ...low }),
    failed('CAMPAIGNS', { item: 'TL | Mugs', reason: 'NAME_NOT_UNIQUE', message: 'Taken.', field: 'campaignName' }),
    failed('KEYWORDS', { item: 'red mug (exact)', reason: 'THROTTLED', message: 'Retry.' }),
  ]
  expect(open(launchOf({ steps })).problems).toEqual([
    { field: 'campaignName', message: 'TL | Mugs: Taken.', step: 3 },
    { field: 'keywords', message: 'steel mug (exact): Too low. 1 more failed likewise.', step: 4 },
  ])
})
