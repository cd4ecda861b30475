import { expect, test } from 'vitest'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { type Launch, stepNames, templates } from '../contract.ts'
import { durationWords, failedCount, nowDoing, progressOf, stepWords } from './launch-words.ts'
import { previewBudget, structureOfTemplate } from './structure-preview.ts'

const step = (name: (typeof stepNames)[number], status: Launch['steps'][number]['status'], done = 0, total = 0) => ({
  name,
  status,
  startedAt: null,
  finishedAt: null,
  done,
  total,
  errors: status === 'PARTIAL' ? [{ item: 'mat', reason: 'X', message: 'No.' }] : [],
})

test('every step has words', () => {
  expect(stepNames.filter(name => !stepWords[name])).toEqual([])
})
test.each([
  [320.4, '320 ms'],
  [2440, '2.4 s'],
  [59_600, '1 min 0 s'],
  [185_000, '3 min 5 s'],
])('%s ms read as %s', (ms, words) => {
  expect(durationWords(ms)).toBe(words)
})
test('progress counts the items of the step that goes on, and no skipped step', () => {
  const steps = [step('CAMPAIGNS', 'COMPLETED', 5, 5), step('KEYWORDS', 'IN_PROGRESS', 30, 60), step('SAVE', 'SKIPPED')]
  expect(progressOf({ steps })).toBe(0.75)
  expect(nowDoing({ steps })).toBe('Adding keywords (30 of 60)')
})
test('a launch without steps has made no progress', () => {
  expect([progressOf({ steps: [] }), nowDoing({ steps: [] })]).toEqual([0, 'Finishing'])
})
test('failed items are counted over all steps', () => {
  expect(failedCount({ steps: [step('KEYWORDS', 'PARTIAL'), step('NEGATIVE_KEYWORDS', 'PARTIAL')] })).toBe(2)
})

test('every template has a structure, and no automatic campaign holds anything else', () => {
  for (const template of templates) {
    const campaigns = structureOfTemplate(template)
    expect(campaigns.length).toBeGreaterThan(0)
    for (const c of campaigns) if (c.targetingType === 'AUTO') expect(c.groups).toEqual(['Auto'])
  }
})
test.each([
  [
    'US',
    4.99,
    'The budget must be at least 5 USD a day: it is shared by 5 campaigns, and the marketplace asks at least 1 for each',
  ],
  ['US', 5, null],
  ['US', 10.005, 'The budget has more decimals than USD has'],
  ['US', 5e6, 'A campaign’s budget must be at most 1000000 USD a day'],
  ['US', 1e25, 'Valid budget amount is required'],
  [
    'JP',
    499,
    'The budget must be at least 500 JPY a day: it is shared by 5 campaigns, and the marketplace asks at least 100 for each',
  ],
])('a funnel in %s with %s a day: %s', (country, budget, fault) => {
  const market = marketplaceByKey(country)
  if (!market) throw new Error(`no marketplace ${country}`)
  const payload = {
    template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL',
    strategy: 'NORMAL',
    setupMode: 'SMART',
    campaignName: 'Mats',
    targetAcos: 30,
    products: [],
    budget,
  } as const
  const preview = previewBudget({ ...payload, products: [] }, market)
  expect(preview.fault).toBe(fault)
  const sum = preview.split.reduce((total, c) => total + Math.round(c.budget * 100), 0)
  if (!fault) expect(sum).toBe(Math.round(budget * 100))
})
