import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import {
  AmbiguousOutcome,
  UpstreamUnavailable,
  UpstreamMalformed,
  UpstreamRejected,
} from '#server/http-client/upstream-errors.ts'
import {
  type Answer,
  json,
  type SeenRequest,
  silentLog,
  startScriptedHost,
} from '../../../tests/support/scripted-host.ts'
import { createAmazonAds, type NewKeyword } from './index.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function scene(...answers: (Answer | ((request: SeenRequest) => Answer))[]) {
  const host = await startScriptedHost(...answers)
  closers.push(host.close)
  let issued = 0
  const ads = createAmazonAds({
    baseUrls: { NA: host.url, EU: host.url, FE: host.url },
    clientId: 'client',
    tokens: async (_, rejected) => (rejected || !issued ? `token-${++issued}` : `token-${issued}`),
    clock: { now: () => new Date() },
    log: silentLog,
    policy: { firstDelayMs: 1, maxDelayMs: 2, timeoutMs: 1500 },
    queue: { url: `${host.url}/queue` },
  })
  return { host, ads, profile: ads.forProfile({ connectionId: 1, region: 'NA', profileId: '4011' }) }
}

function keyword(text: string): NewKeyword {
  return {
    adGroupId: '1',
    campaignId: '2',
    text,
    matchType: 'EXACT',
    state: 'ENABLED',
  }
}
const bodyOf = (request: SeenRequest | undefined) => JSON.parse(request?.body ?? 'null') as Record<string, unknown>
function success(count: number) {
  return json(
    {
      keywords: {
        success: Array.from({ length: count }, (_, index) => ({ index, keywordId: `k${index}` })),
        error: [],
      },
    },
    207,
  )
}

describe('a call', () => {
  it('carries client, profile, and one media type both ways', async () => {
    const { host, profile } = await scene(success(1))
    await profile.keywords.create([keyword('soap')])
    expect(host.seen[0]?.headers).toMatchObject({
      authorization: 'Bearer token-1',
      'amazon-advertising-api-clientid': 'client',
      'amazon-advertising-api-scope': '4011',
      'content-type': 'application/vnd.spKeyword.v3+json',
      accept: 'application/vnd.spKeyword.v3+json',
      prefer: 'return=representation',
    })
  })

  it('refused for its token is made once more with a fresh one', async () => {
    const { host, ads } = await scene(json({ code: 'UNAUTHORIZED', details: 'expired' }, 401), json([]))
    expect(await ads.listProfiles(1, 'NA')).toEqual([])
    expect(host.seen.map(r => r.headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
    expect(host.seen[0]?.headers).not.toHaveProperty('amazon-advertising-api-scope')
  })
})

describe('creating', () => {
  it('more than a batch sends batches and keeps the order', async () => {
    const { host, profile } = await scene(success(1000), success(5))
    const outcomes = await profile.keywords.create(Array.from({ length: 1005 }, (_, i) => keyword(`k ${i}`)))
    expect(host.seen.map(r => (bodyOf(r)['keywords'] as unknown[]).length)).toEqual([1000, 5])
    expect(outcomes).toHaveLength(1005)
    expect(outcomes.every(o => o.ok)).toBe(true)
    expect(outcomes[1004]).toMatchObject({ id: 'k4' })
  })

  it('keeps what was accepted when a later batch is lost', async () => {
    const { host, profile } = await scene(success(1000), 'reset')
    const outcomes = await profile.keywords.create(Array.from({ length: 2500 }, (_, i) => keyword(`k ${i}`)))
    expect(outcomes[999]).toMatchObject({ ok: true, id: 'k999' })
    expect(outcomes[1000]).toMatchObject({ ok: false, reason: 'OUTCOME_UNKNOWN', retryable: false })
    expect(outcomes[2499]).toMatchObject({ ok: false, reason: 'NOT_SENT', retryable: true })
    expect(host.seen).toHaveLength(2)
  })

  it('that is lost at once is of unknown outcome', async () => {
    const { host, profile } = await scene('reset')
    await expect(profile.keywords.create([keyword('soap')])).rejects.toBeInstanceOf(AmbiguousOutcome)
    expect(host.seen).toHaveLength(1)
  })

  it('answers with the entity where the marketplace shows it, and with the id where it does not', async () => {
    const shown = {
      keywordId: '7',
      adGroupId: '1',
      campaignId: '2',
      keywordText: 'soap',
      matchType: 'EXACT',
      state: 'ENABLED',
      bid: 0.5,
    }
    const { profile } = await scene(
      json(
        {
          keywords: {
            success: [
              { index: 1, keywordId: '8' },
              { index: 0, keywordId: '7', keyword: shown },
            ],
            error: [],
          },
        },
        207,
      ),
    )
    const [first, second] = await profile.keywords.create([keyword('soap'), keyword('towel')])
    expect(first).toMatchObject({ ok: true, id: '7', entity: { text: 'soap', bidMicros: 500_000 } })
    expect(second).toEqual({ ok: true, id: '8', entity: null })
  })

  it('a negative is known by the id that its resource names', async () => {
    const { profile } = await scene(
      json({ negativeKeywords: { success: [{ index: 0, negativeKeywordId: '9' }], error: [] } }, 207),
    )
    const [outcome] = await profile.negativeKeywords.create([
      { adGroupId: '1', campaignId: '2', text: 'free', matchType: 'NEGATIVE_EXACT', state: 'ENABLED' },
    ])
    expect(outcome).toMatchObject({ ok: true, id: '9' })
  })
})

it('an answer under a neighbour’s name is understood, as the published one of this update is', async () => {
  const { profile } = await scene(
    json({ negativeKeywords: { error: [], success: [{ index: 0, negativeKeywordId: '92842624367646' }] } }, 207),
  )
  const outcomes = await profile.campaignNegativeKeywords.update([{ keywordId: '92842624367646', state: 'PAUSED' }])
  expect(outcomes).toEqual([{ ok: true, id: '92842624367646', entity: null }])
})

it('archiving goes by the delete call of the resource', async () => {
  const { host, profile } = await scene(
    json(
      { campaignNegativeTargetingClauses: { success: [{ index: 0, campaignNegativeTargetingClauseId: '5' }] } },
      207,
    ),
  )
  expect(await profile.campaignNegativeTargets.archive(['5'])).toMatchObject([{ ok: true, id: '5' }])
  expect(host.seen[0]?.url).toBe('/sp/campaignNegativeTargets/delete')
  expect(bodyOf(host.seen[0])).toEqual({ campaignNegativeTargetIdFilter: { include: ['5'] } })
})

describe('listing', () => {
  const group = (id: string) => ({ adGroupId: id, campaignId: '2', name: id, state: 'ENABLED', defaultBid: 1 })
  it('follows the pages to their end', async () => {
    const { host, profile } = await scene(
      json({ adGroups: [group('a')], nextToken: 't' }),
      json({ adGroups: [group('b')] }),
    )
    expect((await profile.adGroups.all()).map(g => g.adGroupId)).toEqual(['a', 'b'])
    expect(bodyOf(host.seen[1])).toMatchObject({ nextToken: 't' })
  })

  it('asks for campaigns a hundred at a time, and for none not at all', async () => {
    const { host, profile } = await scene(json({ adGroups: [] }))
    await profile.adGroups.all({ campaignIds: Array.from({ length: 150 }, (_, i) => String(i)) })
    expect(host.seen).toHaveLength(2)
    await profile.adGroups.all({ ids: [] })
    expect(host.seen).toHaveLength(2)
  })

  it('ends when the marketplace turns in a circle', async () => {
    const { profile } = await scene(json({ adGroups: [], nextToken: 't' }))
    await expect(profile.adGroups.all()).rejects.toBeInstanceOf(UpstreamMalformed)
  })

  it('finds campaigns by exactly their name', async () => {
    const campaign = (name: string) => ({
      campaignId: name,
      name,
      state: 'PAUSED',
      targetingType: 'AUTO',
      budget: { budget: 1 },
      startDate: '2026-11-21',
    })
    const { profile } = await scene(json({ campaigns: [campaign('Soap'), campaign('soap')] }))
    expect((await profile.findCampaigns('Soap')).map(c => c.campaignId)).toEqual(['Soap'])
  })
})

describe('a report', () => {
  const question = { kind: 'CAMPAIGN', startDate: '2026-11-01', endDate: '2026-11-20' } as const
  const echo = (request: SeenRequest, extra: object = {}) => ({
    ...bodyOf(request),
    reportId: 'r-1',
    status: 'PENDING',
    url: null,
    ...extra,
  })
  const duplicate = json({ code: '425', detail: 'The Request is a duplicate of : r-1' }, 425)

  it('asked for twice is the first one, once it is seen to be the same', async () => {
    let lastRequest: SeenRequest | undefined
    const { profile } = await scene(
      request => {
        lastRequest = request
        return json(echo(request))
      },
      duplicate,
      () => json(echo(lastRequest as SeenRequest, { status: 'PROCESSING' })),
    )
    expect(await profile.reports.request(question)).toMatchObject({ reportId: 'r-1', status: 'PENDING', reused: false })
    expect(await profile.reports.request(question)).toMatchObject({
      reportId: 'r-1',
      status: 'PROCESSING',
      reused: true,
    })
  })

  it('that is taken for a duplicate of another question is not used', async () => {
    let lastRequest: SeenRequest | undefined
    const { profile } = await scene(
      request => {
        lastRequest = request
        return duplicate
      },
      () => json(echo(lastRequest as SeenRequest, { startDate: '2026-10-01' })),
    )
    await expect(profile.reports.request(question)).rejects.toBeInstanceOf(UpstreamRejected)
  })

  it('is fetched without any header of ours', async () => {
    const rows = [{ date: '2026-11-20', campaignId: 1, cost: 2.5 }]
    const { host, profile } = await scene({
      headers: { 'content-type': 'binary/octet-stream' },
      body: gzipSync(JSON.stringify(rows)),
    })
    const read = []
    for await (const row of profile.reports.rows(`${host.url}/s3/report.json.gz`)) read.push(row)
    expect(read).toMatchObject([{ campaignId: '1', costMicros: 2_500_000 }])
    expect(Object.keys(host.seen[0]?.headers ?? {}).filter(name => /authorization|amazon/.test(name))).toEqual([])
  })

  it('is not fetched from an unknown host', async () => {
    const { host, profile } = await scene({})
    await expect(profile.reports.rows('http://169.254.169.254/x').next()).rejects.toBeInstanceOf(UpstreamRejected)
    expect(host.seen).toHaveLength(0)
  })

  it('with a link that has expired says nothing about our permission', async () => {
    const { host, profile } = await scene({
      status: 403,
      headers: { 'content-type': 'application/xml' },
      body: '<Error>expired</Error>',
    })
    await expect(profile.reports.rows(`${host.url}/s3/x`).next()).rejects.toBeInstanceOf(UpstreamUnavailable)
  })
})

describe('the stream', () => {
  it('tells which receipts could not be acknowledged', async () => {
    const { ads } = await scene(
      json({ Successful: [{ Id: '0' }], Failed: [{ Id: '1', Code: 'ReceiptHandleIsInvalid' }] }),
    )
    expect(await ads.stream?.acknowledge(['a', 'b'])).toEqual(['b'])
  })
})

it('no bids are known where the marketplace supports none', async () => {
  const { profile } = await scene(json({ code: '422', message: 'unsupported' }, 422))
  expect(
    await profile.advice.bids({ subject: { asins: ['B01'] }, bids: [{ type: 'AUTO', group: 'CLOSE_MATCH' }] }),
  ).toEqual([])
})
