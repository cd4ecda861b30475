import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type AdsClient,
  adsClient,
  campaignItem,
  type Json,
  leafOf,
  listOf,
  startSmallSandbox,
} from '../../../tests/support/ads-world.ts'
import type { Sandbox } from '../start-sandbox.ts'

let sandbox: Sandbox
let ads: AdsClient
const campaignMedia = 'application/vnd.spCampaign.v3+json'

beforeAll(async () => {
  sandbox = await startSmallSandbox()
})
afterAll(() => sandbox.close())
beforeEach(async () => {
  sandbox.world.reset('small')
  ads = await adsClient(sandbox)
})

const order = async (fault: object): Promise<Response> => sandbox.control('POST', 'faults', fault)
const onCampaigns = { vendor: 'ads', method: 'POST', path: '/sp/campaigns' }
const create = (...names: string[]) =>
  ads.call('POST', '/sp/campaigns', campaignMedia, { campaigns: names.map(name => campaignItem(name)) })
const made = (): string[] => [...sandbox.world.store.campaigns.values()].map(campaign => campaign.name)
const journal = async (): Promise<Json[]> =>
  (await (await sandbox.control('GET', 'requests?vendor=ads')).json()) as Json[]

describe('a fault', () => {
  test('throttle answers 429 with Retry-After, or without, and only so often', async () => {
    await order({ match: onCampaigns, kind: 'throttle', retryAfterSeconds: 7 })
    await order({ match: onCampaigns, kind: 'throttle', retryAfterSeconds: null })
    const first = await create('A')
    expect(first).toMatchObject({ status: 429, body: { code: 'THROTTLED' } })
    expect(first.headers.get('retry-after')).toBe('7')
    const second = await create('A')
    expect(second.status).toBe(429)
    expect(second.headers.get('retry-after')).toBeNull()
    expect((await create('A')).status).toBe(207)
    expect((await journal()).map(entry => [entry.status as unknown, entry.fault as unknown])).toEqual([
      [429, 'throttle'],
      [429, 'throttle'],
      [207, null],
    ])
  })

  test('a status fault answers its status, and nothing happens', async () => {
    await order({ match: onCampaigns, kind: 'status', status: 503, body: { odd: 'gateway' } })
    expect(await create('A')).toMatchObject({ status: 503, body: { odd: 'gateway' } })
    expect(made()).toEqual([])
  })

  test('a slow fault delays the right answer: a later request is answered first', async () => {
    await order({ match: onCampaigns, kind: 'slow', delayMs: 300 })
    const came: string[] = []
    const slow = create('Slow').then(reply => came.push(`slow ${reply.status}`))
    await expect.poll(async () => (await journal()).length).toBe(1)
    await create('Quick').then(reply => came.push(`quick ${reply.status}`))
    await slow
    expect(came).toEqual(['quick 207', 'slow 207'])
    expect(made()).toEqual(['Quick', 'Slow'])
  })

  test('clearing the faults releases the answers they delay', async () => {
    await order({ match: onCampaigns, kind: 'slow', delayMs: 600_000 })
    const slow = create('Held')
    await expect.poll(async () => (await journal()).length).toBe(1)
    expect(made()).toEqual([])
    await sandbox.control('DELETE', 'faults')
    expect(await slow).toMatchObject({ status: 207 })
    expect(made()).toEqual(['Held'])
  })

  test('hang never answers, and nothing happens', async () => {
    await order({ match: onCampaigns, kind: 'hang' })
    const answer = create('Hung')
    const waited = Promise.race([answer.catch(() => 'cut'), new Promise(done => setTimeout(done, 200, 'waiting'))])
    expect(await waited).toBe('waiting')
    expect((await journal()).map(entry => [entry.status as unknown, entry.fault as unknown])).toEqual([[null, 'hang']])
    expect(made()).toEqual([])
    void answer.catch(() => undefined)
  })

  test('drop-before cuts the line and nothing happened; drop-after cuts it and it happened', async () => {
    await order({ match: onCampaigns, kind: 'drop-before' })
    await expect(create('Before')).rejects.toThrow()
    expect(made()).toEqual([])
    await order({ match: onCampaigns, kind: 'drop-after' })
    await expect(create('After')).rejects.toThrow()
    expect(made()).toEqual(['After'])
  })

  test('a partial fault rejects every second item, or the named ones, for its reason', async () => {
    await order({ match: onCampaigns, kind: 'partial', selector: 'throttledError', reason: 'THROTTLED' })
    const { status, body } = await create('A', 'B', 'C')
    expect(status).toBe(207)
    expect(body.campaigns?.error).toMatchObject([
      { index: 1, errors: [{ errorType: 'throttledError', errorValue: { throttledError: { reason: 'THROTTLED' } } }] },
    ])
    expect(made()).toEqual(['A', 'C'])
    await order({ match: onCampaigns, kind: 'partial', items: [0] })
    await create('D', 'E')
    expect(made()).toEqual(['A', 'C', 'E'])
  })

  test('late-list leaves out what was made just now, and nothing that is older', async () => {
    await create('Older')
    sandbox.world.clock.advance(5000)
    await create('Newer')
    await order({ match: { vendor: 'ads', path: '/sp/campaigns/list' }, kind: 'late-list', delayMs: 5000 })
    const listed = async () => {
      const { body } = await ads.call('POST', '/sp/campaigns/list', campaignMedia, {})
      return [body.totalResults as unknown, listOf(body.campaigns).map(({ name }) => leafOf(name))]
    }
    expect(await listed()).toEqual([1, ['Older']])
    expect(await listed()).toEqual([2, ['Older', 'Newer']])
  })

  test('malformed spoils the answer of what did happen', async () => {
    await order({ match: onCampaigns, kind: 'malformed' })
    await expect(create('A')).rejects.toThrow(/JSON/)
    expect(made()).toEqual(['A'])
  })

  test('an expired-token fault rejects once, a revoked-grant fault for good', async () => {
    await order({ match: { vendor: 'ads' }, kind: 'expired-token' })
    expect(await create('A')).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    expect((await create('A')).status).toBe(207)
    await order({ match: { vendor: 'ads' }, kind: 'revoked-grant' })
    expect((await create('B')).status).toBe(401)
    expect((await create('B')).status).toBe(401)
    expect(sandbox.world.lwa.grants().at(-1)?.revoked).toBe(true)
  })

  test('matches by method, region and path with wildcards, after as many as it skips', async () => {
    await order({ match: { vendor: 'ads', path: '/sp/*/list', region: 'eu' }, kind: 'throttle' })
    await order({ match: { vendor: 'ads', path: '/ads/na/sp/*/list' }, kind: 'throttle', skip: 1 })
    const list = () => ads.call('POST', '/sp/campaigns/list', campaignMedia, {})
    expect((await list()).status).toBe(200)
    expect((await list()).status).toBe(429)
    expect((await list()).status).toBe(200)
  })

  test('an unknown fault, or one that a vendor cannot have, is rejected', async () => {
    expect((await order({ match: { vendor: 'lwa' }, kind: 'partial' })).status).toBe(400)
    expect((await order({ match: { vendor: 'ads' }, kind: 'earthquake' })).status).toBe(400)
  })
})
