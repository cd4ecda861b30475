import { describe, expect, it } from 'vitest'
import { readEnvelope } from './check-signature.ts'
import { signQueueCall } from './queue.ts'
import { readRecords } from './records.ts'

const traffic = {
  idempotency_id: 'e9f1',
  dataset_id: 'sp-traffic',
  marketplace_id: 'ATVPDKIKX0DER',
  currency: 'USD',
  advertiser_id: 'ENTITY1',
  campaign_id: '443372169288951123',
  ad_group_id: '2',
  ad_id: '3',
  keyword_id: '4',
  keyword_text: 'soap',
  match_type: 'BROAD',
  placement: 'Top of Search on-Amazon',
  time_window_start: '2026-11-20T08:00:00-08:00',
  clicks: -1,
  impressions: 0,
  cost: -0.42,
}
const written = (record: unknown): string => JSON.stringify(record)

describe('a message of the stream', () => {
  it('with traffic gives a delta of an hour, corrections negative', () => {
    expect(readRecords(written(traffic))).toEqual({
      records: [
        {
          dataset: 'sp-traffic',
          idempotencyId: 'e9f1',
          advertiserId: 'ENTITY1',
          marketplaceId: 'ATVPDKIKX0DER',
          campaignId: '443372169288951123',
          adGroupId: '2',
          adId: '3',
          targetId: '4',
          placement: 'TOP_OF_SEARCH',
          currency: 'USD',
          hour: new Date('2026-11-20T16:00:00Z'),
          keywordText: 'soap',
          matchType: 'BROAD',
          impressions: 0,
          clicks: -1,
          costMicros: -420_000,
        },
      ],
    })
  })

  it('of Brands and Display names the same things by their own names', () => {
    const { keyword_id: _, placement, match_type, keyword_text, ...rest } = traffic
    const brands = {
      ...rest,
      dataset_id: 'sb-traffic',
      keyword_id: '4',
      placement_type: placement,
      keyword_type: match_type,
    }
    expect(readRecords(written({ ...brands, keyword_text }))).toMatchObject({
      records: [{ dataset: 'sb-traffic', targetId: '4', placement: 'TOP_OF_SEARCH', matchType: 'BROAD', clicks: -1 }],
    })
    const display = { ...rest, dataset_id: 'sd-traffic', target_id: 9_007_199_254_740_993n, targeting_text: 'views' }
    const display64 = JSON.stringify(display, (_key, value: unknown) =>
      typeof value === 'bigint' ? `#${value}` : value,
    )
    // Written as an integer too long for a double.
    expect(readRecords(display64.replace(/"#(\d+)"/, '$1'))).toMatchObject({
      records: [{ dataset: 'sd-traffic', targetId: '9007199254740993', keywordText: 'views', placement: null }],
    })
  })

  it('with conversions gives every attribution window, missing figures as nothing', () => {
    const record = {
      ...traffic,
      dataset_id: 'sp-conversion',
      attributed_sales_7d: 19.99,
      attributed_conversions_7d: 1,
    }
    const read = readRecords(written(record))
    expect('records' in read && read.records[0]).toMatchObject({
      dataset: 'sp-conversion',
      windows: { 7: { orders: 1, units: 0, salesMicros: 19_990_000 }, 14: { salesMicros: 0 } },
    })
  })

  it('with budget usage names the campaign and its moment', () => {
    const read = readRecords(
      written({
        advertiser_id: 'E',
        marketplace_id: 'M',
        dataset_id: 'budget-usage',
        budget_scope_id: '77',
        budget_scope_type: 'CAMPAIGN',
        advertising_product_type: 'SP',
        budget: 25,
        budget_usage_percentage: 55.5,
        usage_updated_timestamp: '2026-11-20T10:00:00Z',
      }),
    )
    expect('records' in read && read.records[0]).toMatchObject({
      scopeId: '77',
      budgetMicros: 25_000_000,
      usagePercent: 55.5,
    })
  })

  it.each([
    ['is no JSON', 'hello'],
    ['is of an unknown dataset', written({ dataset_id: 'sb-rich-media' })],
    ['lacks its hour', written({ ...traffic, time_window_start: 'once' })],
  ])('that %s says why instead of failing', (_, body) => {
    expect(readRecords(body)).toHaveProperty('reason')
  })

  it('without an envelope, or in one that nobody signed, says so', () => {
    expect(readEnvelope(written(traffic))).toHaveProperty('reason')
    const unsigned = { Type: 'Notification', MessageId: 'm', TopicArn: 'a', Timestamp: 't', Message: written(traffic) }
    expect(readEnvelope(written(unsigned))).toHaveProperty('reason')
  })
})

it('a call to the queue is signed for its own region, the session with it', async () => {
  const url = 'https://sqs.eu-west-1.amazonaws.com/'
  const call = { url, headers: { 'x-amz-target': 'AmazonSQS.ReceiveMessage' }, body: '{}' }
  const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'session' }
  const headers = await signQueueCall(call, `${url}1/queue`, credentials)
  expect(headers['authorization']).toMatch(/^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/sqs\/aws4_request, /)
  expect(headers['authorization']).toContain('x-amz-target')
  expect(headers).toMatchObject({ 'x-amz-security-token': 'session', 'x-amz-target': 'AmazonSQS.ReceiveMessage' })
  expect(JSON.stringify(headers)).not.toContain('secret"')
})
