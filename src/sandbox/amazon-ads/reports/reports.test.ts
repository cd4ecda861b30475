import { gunzipSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../start-sandbox.ts'
import {
  type AdsClient,
  adsClient,
  type Json,
  startSmallSandbox,
  listOf,
  leafOf,
} from '../../../../tests/support/ads-world.ts'

const media = 'application/vnd.createasyncreportrequest.v3+json'
let sandbox: Sandbox
let ads: AdsClient
const ids: Record<string, string> = {}

/** Three days of a keyword campaign and an automatic one. */
async function openShop(): Promise<void> {
  const first = (batch: Json, key: string): string => leafOf(listOf(batch.success)[0]?.[key])
  for (const kind of ['MANUAL', 'AUTO']) {
    const budget = { budget: 200, budgetType: 'DAILY' }
    const campaignId = first(
      await ads.create('campaigns', 'campaigns', 'spCampaign', [
        { name: kind, state: 'ENABLED', targetingType: kind, budget },
      ]),
      'campaignId',
    )
    const adGroupId = first(
      await ads.create('adGroups', 'adGroups', 'spAdGroup', [
        { campaignId, name: 'Group', state: 'ENABLED', defaultBid: 3 },
      ]),
      'adGroupId',
    )
    await ads.create('productAds', 'productAds', 'spProductAd', [
      { campaignId, adGroupId, state: 'ENABLED', sku: 'SKU-1' },
    ])
    ids[kind] = campaignId
    if (kind === 'AUTO') continue
    const word = { campaignId, adGroupId, state: 'ENABLED', matchType: 'BROAD', keywordText: 'garlic press', bid: 3 }
    const [made] = listOf((await ads.create('keywords', 'keywords', 'spKeyword', [word])).success)
    ids.keyword = leafOf(made?.keywordId)
  }
  sandbox.world.clock.advance(3 * 86_400_000)
}

beforeAll(async () => {
  sandbox = await startSmallSandbox()
  ads = await adsClient(sandbox)
  await openShop()
  ads = await adsClient(sandbox)
})
afterAll(() => sandbox.close())

const configuration = {
  adProduct: 'SPONSORED_PRODUCTS',
  reportTypeId: 'spCampaigns',
  groupBy: ['campaign'],
  columns: ['date', 'campaignId', 'impressions', 'clicks', 'cost', 'purchases7d', 'sales7d'],
  timeUnit: 'DAILY',
  format: 'GZIP_JSON',
}
function ask(more: object = {}, config: object = {}) {
  return ads.call('POST', '/reporting/reports', media, {
    name: 'test',
    startDate: '2026-03-10',
    endDate: '2026-03-13',
    configuration: { ...configuration, ...config },
    ...more,
  })
}
const look = async (reportId: unknown): Promise<Json> =>
  (await ads.call('GET', `/reporting/reports/${leafOf(reportId)}`, null)).body
async function finish(config: object = {}): Promise<Json> {
  const { body } = await ask({}, config)
  sandbox.world.clock.advance(1000)
  return look(body.reportId)
}
async function textOf(report: Json): Promise<string> {
  const response = await fetch(leafOf(report.url))
  expect(response.status).toBe(200)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.length).toBe(report.fileSize)
  return gunzipSync(bytes).toString()
}
const rowsOf = async (report: Json): Promise<Record<string, unknown>[]> =>
  JSON.parse(await textOf(report)) as Record<string, unknown>[]
const total = (rows: Record<string, unknown>[], column: string): number =>
  rows.reduce((sum, row) => sum + Number(row[column]), 0)

describe('a report', () => {
  test('is pending, then processing, then completed with a file, by the world’s clock', async () => {
    const { status, body } = await ask()
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'PENDING',
      url: null,
      fileSize: null,
      generatedAt: null,
      failureReason: null,
      configuration: { ...configuration, filters: null },
    })
    expect((await look(body.reportId)).status).toBe('PENDING')
    sandbox.world.clock.advance(600)
    expect((await look(body.reportId)).status).toBe('PROCESSING')
    sandbox.world.clock.advance(600)
    const done = await look(body.reportId)
    expect(done).toMatchObject({ status: 'COMPLETED', url: expect.stringContaining('/s3/') })
    const rows = await rowsOf(done)
    expect(total(rows, 'clicks')).toBeGreaterThan(0)
    expect(total(rows, 'cost')).toBeGreaterThan(0)
  })

  test('requested twice while pending is a duplicate that names the first, whatever its name', async () => {
    const { body } = await ask()
    const again = await ask({ name: 'another name' })
    expect(again.status).toBe(425)
    expect(again.body).toEqual({ code: '425', detail: `The Request is a duplicate of : ${leafOf(body.reportId)}` })
    const gone = await ads.call('DELETE', `/reporting/reports/${leafOf(body.reportId)}`, null)
    expect(gone.body).toEqual({ code: '200', detail: 'Report deleted', reportId: body.reportId })
    expect((await ads.call('GET', `/reporting/reports/${leafOf(body.reportId)}`, null)).status).toBe(404)
    const third = await ask()
    expect(third.status).toBe(200)
    sandbox.world.clock.advance(1000)
    expect((await ask()).status).toBe(200)
    sandbox.world.clock.advance(1000)
  })

  test('writes ids as JSON numbers that a double does not hold', async () => {
    const text = await textOf(await finish())
    expect(text).toContain(`"campaignId":${ids.MANUAL}`)
    expect(String(Number(ids.MANUAL))).not.toBe(ids.MANUAL)
  })

  test('sums to the same whatever it is grouped by', async () => {
    const columns = ['date', 'clicks', 'cost', 'purchases30d', 'attributedSalesSameSku30d']
    const reports = [
      await finish({ columns, groupBy: ['campaign'] }),
      await finish({ columns, groupBy: ['campaign', 'campaignPlacement'] }),
      await finish({ columns, groupBy: ['targeting'], reportTypeId: 'spTargeting' }),
      await finish({ columns, groupBy: ['advertiser'], reportTypeId: 'spAdvertisedProduct' }),
      await finish({ columns, groupBy: ['searchTerm'], reportTypeId: 'spSearchTerm' }),
    ]
    const sums = []
    for (const report of reports) {
      const rows = await rowsOf(report)
      sums.push(columns.slice(1).map(column => Math.round(total(rows, column) * 100)))
    }
    expect(new Set(sums.map(sum => JSON.stringify(sum))).size).toBe(1)
    expect(sums[0]?.[0]).toBeGreaterThan(0)
  })

  test('names targets as the marketplace writes them and holds no search term without a click', async () => {
    const targets = await rowsOf(
      await finish({
        reportTypeId: 'spTargeting',
        groupBy: ['targeting'],
        columns: ['campaignId', 'keywordId', 'keywordType', 'targeting', 'matchType'],
      }),
    )
    expect(targets).toContainEqual(expect.objectContaining({ keywordType: 'BROAD', targeting: 'garlic press' }))
    expect(targets).toContainEqual(
      expect.objectContaining({ keywordType: 'TARGETING_EXPRESSION_PREDEFINED', targeting: 'close-match' }),
    )
    const terms = await rowsOf(
      await finish({ reportTypeId: 'spSearchTerm', groupBy: ['searchTerm'], columns: ['searchTerm', 'clicks'] }),
    )
    expect(terms.every(row => Number(row.clicks) > 0)).toBe(true)
    const only = await rowsOf(
      await finish({
        reportTypeId: 'spTargeting',
        groupBy: ['targeting'],
        columns: ['keywordType'],
        filters: [{ field: 'keywordType', values: ['BROAD'] }],
      }),
    )
    expect(new Set(only.map(row => row.keywordType))).toEqual(new Set(['BROAD']))
  })

  test('by SUMMARY has one row each and days only as a span', async () => {
    const summary = { timeUnit: 'SUMMARY', columns: ['campaignId', 'startDate', 'endDate', 'clicks'] }
    const rows = await rowsOf(await finish(summary))
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatchObject({ startDate: '2026-03-10', endDate: '2026-03-13' })
  })

  test.each([
    ['more than 31 days', { startDate: '2026-02-10' }, {}, /31 days/],
    ['days older than 95', { startDate: '2025-11-01', endDate: '2025-11-03' }, {}, /95 days/],
    ['a future day', { endDate: '2026-04-01' }, {}, /future/],
    ['a column it does not have', {}, { columns: ['campaignId', 'searchTerm'] }, /invalid values: \(searchTerm\)/],
    ['a group it does not have', {}, { groupBy: ['targeting'] }, /groupBy/],
    ['a day in a summary', {}, { timeUnit: 'SUMMARY' }, /date/],
    [
      'shares beside placements',
      {},
      { groupBy: ['campaign', 'campaignPlacement'], columns: ['topOfSearchImpressionShare'] },
      /topOfSearch/,
    ],
    ['a filter value it does not have', {}, { filters: [{ field: 'campaignStatus', values: ['enabled'] }] }, /enabled/],
  ])('with %s is refused', async (_, more, config, detail) => {
    const { status, body } = await ask(more, config)
    expect(status).toBe(400)
    expect(body.code).toBe('400')
    expect(leafOf(body.detail)).toMatch(detail)
  })

  test('stays pending when a fault makes it stuck, and reports an injected failure', async () => {
    const match = { vendor: 'ads', method: 'POST', path: '/reporting/reports' }
    sandbox.world.faults.add({ match, kind: 'report-stuck' })
    sandbox.world.faults.add({ match, kind: 'report-failed' })
    const stuck = await ask({ startDate: '2026-03-11' })
    const failed = await ask({ startDate: '2026-03-12' })
    sandbox.world.clock.advance(10 * 60_000)
    expect((await look(stuck.body.reportId)).status).toBe('PENDING')
    expect(await look(failed.body.reportId)).toMatchObject({ status: 'FAILED', failureReason: 'INTERNAL_ERROR' })
  })

  test('takes as long as configured', async () => {
    const slower = { pendingMs: 60_000, processingMs: 60_000 }
    const response = await sandbox.control('POST', 'reports', slower)
    expect(await response.json()).toEqual(slower)
    const { body } = await ask({ startDate: '2026-03-13' })
    sandbox.world.clock.advance(90_000)
    expect((await look(body.reportId)).status).toBe('PROCESSING')
  })
})

describe('the link to a file', () => {
  test('rejects an Authorization header, a forged signature and, after an hour, every request', async () => {
    const report = await finish({ columns: ['campaignId', 'clicks'] })
    sandbox.world.clock.advance(120_000)
    const done = await look(report.reportId)
    const url = leafOf(done.url)
    const bearer = await fetch(url, { headers: { authorization: `Bearer ${ads.accessToken}` } })
    expect([bearer.status, await bearer.text()]).toEqual([400, expect.stringContaining('InvalidArgument')])
    expect((await fetch(url.replace(/Signature=./, 'Signature=_'))).status).toBe(403)
    expect((await fetch(url)).status).toBe(200)
    sandbox.world.clock.advance(3_600_001)
    const late = await fetch(url)
    expect([late.status, await late.text()]).toEqual([403, expect.stringContaining('Request has expired')])
  })
})

describe('a file', () => {
  const fileOf = async (config: object): Promise<{ url: string; text: string }> => {
    ads = await adsClient(sandbox)
    const { body } = await ask({}, config)
    sandbox.world.clock.advance(120_000)
    const url = leafOf((await look(body.reportId)).url)
    return { url, text: Buffer.from(await (await fetch(url)).arrayBuffer()).toString('latin1') }
  }

  test('of gross traffic may be comma-separated text', async () => {
    const { url, text } = await fileOf({
      reportTypeId: 'spGrossAndInvalids',
      columns: ['campaignName', 'grossClickThroughs', 'invalidClickThroughs', 'clicks'],
      format: 'CSV',
    })
    const [header, ...rows] = text.split('\n')
    expect(url).toContain('.csv?')
    expect(header).toBe('campaignName,grossClickThroughs,invalidClickThroughs,clicks')
    expect(rows.length).toBeGreaterThan(3)
    for (const row of rows) {
      const [name, gross, invalid, clicks] = row.split(',')
      expect(name).toMatch(/^(MANUAL|AUTO)$/)
      expect(Number(gross) - Number(invalid)).toBe(Number(clicks))
    }
  })

  test('of audiences may be a workbook, which is empty without audience bids', async () => {
    const { url, text } = await fileOf({
      reportTypeId: 'spAudiences',
      groupBy: ['campaign_bid_boost_segment'],
      columns: ['campaignId', 'segmentName', 'clicks'],
      format: 'XLSX',
    })
    expect(url).toContain('.xlsx?')
    const { 'xl/sharedStrings.xml': strings, 'xl/worksheets/sheet1.xml': sheet } = unzipSync(
      Buffer.from(text, 'latin1'),
    )
    const texts = Buffer.from(strings ?? []).toString()
    expect(texts.match(/<t>(\w+)<\/t>/g)).toEqual(['<t>campaignId</t>', '<t>segmentName</t>', '<t>clicks</t>'])
    expect(
      Buffer.from(sheet ?? [])
        .toString()
        .match(/<row /g),
    ).toHaveLength(1)
  })
})
