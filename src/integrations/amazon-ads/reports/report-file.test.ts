import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { UpstreamMalformed } from '#server/http-client/upstream-errors.ts'
import { fromReportRow, readReportFile } from './report-file.ts'

async function read(bytes: Buffer, chunk = bytes.length || 1) {
  async function* body() {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk)
  }
  const rows = []
  for await (const row of readReportFile(body())) rows.push(row)
  return rows
}

const rows = [
  { campaignId: 1, searchTerm: 'a "quoted" ] } term', cost: 0.1 },
  { campaignId: 2, searchTerm: 'back\\slash \\" und Größe 日本 🧼', cost: null },
]

describe('a report file', () => {
  it('is the same however it is cut into pieces, packed or not', async () => {
    const text = Buffer.from(JSON.stringify(rows))
    for (const bytes of [text, gzipSync(text)])
      for (const chunk of [1, 2, 3, 7, 1000]) expect(await read(bytes, chunk)).toEqual(rows)
  })

  it('keeps every digit of an id that a number could not hold', async () => {
    const text = '[{"campaignId":443372169288951123,"adGroupId":12345,"cost":1.5,"clicks":1e2}]'
    expect(await read(Buffer.from(text))).toEqual([
      { campaignId: '443372169288951123', adGroupId: 12345, cost: 1.5, clicks: 100 },
    ])
    const odd =
      '[{"a":"x:443372169288951123, \\"9007199254740993\\" ]","b":9007199254740991,"c":-9007199254740993,"d":0.12345678901234567}]'
    expect(await read(Buffer.from(odd))).toEqual([
      {
        a: 'x:443372169288951123, "9007199254740993" ]',
        b: 9007199254740991,
        c: '-9007199254740993',
        d: Number('0.12345678901234567'),
      },
    ])
  })

  it('without rows is empty', async () => {
    expect(await read(gzipSync('[]'))).toEqual([])
    expect(await read(Buffer.from(' [\n]\n'))).toEqual([])
  })

  it.each([
    ['packed and broken off', gzipSync(JSON.stringify(rows)).subarray(0, 40)],
    ['plain and broken off', Buffer.from('[{"campaignId":1},{"campaignId":2}')],
    ['empty', Buffer.alloc(0)],
    ['a page of XML', Buffer.from('<Error><Code>AccessDenied</Code></Error>')],
    ['an object', Buffer.from('{"message":"Forbidden"}')],
    ['not UTF-8', Buffer.from([0x5b, 0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d, 0x5d])],
  ])('that is %s is malformed', async (_, bytes) => {
    await expect(read(bytes)).rejects.toBeInstanceOf(UpstreamMalformed)
  })
})

describe('a row', () => {
  it('is mapped to our terms, exact in money and ids', () => {
    const row = fromReportRow({
      date: '2026-11-20',
      campaignId: '443372169288951123',
      adGroupId: 12345,
      keywordId: 7,
      impressions: 10,
      clicks: 3,
      cost: 1.23,
      sales7d: 0.1 + 0.2,
      purchases7d: 2,
      unitsSoldClicks7d: 3,
    })
    expect(row).toMatchObject({
      campaignId: '443372169288951123',
      adGroupId: '12345',
      targetId: '7',
      costMicros: 1_230_000,
      windows: { 7: { orders: 2, units: 3, salesMicros: 300_000 }, 14: { orders: 0, salesMicros: 0 } },
    })
  })

  it.each([
    ['Top of Search on-Amazon', 'TOP_OF_SEARCH'],
    ['Detail Page on-Amazon', 'PRODUCT_PAGE'],
    ['Other on-Amazon', 'REST_OF_SEARCH'],
    ['Off Amazon', 'OFF_AMAZON'],
    ['Somewhere new', null],
  ])('of placement "%s" counts for %s', (placementClassification, ours) => {
    expect(fromReportRow({ date: '2026-11-20', campaignId: 1, placementClassification })?.placement).toBe(ours)
  })

  it('without a day or a campaign counts for nothing', () => {
    expect(fromReportRow({ campaignId: 1 })).toBeNull()
    expect(fromReportRow({ date: '2026-11-20' })).toBeNull()
  })
})
