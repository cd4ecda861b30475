import type { Fact, Purchase } from '../../../market/market.ts'
import { fraction, hashText, mix } from '../../../market/random.ts'

const engagementFields = [
  'detailPageViews',
  'newDetailPageViews',
  'brandedSearches',
  'addToCart',
  'fiveSecondViews',
  'firstQuartileViews',
  'midpointViews',
  'thirdQuartileViews',
  'completeViews',
  'unmutes',
] as const

/** What people did besides clicking and buying, as reports of Sponsored Brands and Display have it. */
type Engagement = Record<(typeof engagementFields)[number], number>

/** Whole part of `share` of a count, the rest by a chance that belongs to the fact. */
const shareOf = (count: number, share: number, seed: number, salt: number): number =>
  Math.min(count, Math.floor(count * share + fraction(mix(seed, salt))))

/**
 * Follows from the fact alone, so that it is the same in whatever report the fact is counted, and never grows when
 * clicks are reversed.
 */
function engagementOf(fact: Fact, video: boolean): Engagement {
  const seed = hashText(`${fact.adId}${fact.targetId}${fact.searchTerm}${fact.placement}`, Math.floor(fact.at / 3.6e6))
  const { clicks, viewableImpressions } = fact
  const orders = fact.purchases.length
  const detailPageViews = clicks + shareOf(clicks, 0.3, seed, 1)
  const watched = (share: number): number => (video ? Math.floor(viewableImpressions * share) : 0)
  return {
    detailPageViews,
    newDetailPageViews: shareOf(detailPageViews, 0.7, seed, 3),
    brandedSearches: clicks === 0 ? 0 : shareOf(clicks, 0.08, seed, 4),
    addToCart: orders + (clicks === 0 ? 0 : shareOf(clicks, 0.07, seed, 5)),
    fiveSecondViews: watched(0.42),
    firstQuartileViews: watched(0.55),
    midpointViews: watched(0.38),
    thirdQuartileViews: watched(0.27),
    completeViews: watched(0.2),
    unmutes: watched(0.03),
  }
}

export type Window = 'd1' | 'd7' | 'd14' | 'd30'
export const windows: readonly Window[] = ['d1', 'd7', 'd14', 'd30']
const daysOf: Record<Window, number> = { d1: 1, d7: 7, d14: 14, d30: 30 }

/**
 * Orders, units and sales of those who clicked or saw an ad: all, those who clicked, the advertised SKU itself (and of
 * those who clicked), and those of buyers new to the brand (and of those who clicked).
 */
export const orderFields = [
  'orders',
  'units',
  'salesMicros',
  'clickOrders',
  'clickUnits',
  'clickSalesMicros',
  'sameOrders',
  'sameUnits',
  'sameSalesMicros',
  'clickSameOrders',
  'clickSameUnits',
  'clickSameSalesMicros',
  'newOrders',
  'newUnits',
  'newSalesMicros',
  'clickNewOrders',
  'clickNewUnits',
  'clickNewSalesMicros',
] as const
export type WindowSum = Record<(typeof orderFields)[number], number>

export const countFields = [
  'impressions',
  'viewableImpressions',
  'wonAtTop',
  'eligibleAtTop',
  'clicks',
  'invalidClicks',
  'costMicros',
  ...engagementFields,
] as const

/** What reports and the stream count, of whatever part of the facts. Every field adds up. */
export interface Sums extends Engagement {
  impressions: number
  viewableImpressions: number
  wonAtTop: number
  eligibleAtTop: number
  clicks: number
  invalidClicks: number
  costMicros: number
  windows: Readonly<Record<Window, Readonly<WindowSum>>>
}

const zero = Object.fromEntries(orderFields.map(field => [field, 0])) as WindowSum
// Most sums never see an order: they share this until they do.
const noOrders: Sums['windows'] = { d1: zero, d7: zero, d14: zero, d30: zero }
const noCounts = Object.fromEntries(countFields.map(field => [field, 0])) as Omit<Sums, 'windows'>

/** Nothing counted yet. */
export const emptySums = (): Sums => ({ ...noCounts, windows: noOrders })

const kinds = ['orders', 'units', 'salesMicros'] as const
type Kind = '' | 'click' | 'same' | 'clickSame' | 'new' | 'clickNew'
const fieldsOf = (kind: Kind): (keyof WindowSum)[] =>
  kinds.map(name => (kind ? kind + name[0]?.toUpperCase() + name.slice(1) : name) as keyof WindowSum)
const kindFields = new Map<Kind, (keyof WindowSum)[]>(
  (['', 'click', 'same', 'clickSame', 'new', 'clickNew'] as const).map(kind => [kind, fieldsOf(kind)]),
)

function addPurchase(sum: WindowSum, { units, salesMicros, sameSku, newToBrand, byView }: Purchase): void {
  const add = (kind: Kind): void => {
    const [orders, sold, sales] = kindFields.get(kind) as [keyof WindowSum, keyof WindowSum, keyof WindowSum]
    sum[orders] += 1
    sum[sold] += units
    sum[sales] += salesMicros
  }
  add('')
  if (sameSku) add('same')
  if (newToBrand) add('new')
  if (byView) return
  add('click')
  if (sameSku) add('clickSame')
  if (newToBrand) add('clickNew')
}

/** Counts orders into every window that is long enough. */
export function addPurchases(sums: Sums, purchases: readonly Purchase[]): void {
  if (purchases.length === 0) return
  if (sums.windows === noOrders) sums.windows = { d1: { ...zero }, d7: { ...zero }, d14: { ...zero }, d30: { ...zero } }
  for (const purchase of purchases)
    for (const window of windows) if (purchase.within <= daysOf[window]) addPurchase(sums.windows[window], purchase)
}

/** Adds a fact. `shown` is how the ad looked, from which the engagement follows; null: engagement is not counted. */
export function addFact(sums: Sums, fact: Fact, shown: { video: boolean } | null): void {
  sums.impressions += fact.impressions
  sums.viewableImpressions += fact.viewableImpressions
  sums.wonAtTop += fact.wonAtTop
  sums.eligibleAtTop += fact.eligibleAtTop
  sums.clicks += fact.clicks
  sums.invalidClicks += fact.invalidClicks
  sums.costMicros += fact.costMicros
  addPurchases(sums, fact.purchases)
  if (!shown) return
  const engagement = engagementOf(fact, shown.video)
  for (const field of engagementFields) sums[field] += engagement[field]
}

/** Whether anything is counted at all. */
export function isNothing(sums: Sums): boolean {
  return (
    countFields.every(field => sums[field] === 0) &&
    (sums.windows === noOrders ||
      windows.every(window => orderFields.every(field => sums.windows[window][field] === 0)))
  )
}

function windowsLess(to: Sums['windows'], from: Sums['windows']): Sums['windows'] {
  if (from === noOrders) return to
  const less = (window: Window): WindowSum => {
    const sum = { ...to[window] }
    for (const field of orderFields) sum[field] -= from[window][field]
    return sum
  }
  return { d1: less('d1'), d7: less('d7'), d14: less('d14'), d30: less('d30') }
}

/** `after` less `before`, field by field. */
export function differenceOf(after: Sums, before: Sums): Sums {
  const difference = { ...after, windows: windowsLess(after.windows, before.windows) }
  for (const field of countFields) difference[field] -= before[field]
  return difference
}
