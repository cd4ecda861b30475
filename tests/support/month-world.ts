import { gunzipSync } from 'node:zlib'
import type { Store } from '#sandbox/core/model/store.ts'
import type { Scenario } from '#sandbox/core/world.ts'
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts'
import { type AdsClient, adsClient, leafOf, smallScenario } from './ads-world.ts'

/** The Tuesday on which the campaigns of the month begin; on the second Sunday after, clocks are set back. */
export const FIRST = new Date('2026-10-20T07:00:00Z')

function writeProducts(store: Store, dates: object & { createdAt: number; updatedAt: number }): void {
  const common = { profileId: 111, state: 'ENABLED' as const, ...dates }
  const campaign = {
    ...common,
    budgetMicros: 90e6,
    strategy: 'LEGACY_FOR_SALES' as const,
    placements: [{ placement: 'PLACEMENT_TOP' as const, percentage: 50 }],
    startDate: '2026-10-20',
    endDate: null,
    portfolioId: null,
    tags: {},
  }
  store.campaigns.set('11', { ...campaign, campaignId: '11', name: 'Words', targetingType: 'MANUAL' })
  store.campaigns.set('12', { ...campaign, campaignId: '12', name: 'By itself', targetingType: 'AUTO' })
  for (const [campaignId, adGroupId, asin, sku] of [
    ['11', '111', 'B0TEST0001', 'SKU-1'],
    ['11', '112', 'B0TEST0002', 'SKU-2'],
    ['12', '121', 'B0TEST0001', 'SKU-1'],
  ] as const) {
    const parents = { ...common, campaignId, adGroupId }
    store.adGroups.set(adGroupId, { ...parents, name: `Group ${adGroupId}`, defaultBidMicros: 2e6 })
    store.productAds.set(`${adGroupId}1`, { ...parents, adId: `${adGroupId}1`, asin, sku })
    if (campaignId === '11')
      for (const [i, matchType] of (['BROAD', 'PHRASE', 'EXACT'] as const).entries()) {
        const keywordId = `${adGroupId}2${i}`
        store.keywords.set(keywordId, { ...parents, keywordId, matchType, keywordText: 'garlic press', bidMicros: 3e6 })
      }
    else
      for (const [i, type] of [
        'QUERY_HIGH_REL_MATCHES',
        'QUERY_BROAD_REL_MATCHES',
        'ASIN_SUBSTITUTE_RELATED',
      ].entries()) {
        const targetId = `${adGroupId}3${i}`
        const clause = { expression: [{ type }], expressionType: 'AUTO' as const, bidMicros: null }
        store.targets.set(targetId, { ...parents, targetId, ...clause })
      }
  }
}

function writeBrands(store: Store, dates: object & { createdAt: number; updatedAt: number }): void {
  const common = { profileId: 111, state: 'ENABLED' as const, campaignId: '21', ...dates }
  store.brandCampaigns.set('21', {
    ...common,
    name: 'Brand',
    budgetMicros: 90e6,
    budgetType: 'DAILY',
    costType: 'CPC',
    goal: 'PAGE_VISIT',
    brandEntityId: 'ENTITYTEST',
    bidOptimization: true,
    placements: [],
    productLocation: null,
    startDate: '2026-10-20',
    endDate: null,
    portfolioId: null,
    tags: {},
  })
  const parents = { ...common, adGroupId: '211' }
  store.brandAdGroups.set('211', { ...parents, name: 'Brand group' })
  const landingPage = { pageType: 'PRODUCT_LIST', url: '', asins: ['B0TEST0001', 'B0TEST0002'] }
  const ad = { ...parents, name: 'Film', format: 'VIDEO' as const, asins: landingPage.asins, landingPage, creative: {} }
  store.brandAds.set('2111', { ...ad, adId: '2111' })
  const word = { ...parents, keywordText: 'garlic press', matchType: 'BROAD' as const, bidMicros: 3e6 }
  store.brandKeywords.set('2112', { ...word, keywordId: '2112' })
  const expression = [{ type: 'ASIN_CATEGORY_SAME_AS', value: '289742' }]
  store.brandTargets.set('2113', { ...parents, targetId: '2113', expression, bidMicros: 3e6 })
}

function writeDisplay(store: Store, dates: object & { createdAt: number; updatedAt: number }): void {
  const common = { profileId: 111, state: 'ENABLED' as const, ...dates }
  for (const [campaignId, costType] of [
    ['31', 'CPC'],
    ['32', 'VCPM'],
  ] as const) {
    const adGroupId = `${campaignId}1`
    const parents = { ...common, campaignId, adGroupId }
    store.displayCampaigns.set(campaignId, {
      ...common,
      campaignId,
      name: `Display ${costType}`,
      tactic: 'T00020',
      costType,
      budgetMicros: 400e6,
      startDate: '2026-10-20',
      endDate: null,
      portfolioId: null,
    })
    store.displayAdGroups.set(adGroupId, {
      ...parents,
      name: `Display group ${costType}`,
      defaultBidMicros: costType === 'VCPM' ? 60e6 : 3e6,
      bidOptimization: costType === 'VCPM' ? 'REACH' : 'CLICKS',
      creativeType: null,
    })
    const ad = { ...parents, asin: 'B0TEST0001', sku: 'SKU-1', adName: null }
    store.displayAds.set(`${adGroupId}1`, { ...ad, adId: `${adGroupId}1` })
    const target = { ...parents, expression: [{ type: 'asinCategorySameAs', value: '289742' }], bidMicros: null }
    store.displayTargets.set(`${adGroupId}2`, { ...target, targetId: `${adGroupId}2`, expressionType: 'MANUAL' })
  }
}

/** Campaigns of all three ad products of one seller in Los Angeles, with plenty of stock. */
function monthScenario({ now }: { now: Date }): Scenario {
  const { store, seed } = smallScenario({ now })
  for (const [key, product] of store.products) store.products.set(key, { ...product, fulfillable: 100_000 })
  const dates = { createdAt: FIRST.getTime(), updatedAt: FIRST.getTime() }
  writeProducts(store, dates)
  writeBrands(store, dates)
  writeDisplay(store, dates)
  return { store, seed, startsAt: now }
}

export type Row = Record<string, string | number | null>

/** A sandbox at the start of the month; its time moves only by control calls. */
export class MonthWorld {
  readonly sandbox: Sandbox
  ads: AdsClient

  private constructor(sandbox: Sandbox, ads: AdsClient) {
    this.sandbox = sandbox
    this.ads = ads
  }

  static async start(): Promise<MonthWorld> {
    const sandbox = await startSandbox({
      scenario: 'month',
      scenarios: { month: monthScenario },
      clock: { now: () => FIRST },
    })
    return new MonthWorld(sandbox, await adsClient(sandbox))
  }

  async pass(days: number): Promise<void> {
    this.sandbox.world.clock.advance(days * 86_400_000)
    this.ads = await adsClient(this.sandbox)
  }

  /** The rows of a report of the type, by day or as a whole, over the columns. */
  async rows(
    type: string,
    groupBy: string,
    columns: string[],
    days: [string, string],
    timeUnit: 'DAILY' | 'SUMMARY' = 'DAILY',
  ): Promise<Row[]> {
    const products: Record<string, string> = { sp: 'PRODUCTS', sb: 'BRANDS', sd: 'DISPLAY' }
    const media = 'application/vnd.createasyncreportrequest.v3+json'
    const { body } = await this.ads.call('POST', '/reporting/reports', media, {
      startDate: days[0],
      endDate: days[1],
      configuration: {
        adProduct: `SPONSORED_${products[type.slice(0, 2)]}`,
        reportTypeId: type,
        groupBy: groupBy.split('+'),
        columns: timeUnit === 'DAILY' ? ['date', ...columns] : columns,
        timeUnit,
        format: 'GZIP_JSON',
      },
    })
    if (!body.reportId) throw new Error(JSON.stringify(body))
    this.sandbox.world.clock.advance(1000)
    const done = await this.ads.call('GET', `/reporting/reports/${leafOf(body.reportId)}`, null)
    const file = await fetch(leafOf(done.body.url))
    return JSON.parse(gunzipSync(Buffer.from(await file.arrayBuffer())).toString()) as Row[]
  }
}

/** A column's sum, in hundredths, so that amounts compare exactly. */
export const total = (rows: readonly Row[], column: string): number =>
  Math.round(rows.reduce((sum, row) => sum + Number(row[column]), 0) * 100)
