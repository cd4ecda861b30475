import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { open, scene, tide, viewport } from '../../../../../tests/support/campaigns-scene.tsx'
import { figuresWithRatios } from '../../../../../tests/support/sum-figures.ts'
import type { NegativeImpact, UnderperformingRow } from '../../keyword-contract.ts'
import { confidenceText, methodText, verdictText } from './keyword-words.ts'

const dear: UnderperformingRow = {
  ...(Object.fromEntries(Object.keys(tide).map(name => [name, null])) as unknown as UnderperformingRow),
  id: 31,
  version: 4,
  adType: 'SPONSORED_PRODUCTS',
  campaignId: 11,
  adGroupId: 21,
  kind: 'KEYWORD',
  text: 'glass bottle',
  expression: null,
  matchType: 'EXACT',
  state: 'ENABLED',
  syncState: 'SYNCED',
  amazonId: '300031',
  currency: 'USD',
  bid: 0.7,
  ...figuresWithRatios({ impressions: 900, clicks: 50, cost: 90, sales: 80, orders: 4, units: 4 }),
  campaignName: 'Tide mugs',
  adGroupName: 'Mugs',
  effectiveBid: 0.7,
  targetAcos: 25,
  targetFrom: 'CAMPAIGN',
  maxCpc: 0.4,
  act: { kind: 'LOWER_BID', bid: 0.4 },
  verdict: {
    test: 'TOO_DEAR',
    confidence: 99.24,
    productCvr: 8,
    clicksNeeded: 28,
    price: 20,
    spendAllowed: 5,
    acosLimit: 37.5,
    breakEvenAcos: null,
    impressionsNeeded: 100,
  },
}
const noSale: UnderperformingRow = {
  ...dear,
  id: 32,
  text: 'mug rack',
  ...figuresWithRatios({ impressions: 900, clicks: 60, cost: 30, sales: 0, orders: 0, units: 0 }),
  act: { kind: 'PAUSE', bid: null },
  verdict: { ...dear.verdict, test: 'NO_SALE', confidence: 96.4 },
}
const impact: NegativeImpact = {
  id: 41,
  version: 1,
  text: 'free mug',
  expression: null,
  kind: 'KEYWORD',
  matchType: 'NEGATIVE_PHRASE',
  adType: 'SPONSORED_PRODUCTS',
  campaignId: 11,
  campaignName: 'Tide mugs',
  adGroupId: null,
  adGroupName: null,
  addedAt: '2026-03-06T20:00:00.000Z',
  addedBy: 'Mara Lind',
  origin: 'USER',
  daysActive: 20,
  before: {
    dateFrom: '2026-02-04',
    dateTo: '2026-03-05',
    days: 30,
    terms: 2,
    clicks: 60,
    orders: 1,
    cost: 36,
    sales: 20,
  },
  trafficIndex: 1.2,
  forgone: 4.8,
  marginPercent: 30,
  isMarginAssumed: true,
  savedLow: 8,
  saved: 24,
  savedHigh: 31,
  isCapped: false,
}
const product: NegativeImpact = {
  ...impact,
  id: 42,
  text: 'ASIN_SAME_AS: B0BADBAD01',
  expression: [{ type: 'ASIN_SAME_AS', value: 'B0BADBAD01' }],
  kind: 'PRODUCT',
  matchType: null,
}
const paged = (content: object[]) => ({
  content,
  page: { size: 50, number: 0, totalElements: content.length, totalPages: 1 },
  currency: 'USD',
  days: { dateFrom: '2026-02-16', dateTo: '2026-03-17' },
  dateFrom: '2026-02-16',
  dateTo: '2026-03-17',
  freshness: { asOf: '2026-03-25T10:00:00.000Z', movingFrom: '2026-03-18' },
})
function show(part: string) {
  scene.answers['/api/keyword-performance/underperforming-keywords'] = {
    ...paged([dear, noSale]),
    counts: { NO_SALE: 1, TOO_DEAR: 1 },
  }
  scene.answers['/api/keyword-performance/negative-keyword-impact'] = { ...paged([impact, product]), withoutDate: 2 }
  scene.answers['/api/keyword-performance/top-keywords'] = { ...paged([dear]), totals: dear }
  return open(`/insights/keyword-performance${part && `?part=${part}`}`)
}

it('names the test that a keyword fails, its numbers and how sure it is', () => {
  expect(verdictText(dear)).toBe('ACOS 112.5%, above 37.5% (1.5 × target 25%).')
  expect(verdictText({ ...dear, verdict: { ...dear.verdict, acosLimit: 40, breakEvenAcos: 40 } })).toMatch(
    /\(break-even\)/,
  )
  expect(verdictText(noSale)).toBe(
    'No order in 60 clicks, where 28 are enough at 8% CVR. Cost $30.00; an order may cost $5.00 (price $20.00, target 25%).',
  )
  expect(verdictText({ ...noSale, targetFrom: 'ACCOUNT' })).toMatch(/target 25%, the ACOS of your account/)
  expect(
    verdictText({ ...noSale, impressions: 12, verdict: { ...noSale.verdict, test: 'STARVED', confidence: null } }),
  ).toMatch(/^12 impressions, fewer than 100/)
  const starved = { ...noSale, verdict: { ...noSale.verdict, test: 'STARVED' as const, confidence: null } }
  expect(verdictText({ ...starved, act: { kind: 'NONE', bid: null } })).toMatch(
    /Its bid of \$0.70 is already as much as a click may cost, \$0.40/,
  )
  expect([confidenceText(96.4), confidenceText(99.9), confidenceText(null)]).toEqual([
    '96% sure',
    'More than 99% sure',
    'Counted, not estimated',
  ])
})

it('shows what follows from each keyword, and its preview before anything is sent', async () => {
  show('underperforming')
  const act = await screen.findByRole('button', { name: 'Lower bid to $0.40: glass bottle' })
  expect(screen.getByRole('button', { name: 'Pause: mug rack' })).toBeTruthy()
  scene.answers['POST /api/bulk/preview'] = {
    content: [{ id: 31, version: 4, name: 'glass bottle', before: 0.7, after: 0.4, problem: null, currency: 'USD' }],
    page: { size: 1000, number: 0, totalElements: 1, totalPages: 1 },
    field: 'bid',
  }
  fireEvent.click(act)
  const sheet = within(await screen.findByRole('region', { name: 'Change 1 bid' }))
  expect(await sheet.findByText('1 will change.')).toBeTruthy()
  expect(scene.sent[0]?.body).toMatchObject({
    entity: 'keyword',
    ids: [31],
    change: { kind: 'AMOUNT', field: 'bid', amount: { kind: 'TO', value: 0.4 } },
  })
})

it('offers a viewer no act', async () => {
  scene.role = 'VIEWER'
  show('underperforming')
  expect(await screen.findByText('glass bottle')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Lower bid|^Pause/ })).toBeNull()
})

it('keeps the part, the test and the order in the address, starved ones least first', async () => {
  const router = show('underperforming')
  fireEvent.click(await screen.findByRole('button', { name: 'Filters' }))
  fireEvent.change(await screen.findByRole('combobox', { name: 'Test' }), { target: { value: 'STARVED' } })
  expect(router.state.location.search).toMatchObject({ part: 'underperforming', test: 'STARVED' })
  await expect.poll(() => scene.asked.at(-1)?.search ?? '').toMatch(/test=STARVED/)
  expect(scene.asked.at(-1)?.searchParams.get('sortBy')).toBe('impressions')
  expect(scene.asked.at(-1)?.searchParams.get('sortDir')).toBe('asc')
  fireEvent.change(screen.getByRole('combobox', { name: 'Sort by' }), { target: { value: 'cost' } })
  expect(router.state.location.search).toMatchObject({ sortBy: 'cost', sortDir: 'desc' })
  fireEvent.change(screen.getByRole('combobox', { name: 'Part' }), { target: { value: 'keywords' } })
  await expect.poll(() => router.state.location.search).toEqual({ part: 'keywords' })
})

it('shows what a negative saved as a range with its method, and asks before it is undone', async () => {
  viewport(true)
  show('negatives')
  const table = within(await screen.findByRole('table', { name: 'negatives' }))
  expect(table.getAllByText('$8.00 to $31.00')).toHaveLength(2)
  expect(table.getAllByText(/^Added Mar 6 by Mara Lind$/)).toHaveLength(2)
  expect(methodText(impact, 'USD')).toBe(
    '$1.20 a day before, on 2 terms, 60 clicks × 20 days × 1.2 traffic − $4.80 profit of 1 order (assumed 30% margin).',
  )
  expect(screen.getByText(/2 more negatives were added too long ago/)).toBeTruthy()
  expect(table.getByText('B0BADBAD01')).toBeTruthy()
  expect(table.getByText('Negative product · Tide mugs · whole campaign')).toBeTruthy()
  fireEvent.click(table.getByRole('button', { name: 'Remove: free mug' }))
  await expect.poll(() => document.querySelector('ion-alert')).toBeTruthy()
})

it('says what an empty list means', async () => {
  scene.answers['/api/keyword-performance/underperforming-keywords'] = {
    ...paged([]),
    days: null,
    counts: { NO_SALE: 0, TOO_DEAR: 0 },
  }
  open('/insights/keyword-performance?part=underperforming')
  expect(await screen.findByText('No figures yet')).toBeTruthy()
})
