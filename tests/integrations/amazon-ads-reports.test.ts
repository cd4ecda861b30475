import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { PerformanceRow, ProfileAds, ReportKind } from '#integrations/amazon-ads/index.ts'
import { UpstreamMalformed } from '#server/http-client/upstream-errors.ts'
import { addDays } from '#shared/time.ts'
import { openSandboxAccounts, type SandboxAccounts } from '../support/sandbox-accounts.ts'

let world: SandboxAccounts
let profile: ProfileAds
let days: { startDate: string; endDate: string }

beforeAll(async () => {
  world = await openSandboxAccounts({ login: 'agency@sandbox.test' })
  profile = world.ads.forProfile({ connectionId: world.connectionId, region: 'NA', profileId: '1100000000000011' })
  // Long enough that a second question always meets the first one waiting.
  await world.sandbox.control('POST', 'reports', { pendingMs: 240_000, processingMs: 240_000 })
  const today = world.sandbox.world.clock.now().toISOString().slice(0, 10)
  days = { startDate: addDays(today, -10), endDate: addDays(today, -4) }
})
afterAll(() => world.close())
afterEach(() => world.sandbox.world.faults.clear())

async function completed(reportId: string): Promise<string> {
  for (let i = 0; i < 20; i++) {
    const { status, url } = await profile.reports.get(reportId)
    if (status === 'COMPLETED' && url) return url
    world.sandbox.world.clock.advance(5 * 60_000)
  }
  throw new Error('the report was never completed')
}
async function rowsOf(kind: ReportKind): Promise<PerformanceRow[]> {
  const { reportId } = await profile.reports.request({ kind, ...days })
  const rows: PerformanceRow[] = []
  for await (const row of profile.reports.rows(await completed(reportId))) rows.push(row)
  return rows
}
const sum = (rows: PerformanceRow[], of: (row: PerformanceRow) => number) => rows.reduce((a, row) => a + of(row), 0)

it('every kind of report is granted, and all of them tell the same total', async () => {
  const campaigns = await rowsOf('CAMPAIGN')
  const cost = sum(campaigns, r => r.costMicros)
  expect(cost).toBeGreaterThan(0)
  const ids = new Set(
    (await profile.campaigns.all({ states: ['ENABLED', 'PAUSED', 'ARCHIVED'] })).map(c => c.campaignId),
  )
  expect(campaigns.every(r => ids.has(r.campaignId))).toBe(true)
  expect(campaigns.every(r => r.date >= days.startDate && r.date <= days.endDate)).toBe(true)
  for (const kind of ['AD_GROUP', 'PLACEMENT', 'TARGETING', 'ADVERTISED_PRODUCT'] as const) {
    const rows = await rowsOf(kind)
    expect(Math.abs(sum(rows, r => r.costMicros) - cost), kind).toBeLessThan(cost / 1000)
    expect(
      sum(rows, r => r.clicks),
      kind,
    ).toBe(sum(campaigns, r => r.clicks))
  }
})

it('search terms and purchased products carry their campaign and ad group', async () => {
  const terms = await rowsOf('SEARCH_TERM')
  expect(terms.length).toBeGreaterThan(0)
  expect(terms.every(r => r.clicks > 0 && r.searchTerm && r.targetId && r.adGroupId)).toBe(true)
  const bought = await rowsOf('PURCHASED_PRODUCT')
  expect(bought.every(r => r.purchasedAsin && r.costMicros === 0)).toBe(true)
})

it('Brands and Display have reports of their own, with one attribution window of fourteen days', async () => {
  for (const [whole, parts] of [
    ['SB_CAMPAIGN', ['SB_AD_GROUP', 'SB_PLACEMENT', 'SB_TARGETING', 'SB_AD']],
    ['SD_CAMPAIGN', ['SD_AD_GROUP', 'SD_TARGETING', 'SD_ADVERTISED_PRODUCT']],
  ] as const) {
    const campaigns = await rowsOf(whole)
    const clicks = sum(campaigns, r => r.clicks)
    expect(clicks, whole).toBeGreaterThan(0)
    expect(
      sum(campaigns, r => r.windows[14].salesMicros),
      whole,
    ).toBeGreaterThan(0)
    expect(
      sum(campaigns, r => r.windows[7].orders),
      whole,
    ).toBe(0)
    for (const kind of parts) {
      const rows = await rowsOf(kind)
      expect(
        sum(rows, r => r.clicks),
        kind,
      ).toBe(clicks)
      expect(rows.every(r => kind.endsWith('PLACEMENT') || r.adGroupId !== null)).toBe(true)
    }
  }
  const terms = await rowsOf('SB_SEARCH_TERM')
  expect(terms.length).toBeGreaterThan(0)
  expect(terms.every(r => r.searchTerm && r.adGroupId)).toBe(true)
  const bought = await rowsOf('SB_PURCHASED_PRODUCT')
  expect(bought.every(r => r.purchasedAsin && r.windows[14].orders >= 0)).toBe(true)
})

it('the same question asked twice is one report', async () => {
  const question = {
    kind: 'CAMPAIGN',
    startDate: addDays(days.startDate, -20),
    endDate: addDays(days.startDate, -15),
  } as const
  const first = await profile.reports.request(question)
  const second = await profile.reports.request(question)
  expect([first.reused, second.reused]).toEqual([false, true])
  expect(second.reportId).toBe(first.reportId)
  await profile.reports.cancel(first.reportId)
})

it('a lost answer to the request costs no second report', async () => {
  await world.fault({
    match: { vendor: 'ads', method: 'POST', path: '/reporting/reports' },
    kind: 'drop-after',
    times: 1,
  })
  const question = {
    kind: 'CAMPAIGN',
    startDate: addDays(days.startDate, -40),
    endDate: addDays(days.startDate, -35),
  } as const
  expect(await profile.reports.request(question)).toMatchObject({ reused: true })
})

it('a report that fails says so', async () => {
  await world.fault({ match: { vendor: 'ads', path: '/reporting/reports*' }, kind: 'report-failed', times: 50 })
  const { reportId } = await profile.reports.request({
    kind: 'CAMPAIGN',
    startDate: addDays(days.startDate, -30),
    endDate: addDays(days.startDate, -28),
  })
  for (let i = 0; i < 20 && (await profile.reports.get(reportId)).status !== 'FAILED'; i++)
    world.sandbox.world.clock.advance(5 * 60_000)
  expect(await profile.reports.get(reportId)).toMatchObject({ status: 'FAILED', url: null })
})

it('a file that is garbled is not taken for a report', async () => {
  const { reportId } = await profile.reports.request({
    kind: 'CAMPAIGN',
    ...days,
    startDate: addDays(days.startDate, 1),
  })
  const url = await completed(reportId)
  await world.fault({ match: { vendor: 's3' }, kind: 'malformed', times: 5 })
  const read = async () => {
    for await (const row of profile.reports.rows(url)) expect(row.campaignId).toBeTruthy()
  }
  await expect(read()).rejects.toBeInstanceOf(UpstreamMalformed)
})
