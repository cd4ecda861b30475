import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../start-sandbox.ts'
import { type AdsClient, adsClient, leafOf, listOf } from '../../../../tests/support/ads-world.ts'
import {
  envelopeOf,
  queueReader,
  type Row,
  startStreamedSandbox,
  subscribe,
} from '../../../../tests/support/stream-queue.ts'

const media = 'application/vnd.MarketingStreamSubscriptions.StreamSubscriptionResource.v1.0+json'
let sandbox: Sandbox
let ads: AdsClient
beforeAll(async () => {
  ;({ sandbox, ads } = await startStreamedSandbox())
})
afterAll(() => sandbox.close())
const { receive, remove, confirmAll, drain } = queueReader(() => sandbox)

const store: Row[] = []
const unique = (dataset: string): Row[] =>
  [...new Map(store.map(row => [row.idempotency_id, row])).values()].filter(row => row.dataset_id === dataset)
const sum = (rows: Row[], field: string): number => rows.reduce((total, row) => total + Number(row[field]), 0)

describe('the hourly stream', () => {
  test('begins with a confirmation link that must be opened', async () => {
    for (const dataset of ['sp-traffic', 'sp-conversion', 'budget-usage']) {
      const { status, body } = await subscribe(ads, dataset)
      expect(status).toBe(200)
      expect((await subscribe(ads, dataset)).body.subscriptionId).toBe(body.subscriptionId)
    }
    const waiting = await ads.call('GET', '/streams/subscriptions', null)
    const rows = listOf(waiting.body.subscriptions)
    expect(rows.map(row => leafOf(row.status))).toEqual(Array.from({ length: 3 }, () => 'PENDING_CONFIRMATION'))
    const messages = await receive()
    expect(messages.map(message => envelopeOf(message).Type)).toEqual(
      Array.from({ length: 3 }, () => 'SubscriptionConfirmation'),
    )
    for (const message of messages) expect((await fetch(envelopeOf(message).SubscribeURL ?? '')).status).toBe(200)
    await remove(messages)
    const active = await ads.call('GET', '/streams/subscriptions', null)
    expect(active.body.subscriptions).toMatchObject([{ status: 'ACTIVE' }, { status: 'ACTIVE' }, { status: 'ACTIVE' }])
    expect((await fetch(`${sandbox.url}/sqs/confirm?Token=made-up`)).status).toBe(404)
  })

  test('emits nothing before an hour has passed, and then each hour since the subscription', async () => {
    expect(await receive()).toEqual([])
    sandbox.world.clock.advance(12 * 3_600_000)
    const records = await drain()
    store.push(...records)
    const traffic = records.find(record => record.dataset_id === 'sp-traffic')
    expect(traffic).toMatchObject({
      idempotency_id: expect.any(String),
      advertiser_id: 'A1TESTSELLER',
      marketplace_id: 'ATVPDKIKX0DER',
      currency: 'USD',
      placement: expect.stringContaining('Amazon'),
      time_window_start: expect.stringMatching(/^2026-03-1\dT\d\d:00:00Z$/),
      match_type: 'TARGETING_EXPRESSION_PREDEFINED',
    })
    expect(records.every(record => leafOf(record.time_window_start ?? '2026-03-10T18') >= '2026-03-10T18')).toBe(true)
    expect(records.some(record => record.dataset_id === 'budget-usage')).toBe(true)
  })

  test('sends nothing while it is held, and afterwards what has passed since', async () => {
    await sandbox.control('POST', 'stream', { held: true })
    sandbox.world.clock.advance(5 * 3_600_000)
    expect(await drain()).toEqual([])
    await sandbox.control('POST', 'stream', { held: false })
    const late = await drain()
    store.push(...late)
    const hours = late.flatMap(({ time_window_start: start }) => (start === undefined ? [] : [start]))
    expect(new Set(hours).size).toBeGreaterThan(3)
  })

  test('reports the use of a budget each hour, as it is read each hour', async () => {
    const shares: number[] = []
    for (let hour = 0; hour < 12; hour++) {
      sandbox.world.clock.advance(3_600_000)
      const records = await drain()
      store.push(...records)
      const usage = records.filter(record => record.dataset_id === 'budget-usage')
      shares.push(...usage.map(record => Number(record.budget_usage_percentage)))
    }
    expect(shares.filter(share => share >= 5)).not.toEqual([])
  })

  test('sends the records of a control call, signed as any', async () => {
    const record = { dataset_id: 'budget-usage', budget_scope_id: '4711', budget_usage_percentage: 96 }
    expect((await sandbox.control('POST', 'stream', { records: [record] })).status).toBe(200)
    const messages = await receive()
    const envelopes = messages.map(envelopeOf)
    expect(envelopes.map(({ Message = '' }) => JSON.parse(Message) as Row)).toEqual([record])
    expect(envelopes.map(({ SignatureVersion }) => SignatureVersion)).toEqual(['2'])
    await remove(messages)
  })

  test('corrects itself by negative deltas, comes twice at times, and adds up to what the reports say', async () => {
    for (let day = 0; day < 20; day++) {
      sandbox.world.clock.advance(86_400_000)
      store.push(...(await drain()))
    }
    const now = sandbox.world.clock.now()
    // All days there are: a test before that was tried again has moved the time.
    const facts = sandbox.world.market().facts(111, '2026-03-10', '2026-12-31', now)
    const total = (of: (fact: (typeof facts)[number]) => number): number =>
      facts.reduce((all, fact) => all + of(fact), 0)
    const traffic = unique('sp-traffic')
    expect(sum(traffic, 'clicks')).toBe(total(fact => fact.clicks))
    expect(sum(traffic, 'impressions')).toBe(total(fact => fact.impressions))
    expect(Math.round(sum(traffic, 'cost') * 100)).toBe(Math.round(total(fact => fact.costMicros) / 10_000))
    expect(traffic.some(row => Number(row.clicks) < 0)).toBe(true)
    const conversions = unique('sp-conversion')
    expect(sum(conversions, 'attributed_conversions_14d')).toBe(total(fact => fact.orders.d14))
    expect(sum(conversions, 'attributed_conversions_14d')).toBeGreaterThan(0)
    expect(store.length).toBeGreaterThan(unique('sp-traffic').length + conversions.length)
  })
})

describe('a subscription', () => {
  const ask = (body: object) => ads.call('POST', '/streams/subscriptions', media, body)
  const subscriptionRequest = {
    clientRequestToken: 'another-token-0123456789',
    dataSetId: 'sp-traffic',
    destinationArn: 'arn:aws:sqs:us-east-1:000000000000:stream',
  }

  test('is one of its kind: not twice for a destination, nor more than twice for a dataset', async () => {
    ads = await adsClient(sandbox)
    expect(await ask(subscriptionRequest)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('more than one subscription per advertiser') },
    })
    const firehose = {
      deliveryStreamArn: 'arn:aws:firehose:us-east-1:000000000000:deliverystream/one',
      subscriberRoleArn: 'arn:aws:iam::000000000000:role/subscriber',
      subscriptionRoleArn: 'arn:aws:iam::000000000000:role/subscription',
    }
    const second = await ask({
      ...subscriptionRequest,
      destinationArn: undefined,
      destination: { firehoseDestination: firehose },
    })
    expect(second.status).toBe(200)
    const third = {
      ...subscriptionRequest,
      clientRequestToken: 'a-third-token-0123456789',
      destinationArn: `${subscriptionRequest.destinationArn}-3`,
    }
    expect((await ask(third)).body).toMatchObject({ message: expect.stringContaining('more than two subscriptions') })
    const id = leafOf(second.body.subscriptionId)
    expect((await ads.call('GET', `/streams/subscriptions/${id}`, null)).body.subscription).toMatchObject({
      status: 'ACTIVE',
      destination: { firehoseDestination: firehose },
    })
    expect((await put(id, { status: 'PAUSED' })).status).toBe(400)
    expect((await put(id, { status: 'ARCHIVED', notes: 'done' })).status).toBe(200)
    expect((await put(id, { status: 'ARCHIVED' })).body.message).toBe('Only ACTIVE subscriptions can be archived')
  })

  const put = (id: string, body: object) => ads.call('PUT', `/streams/subscriptions/${id}`, media, body)

  test('fails without a confirmation within three days', async () => {
    const other = { ...subscriptionRequest, clientRequestToken: 'too-late-token-0123456789', dataSetId: 'sb-traffic' }
    const { body } = await ask(other)
    const messages = await receive()
    await remove(messages)
    sandbox.world.clock.advance(73 * 3_600_000)
    const links = messages.flatMap(message => envelopeOf(message).SubscribeURL ?? [])
    expect(links).toHaveLength(1)
    expect((await fetch(links[0] ?? '')).status).toBe(404)
    ads = await adsClient(sandbox)
    const found = await ads.call('GET', `/streams/subscriptions/${leafOf(body.subscriptionId)}`, null)
    expect(found.body.subscription).toMatchObject({ status: 'FAILED_CONFIRMATION' })
    await drain()
  })

  test('is listed in pages', async () => {
    const all = await ads.call('GET', '/streams/subscriptions', null)
    const first = await ads.call('GET', '/streams/subscriptions?maxResults=2', null)
    expect(listOf(first.body.subscriptions)).toHaveLength(2)
    const token = leafOf(first.body.nextToken)
    const rest = await ads.call('GET', `/streams/subscriptions?startingToken=${token}`, null)
    expect([...listOf(first.body.subscriptions), ...listOf(rest.body.subscriptions)]).toEqual(
      listOf(all.body.subscriptions),
    )
    expect((await ads.call('GET', '/streams/subscriptions?maxResults=0', null)).status).toBe(400)
  })

  test.each([
    ['a dataset that does not exist', { dataSetId: 'sp-weather' }],
    ['a short token', { clientRequestToken: 'short' }],
    ['a destination that is no queue', { destinationArn: 'arn:aws:s3:::bucket' }],
    ['long notes', { notes: 'x'.repeat(129) }],
  ])('with %s is refused', async (_, change) => {
    expect((await ask({ ...subscriptionRequest, ...change })).status).toBe(400)
  })
})

describe('changes of entities', () => {
  test('are emitted at once with the whole current entity, each with a greater version', async () => {
    ads = await adsClient(sandbox)
    await drain()
    for (const dataset of ['campaigns', 'adgroups', 'ads', 'targets']) await subscribe(ads, dataset)
    await confirmAll()
    const [campaign] = [...sandbox.world.store.campaigns.values()]
    const [target] = [...sandbox.world.store.targets.values()]
    const item = {
      campaignId: campaign?.campaignId,
      name: 'Streamed again',
      budget: { budget: 70, budgetType: 'DAILY' },
    }
    await ads.call('PUT', '/sp/campaigns', 'application/vnd.spCampaign.v3+json', { campaigns: [item] })
    await ads.call('PUT', '/sp/targets', 'application/vnd.spTargetingClause.v3+json', {
      targetingClauses: [{ targetId: target?.targetId, bid: 1.5 }],
    })
    const [first, second, ...more] = (await drain()).filter(row => row.version !== undefined)
    expect(more).toEqual([])
    expect(first).toMatchObject({
      dataset_id: 'campaigns',
      accountId: '111',
      campaignId: campaign?.campaignId,
      adProduct: 'SPONSORED_PRODUCTS',
      name: 'Streamed again',
      budget: { budgetCap: { monetaryBudget: { amount: 70, currencyCode: 'USD' } } },
      audit: { creationDateTime: expect.any(String) },
    })
    expect(second).toMatchObject({
      dataset_id: 'targets',
      targetId: target?.targetId,
      targetType: 'AUTO',
      negative: false,
      bid: 1.5,
      autoTarget: { targetingClause: expect.any(String) },
    })
    expect(Number(second?.version)).toBeGreaterThan(Number(first?.version))
  })

  test('and the day’s recommendations reach their subscribers', async () => {
    for (const dataset of ['sp-budget-recommendations', 'sponsored-ads-campaign-diagnostics-recommendations'])
      await subscribe(ads, dataset)
    await confirmAll()
    const [campaign] = [...sandbox.world.store.campaigns.values()]
    const item = { campaignId: campaign?.campaignId, budget: { budget: 4, budgetType: 'DAILY' } }
    ads = await adsClient(sandbox)
    await ads.call('PUT', '/sp/campaigns', 'application/vnd.spCampaign.v3+json', { campaigns: [item] })
    sandbox.world.clock.advance(4 * 86_400_000)
    const records = await drain()
    expect(records.find(row => row.dataset_id === 'sp-budget-recommendations')).toMatchObject({
      campaign_id: campaign?.campaignId,
      suggested_budget: expect.any(Number),
      percent_time_in_budget: expect.any(Number),
    })
    expect(records.find(row => leafOf(row.dataset_id).startsWith('sponsored-ads'))).toMatchObject({
      recommendation_id: expect.any(String),
      campaign_id: campaign?.campaignId,
      ad_product: 'SP',
    })
  })
})
