import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dayIn } from '#shared/time.ts'
import { MonthWorld, type Row, total } from '../../../../tests/support/month-world.ts'
import { words } from './report-types.ts'

const DAYS: [string, string] = ['2026-10-20', '2026-11-19']
const DATASETS =
  'sp-traffic sp-conversion sb-traffic sb-conversion sb-clickstream sb-rich-media sd-traffic sd-conversion'

let month: MonthWorld
const stream: Row[] = []

async function sqs(action: string, body: object): Promise<{ Messages?: { Body: string; ReceiptHandle: string }[] }> {
  const response = await fetch(`${month.sandbox.url}/sqs`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` },
    body: JSON.stringify(body),
  })
  return (await response.json()) as { Messages?: { Body: string; ReceiptHandle: string }[] }
}

/** Receives everything from the queue with several consumers and collects the messages. */
const listen = async (): Promise<void> => {
  await Promise.all(Array.from({ length: 6 }, listenOnce))
}

async function listenOnce(): Promise<void> {
  for (;;) {
    const { Messages = [] } = await sqs('ReceiveMessage', { MaxNumberOfMessages: 10 })
    if (Messages.length === 0) return
    for (const { Body } of Messages) stream.push(JSON.parse(Body) as Row)
    const Entries = Messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }))
    await sqs('DeleteMessageBatch', { Entries })
  }
}

beforeAll(async () => {
  month = await MonthWorld.start()
  for (const dataSetId of DATASETS.split(' '))
    await month.ads.call('POST', '/streams/subscriptions', 'application/json', {
      clientRequestToken: `token-for-${dataSetId}-0123456789`,
      dataSetId,
      // Without envelopes: signing a month of them takes most of the test's time.
      destination: {
        firehoseDestination: {
          deliveryStreamArn: 'arn:aws:firehose:us-east-1:000000000000:deliverystream/month',
          subscriberRoleArn: 'arn:aws:iam::000000000000:role/subscriber',
          subscriptionRoleArn: 'arn:aws:iam::000000000000:role/subscription',
        },
      },
    })
  for (let day = 0; day < 36; day += 6) {
    await month.pass(6)
    await listen()
  }
})
afterAll(() => month.sandbox.close())

const recordsOf = (dataset: string): Row[] => [
  ...new Map(stream.filter(row => row.dataset_id === dataset).map(row => [row.idempotency_id, row])).values(),
]

/** The same columns of several reports must have the same sums, and some of them more than nothing. */
async function agree(reports: [type: string, groupBy: string][], columns: string[]): Promise<Row[]> {
  const sums: Record<string, number>[] = []
  let first: Row[] = []
  for (const [type, groupBy] of reports) {
    const rows = await month.rows(type, groupBy, columns, DAYS)
    if (first.length === 0) first = rows
    sums.push(Object.fromEntries(columns.map(column => [column, total(rows, column)])))
  }
  for (const [i, sum] of sums.entries()) expect(sum, reports[i]?.join(' by ')).toEqual(sums[0])
  for (const column of ['clicks', 'cost']) expect(sums[0]?.[column], column).toBeGreaterThan(0)
  return first
}

const eachWindow = (names: string): string[] =>
  names.split(' ').flatMap(name => ['1d', '7d', '14d', '30d'].map(window => name + window))

describe('over a month, totals agree', () => {
  const products = [
    'clicks',
    'cost',
    ...eachWindow('purchases unitsSoldClicks sales purchasesSameSku unitsSoldSameSku attributedSalesSameSku'),
  ]

  test('of Sponsored Products by campaign, ad group, placement, product, target and search term', async () => {
    const rows = await agree(
      [
        ['spCampaigns', 'campaign'],
        ['spCampaigns', 'adGroup'],
        ['spCampaigns', 'campaign+adGroup'],
        ['spCampaigns', 'campaignPlacement'],
        ['spCampaigns', 'campaign+campaignPlacement'],
        ['spAdvertisedProduct', 'advertiser'],
        ['spTargeting', 'targeting'],
        ['spSearchTerm', 'searchTerm'],
      ],
      products,
    )
    expect(total(rows, 'sales14d')).toBeGreaterThan(total(rows, 'sales1d'))
    const [searched, all] = [
      await month.rows('spSearchTerm', 'searchTerm', ['impressions'], DAYS),
      await month.rows('spCampaigns', 'campaign', ['impressions'], DAYS),
    ]
    expect(total(searched, 'impressions')).toBeLessThan(total(all, 'impressions'))
  })

  test('of what was bought instead and what targets say of other products', async () => {
    const bought = await month.rows(
      'spPurchasedProduct',
      'asin',
      ['advertisedAsin', 'purchasedAsin', ...eachWindow('purchasesOtherSku unitsSoldOtherSku salesOtherSku sales')],
      DAYS,
    )
    const targets = await month.rows('spTargeting', 'targeting', ['salesOtherSku7d', 'unitsSoldOtherSku7d'], DAYS)
    expect(total(bought, 'salesOtherSku7d')).toBe(total(targets, 'salesOtherSku7d'))
    expect(total(bought, 'unitsSoldOtherSku7d')).toBe(total(targets, 'unitsSoldOtherSku7d'))
    expect(total(bought, 'sales30d')).toBe(total(bought, 'salesOtherSku30d'))
    expect(bought.length).toBeGreaterThan(0)
    expect(bought.every(row => row.purchasedAsin !== row.advertisedAsin)).toBe(true)
  })

  const brands = words(`
    clicks cost impressions purchases purchasesClicks sales salesClicks unitsSold newToBrandPurchases newToBrandSales
    detailPageViews brandedSearches addToCart salesPromoted`)

  test('of Sponsored Brands by campaign, ad group, ad, placement and target', async () => {
    await agree(
      [
        ['sbCampaigns', 'campaign'],
        ['sbAdGroup', 'adGroup'],
        ['sbAds', 'ads'],
        ['sbCampaignPlacement', 'campaignPlacement'],
        ['sbCampaignPlacement', 'campaign'],
        ['sbTargeting', 'targeting'],
      ],
      brands,
    )
    await agree(
      [
        ['sbCampaigns', 'campaign'],
        ['sbSearchTerm', 'searchTerm'],
      ],
      ['clicks', 'cost', 'purchases', 'sales', 'salesClicks', 'unitsSold'],
    )
    const bought = await month.rows(
      'sbPurchasedProduct',
      'purchasedAsin',
      ['sales14d', 'orders14d', 'attributionType'],
      DAYS,
    )
    const all = await month.rows('sbCampaigns', 'campaign', ['sales', 'purchases', 'salesPromoted'], DAYS)
    expect(total(bought, 'sales14d')).toBe(total(all, 'sales'))
    expect(total(bought, 'orders14d')).toBe(total(all, 'purchases'))
    const promoted = bought.filter(row => row.attributionType === 'Promoted')
    expect(total(promoted, 'sales14d')).toBe(total(all, 'salesPromoted'))
  })

  test('of Sponsored Display by campaign, ad group, target, product and page', async () => {
    const rows = await agree(
      [
        ['sdCampaigns', 'campaign'],
        ['sdCampaigns', 'matchedTarget'],
        ['sdAdGroup', 'adGroup'],
        ['sdTargeting', 'targeting'],
        ['sdAdvertisedProduct', 'advertiser'],
      ],
      words(`
        clicks cost impressions impressionsViews purchases purchasesClicks sales salesClicks unitsSold
        newToBrandPurchases detailPageViews addToCart salesPromotedClicks`),
    )
    expect(total(rows, 'impressionsViews')).toBeLessThan(total(rows, 'impressions'))
    const halo = await month.rows(
      'sdPurchasedProduct',
      'asin',
      ['conversionsBrandHaloClicks', 'salesBrandHaloClicks'],
      DAYS,
    )
    expect(total(halo, 'salesBrandHaloClicks')).toBe(total(rows, 'salesClicks') - total(rows, 'salesPromotedClicks'))
  })

  test('of gross traffic less what was invalid, and what the campaigns say', async () => {
    let invalid = 0
    for (const [product, campaigns] of [
      ['sp', 'spCampaigns'],
      ['sb', 'sbCampaigns'],
      ['sd', 'sdCampaigns'],
    ] as const) {
      const columns = ['clicks', 'grossClickThroughs', 'invalidClickThroughs', 'grossImpressions', 'invalidImpressions']
      const gross = await month.rows(`${product}GrossAndInvalids`, 'campaign', [...columns, 'impressions'], DAYS)
      const all = await month.rows(campaigns, 'campaign', ['clicks', 'impressions'], DAYS)
      expect(total(gross, 'clicks')).toBe(total(all, 'clicks'))
      expect(total(gross, 'grossClickThroughs') - total(gross, 'invalidClickThroughs')).toBe(total(all, 'clicks'))
      expect(total(gross, 'grossImpressions') - total(gross, 'invalidImpressions')).toBe(total(all, 'impressions'))
      invalid += total(gross, 'invalidClickThroughs')
    }
    // One click in fifty is, so a small campaign can have none.
    expect(invalid).toBeGreaterThan(0)
  })
})

describe('the stream agrees with the reports', () => {
  const within = (rows: Row[]): Row[] =>
    rows.filter(row => {
      const day = dayIn(new Date(String(row.time_window_start)), 'America/Los_Angeles')
      return day >= DAYS[0] && day <= DAYS[1]
    })
  const same = async (dataset: string, [type, groupBy]: [string, string], pairs: Record<string, string>) => {
    const reported = await month.rows(type, groupBy, Object.values(pairs), DAYS)
    const streamed = within(recordsOf(dataset))
    for (const [field, column] of Object.entries(pairs))
      expect(total(streamed, field), `${dataset} ${field}`).toBe(total(reported, column))
    expect(streamed.length).toBeGreaterThan(0)
  }

  test('of Sponsored Products, in every window', async () => {
    await same('sp-traffic', ['spCampaigns', 'campaign'], {
      clicks: 'clicks',
      impressions: 'impressions',
      cost: 'cost',
    })
    const pairs = Object.fromEntries(
      ['1d', '7d', '14d', '30d'].flatMap(window => [
        [`attributed_conversions_${window}`, `purchases${window}`],
        [`attributed_sales_${window}`, `sales${window}`],
        [`attributed_units_ordered_${window}_same_sku`, `unitsSoldSameSku${window}`],
      ]),
    ) as Record<string, string>
    await same('sp-conversion', ['spTargeting', 'targeting'], pairs)
  })

  test('of Sponsored Brands, clicks and films included', async () => {
    const campaigns: [string, string] = ['sbCampaigns', 'campaign']
    await same('sb-traffic', campaigns, { clicks: 'clicks', cost: 'cost', viewable_impressions: 'viewableImpressions' })
    await same('sb-conversion', campaigns, {
      attributed_sales_14d: 'salesClicks',
      view_attributed_conversions_14d: 'purchases',
      view_attributed_sales_new_to_brand_14d: 'newToBrandSales',
    })
    await same('sb-clickstream', campaigns, { attributed_detail_page_views_14d: 'detailPageViewsClicks' })
    await same('sb-rich-media', campaigns, {
      video_complete_views: 'videoCompleteViews',
      video_unmutes: 'videoUnmutes',
    })
  })

  test('of Sponsored Display, orders after a view included', async () => {
    const campaigns: [string, string] = ['sdCampaigns', 'campaign']
    await same('sd-traffic', campaigns, { clicks: 'clicks', cost: 'cost', impressions: 'impressions' })
    await same('sd-conversion', campaigns, {
      attributed_sales_14d: 'salesClicks',
      view_attributed_sales_14d: 'sales',
      view_attributed_units_ordered_14d: 'unitsSold',
    })
  })

  test('day by day of the profile, the day of 25 hours included', async () => {
    const reported = await month.rows('spCampaigns', 'campaign', ['impressions', 'clicks', 'cost'], DAYS)
    const byDay = Map.groupBy(recordsOf('sp-traffic'), row =>
      dayIn(new Date(String(row.time_window_start)), 'America/Los_Angeles'),
    )
    for (const [day, rows] of Map.groupBy(reported, row => String(row.date)))
      for (const column of ['impressions', 'clicks', 'cost'])
        expect(total(byDay.get(day) ?? [], column), `${day} ${column}`).toBe(total(rows, column))
    const hours = new Set((byDay.get('2026-11-01') ?? []).map(row => row.time_window_start))
    // The hour between one and two came twice: before and after the clocks were set back.
    expect(hours).toContain('2026-11-01T08:00:00Z')
    expect(hours).toContain('2026-11-01T09:00:00Z')
    expect(
      [...hours].every(hour => String(hour) >= '2026-11-01T07:00:00Z' && String(hour) < '2026-11-02T08:00:00Z'),
    ).toBe(true)
  })
})
