import { createHash } from 'node:crypto'
import type { Profile, Store } from '../../../core/model/store.ts'
import type { World } from '../../../core/world.ts'
import type { AdProduct, Fact, FactChange } from '../../../market/market.ts'
import { dimensionOf } from '../../reports/columns.ts'
import { createSubjects, type Subject } from '../../reports/subject.ts'
import {
  addFact,
  differenceOf,
  emptySums,
  type Field,
  figureOf,
  hasOrders,
  hasTraffic,
  type Sums,
  type Window,
  windowNames,
} from '../../reports/sums.ts'
import type { Subscription } from '../subscriptions.ts'
import { recordOf, type StreamRecord } from './record.ts'
import { getOrMake } from '../../../market/get-or-make.ts'

/** What one ad, target and placement did in one hour; or how far that changed. */
interface HourSum extends Sums {
  fact: Fact
  subject: Subject
}

type Grain = 'PLACEMENT' | 'CAMPAIGN'

/**
 * The changes by ad, target, placement and hour: new hours, and corrections, which may be negative. By campaign and hour
 * each has the ids of one of its parts.
 */
function deltasOf(store: Store, changes: readonly FactChange[], grain: Grain): HourSum[] {
  const subjectOf = createSubjects(store)
  const sumUp = (facts: readonly (Fact | null)[]): Map<string, HourSum> => {
    const sums = new Map<string, HourSum>()
    for (const fact of facts) {
      const subject = fact && subjectOf(fact)
      if (!subject) continue
      const part = grain === 'CAMPAIGN' ? fact.campaignId : `${fact.adId}|${fact.targetId}|${fact.placement}`
      const key = `${part}|${fact.at}`
      const sum = getOrMake(sums, key, () => ({ ...emptySums(), fact, subject }))
      addFact(sum, fact, subject)
    }
    return sums
  }
  const before = sumUp(changes.map(change => change.before))
  // What is shown once stays shown, so this has every hour that `before` has.
  const after = [...sumUp(changes.map(change => change.after))]
  return after.flatMap(([key, sum]) => {
    const difference = differenceOf(sum, before.get(key) ?? emptySums())
    return difference ? [{ ...sum, ...difference }] : []
  })
}

/** A dataset of hourly changes: which of them it reports, its names by report column, and its figures. */
interface Performance {
  adProduct: AdProduct
  includes: (delta: HourSum) => boolean
  names: Record<string, string>
  figures: Record<string, Field | ((delta: HourSum) => number)>
  /** Its table names no currency. */
  noCurrency?: true
}

const ids = { campaign_id: 'campaignId', ad_group_id: 'adGroupId', ad_id: 'adId' }
const productsNames = { ...ids, keyword_id: 'keywordId', placement: 'placementClassification' }
const brandNames = {
  ...ids,
  keyword_id: 'keywordId',
  keyword_text: 'keywordText',
  keyword_type: 'keywordType',
  placement_type: 'placementClassification',
}
const displayNames = { ...ids, target_id: 'targetingId' }

const traffic = { clicks: 'clicks', impressions: 'impressions', cost: 'costMicros' } as const

const clickFields = [
  ['conversions', 'clickOrders', 'clickSameOrders'],
  ['sales', 'clickSalesMicros', 'clickSameSalesMicros'],
  ['units_ordered', 'clickUnits', 'clickSameUnits'],
] as const
/** Orders after clicks, by window; only Sponsored Products have units of the same SKU. */
function clickOrders(windows: readonly Window[], ofProducts = false): Performance['figures'] {
  return Object.fromEntries(
    windows.flatMap(window =>
      clickFields.flatMap(([name, all, same]) => {
        const field = `attributed_${name}_${window.slice(1)}d`
        const ofSame = [[`${field}_same_sku`, figureOf(same, window)]]
        return [[field, figureOf(all, window)], ...(name === 'units_ordered' && !ofProducts ? [] : ofSame)]
      }),
    ),
  )
}
/** Orders within 14 days of a click or view (`view_…`), and those of buyers new to the brand. */
const viewOrders = {
  view_attributed_conversions_14d: 'orders',
  view_attributed_sales_14d: 'salesMicros',
  view_attributed_units_ordered_14d: 'units',
  view_attributed_orders_new_to_brand_14d: 'newOrders',
  view_attributed_sales_new_to_brand_14d: 'newSalesMicros',
  view_attributed_units_ordered_new_to_brand_14d: 'newUnits',
  attributed_orders_new_to_brand_14d: 'clickNewOrders',
  attributed_sales_new_to_brand_14d: 'clickNewSalesMicros',
  attributed_units_ordered_new_to_brand_14d: 'clickNewUnits',
} as const

const performances: Readonly<Record<string, Performance>> = {
  'sp-traffic': {
    adProduct: 'SPONSORED_PRODUCTS',
    includes: hasTraffic,
    names: { ...productsNames, keyword_text: 'keywordText', match_type: 'matchType' },
    figures: traffic,
  },
  'sp-conversion': {
    adProduct: 'SPONSORED_PRODUCTS',
    includes: hasOrders,
    names: productsNames,
    figures: clickOrders(windowNames, true),
  },
  'sb-traffic': {
    adProduct: 'SPONSORED_BRANDS',
    includes: hasTraffic,
    names: brandNames,
    figures: { ...traffic, viewable_impressions: 'viewableImpressions' },
  },
  'sb-conversion': {
    adProduct: 'SPONSORED_BRANDS',
    includes: hasOrders,
    names: brandNames,
    figures: { ...clickOrders(['d14']), ...viewOrders },
  },
  'sb-clickstream': {
    adProduct: 'SPONSORED_BRANDS',
    includes: delta => delta.detailPageViews !== 0 || delta.brandedSearches !== 0,
    names: brandNames,
    figures: {
      view_attributed_branded_searches_14d: 'brandedSearches',
      attributed_branded_searches_14d: 'brandedSearches',
      view_attributed_detail_page_views_14d: 'detailPageViews',
      attributed_detail_page_views_14d: 'detailPageViews',
    },
    noCurrency: true,
  },
  'sb-rich-media': {
    adProduct: 'SPONSORED_BRANDS',
    includes: delta => delta.firstQuartileViews !== 0 || delta.fiveSecondViews !== 0,
    names: brandNames,
    figures: {
      video_5_second_views: 'fiveSecondViews',
      video_complete_views: 'completeViews',
      video_first_quartile_views: 'firstQuartileViews',
      video_midpoint_views: 'midpointViews',
      video_third_quartile_views: 'thirdQuartileViews',
      video_unmutes: 'unmutes',
    },
    noCurrency: true,
  },
  'sd-traffic': {
    adProduct: 'SPONSORED_DISPLAY',
    includes: hasTraffic,
    names: { ...displayNames, targeting_text: 'targetingText' },
    figures: {
      ...traffic,
      view_impressions: ({ subject, viewableImpressions }) =>
        subject.campaign.costType === 'VCPM' ? viewableImpressions : 0,
    },
  },
  'sd-conversion': {
    adProduct: 'SPONSORED_DISPLAY',
    includes: hasOrders,
    names: displayNames,
    figures: { ...clickOrders(windowNames), ...viewOrders },
  },
}

function recordsOf(
  dataset: string,
  performance: Performance,
  profile: Profile,
  deltas: readonly HourSum[],
  asOf: Date,
) {
  const names = Object.entries(performance.names)
  const figures = Object.entries(performance.figures).map(
    ([name, figure]) => [name, typeof figure === 'function' ? figure : figureOf(figure)] as const,
  )
  return deltas.filter(performance.includes).map((delta): StreamRecord => {
    const record: StreamRecord = {
      ...recordOf(dataset, profile),
      ...(!performance.noCurrency && { currency: profile.currency }),
      ...Object.fromEntries(names.map(([name, column]) => [name, dimensionOf(delta, column)])),
      time_window_start: new Date(delta.fact.at).toISOString().replace('.000Z', 'Z'),
      ...Object.fromEntries(figures.map(([name, figure]) => [name, figure(delta)])),
    }
    // Equal for the same change of the same hour, however often it is emitted.
    const hash = createHash('sha256').update(`${asOf.toISOString()}${JSON.stringify(record)}`)
    return { idempotency_id: hash.digest('hex').slice(0, 32), ...record }
  })
}

/** A click's orders come within 30 days and are restated up to 28 days after; nothing changes later. */
const MOST_MS_BACK = 60 * 86_400_000
/** What waited longer than this comes as a line for each campaign and hour: weeks by placement are a hundred thousand messages. */
const FINE_MS = 8 * 86_400_000

/** What was emitted at a moment. */
interface Emitted {
  at: Date
  records: StreamRecord[]
}

/**
 * Compares a profile's figures at two hours, or at every so many hours of UTC in between: the records of a subscription for what
 * changed, by the moment at which they are emitted; none when its dataset is of another kind. An ad product's changes are
 * looked up once for all subscriptions that read them.
 */
export function performanceRecords(
  world: World,
  profile: Profile,
  active: readonly Subscription[],
  [from, to]: readonly [Date, Date],
  stepHours?: number,
) {
  const earliest = Math.max(to.getTime() - MOST_MS_BACK, Math.min(...active.map(one => one.since)))
  const grain = to.getTime() - from.getTime() > FINE_MS ? 'CAMPAIGN' : 'PLACEMENT'
  const deltas = new Map<AdProduct, { at: Date; deltas: HourSum[] }[]>()
  return ({ dataSetId, since }: Subscription): Emitted[] => {
    const performance = performances[dataSetId]
    if (!performance) return []
    const { adProduct } = performance
    const steps = getOrMake(deltas, adProduct, () =>
      [...world.market().factChanges(profile.profileId, new Date(earliest), [from, to], adProduct, stepHours)]
        .sort(([a], [b]) => a - b)
        .map(([at, changes]) => ({ at: new Date(at), deltas: deltasOf(world.store, changes, grain) })),
    )
    return steps.map(step => {
      const own = step.deltas.filter(delta => delta.fact.at >= since)
      return { at: step.at, records: recordsOf(dataSetId, performance, profile, own, step.at) }
    })
  }
}
