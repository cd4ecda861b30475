import { fromMicros } from '#shared/money.ts'
import type { Fact, Purchase } from '../../market/market.ts'
import { fraction, hashText, mix } from '../../market/random.ts'
import type { Subject } from './subject.ts'

const windows = { d1: 1, d7: 7, d14: 14, d30: 30 }
export type Window = keyof typeof windows
export const windowNames = Object.keys(windows) as Window[]

// Who ordered: all who clicked or saw an ad, those who clicked, those who bought the advertised SKU itself (and of those
// who clicked), and buyers new to the brand (and of those who clicked).
const buyers = ['', 'click', 'same', 'clickSame', 'new', 'clickNew'] as const
const amounts = ['orders', 'units', 'salesMicros'] as const
type Buyers = (typeof buyers)[number]
type Amount = (typeof amounts)[number]
type OrderField = Amount | `${Exclude<Buyers, ''>}${Capitalize<Amount>}`
type WindowSum = Record<OrderField, number>

const fieldsOf = Object.fromEntries(
  buyers.map(who => [who, amounts.map(name => (who ? who + name[0]?.toUpperCase() + name.slice(1) : name))]),
) as Record<Buyers, [OrderField, OrderField, OrderField]>
const orderFields = Object.values(fieldsOf).flat()

const factFields = [
  'impressions',
  'viewableImpressions',
  'wonAtTop',
  'eligibleAtTop',
  'clicks',
  'invalidClicks',
  'costMicros',
] as const
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
const countFields = [...factFields, ...engagementFields]
type CountField = (typeof countFields)[number]

/** What reports and the stream count, of whatever part of the facts. Every field adds up. */
export interface Sums extends Record<CountField, number> {
  windows: Readonly<Record<Window, Readonly<WindowSum>>>
}
/** The name of one figure of the sums; those of orders are within a window. */
export type Field = CountField | OrderField

const isOrderField = (field: Field): field is OrderField => (orderFields as Field[]).includes(field)

/** Reads a field of sums. Money stays in micros. */
export function readerOf(field: Field, window: Window = 'd14'): (sums: Sums) => number {
  return isOrderField(field) ? sums => sums.windows[window][field] : sums => sums[field]
}

/** Reads a field as it is written: money in the currency's units. */
export function figureOf(field: Field, window?: Window): (sums: Sums) => number {
  const read = readerOf(field, window)
  return field.endsWith('Micros') ? sums => fromMicros(read(sums)) : read
}

/** Whole part of `share` of a count, the rest by a chance that belongs to the fact. */
const shareOf = (count: number, share: number, seed: number, salt: number): number =>
  Math.min(count, Math.floor(count * share + fraction(mix(seed, salt))))

/**
 * What people did besides clicking and buying. Follows from the fact alone, so that it is the same in whatever report the
 * fact is counted, and never grows when clicks are reversed.
 */
function engagementOf(fact: Fact, isVideo: boolean): Record<(typeof engagementFields)[number], number> {
  const seed = hashText(`${fact.adId}${fact.targetId}${fact.searchTerm}${fact.placement}`, Math.floor(fact.at / 3.6e6))
  const { clicks, viewableImpressions } = fact
  const detailPageViews = clicks + shareOf(clicks, 0.3, seed, 1)
  const watched = (share: number): number => (isVideo ? Math.floor(viewableImpressions * share) : 0)
  return {
    detailPageViews,
    newDetailPageViews: shareOf(detailPageViews, 0.7, seed, 3),
    brandedSearches: shareOf(clicks, 0.08, seed, 4),
    addToCart: fact.purchases.length + shareOf(clicks, 0.07, seed, 5),
    fiveSecondViews: watched(0.42),
    firstQuartileViews: watched(0.55),
    midpointViews: watched(0.38),
    thirdQuartileViews: watched(0.27),
    completeViews: watched(0.2),
    unmutes: watched(0.03),
  }
}

const zerosOf = <F extends string>(fields: readonly F[]) =>
  Object.fromEntries(fields.map(field => [field, 0])) as Record<F, number>
const zero = zerosOf(orderFields)
// Most sums never see an order: they share this until they do.
const noOrders: Sums['windows'] = { d1: zero, d7: zero, d14: zero, d30: zero }
const nothing: Sums = { ...zerosOf(countFields), windows: noOrders }

export const emptySums = (): Sums => ({ ...nothing })

function mapWindows(sumOf: (window: Window) => WindowSum): Sums['windows'] {
  return {
    d1: sumOf('d1'),
    d7: sumOf('d7'),
    d14: sumOf('d14'),
    d30: sumOf('d30'),
  }
}

/** Counts orders into every window that is long enough. */
export function addPurchases(sums: Sums, purchases: readonly Purchase[]): void {
  if (purchases.length > 0 && sums.windows === noOrders) sums.windows = mapWindows(() => ({ ...zero }))
  for (const { within, units, salesMicros, sameSku, newToBrand, byView } of purchases)
    for (const window of windowNames) {
      if (within > windows[window]) continue
      const sum: WindowSum = sums.windows[window]
      const add = (who: Buyers): void => {
        const [orders, sold, sales] = fieldsOf[who]
        sum[orders] += 1
        sum[sold] += units
        sum[sales] += salesMicros
      }
      add('')
      if (sameSku) add('same')
      if (newToBrand) add('new')
      if (byView) continue
      add('click')
      if (sameSku) add('clickSame')
      if (newToBrand) add('clickNew')
    }
}

/** Adds a fact. Sponsored Products do not count engagement; elsewhere it follows from how the ad looked. */
export function addFact(sums: Sums, fact: Fact, { adProduct, isVideo }: Subject): void {
  for (const field of factFields) sums[field] += fact[field]
  addPurchases(sums, fact.purchases)
  if (adProduct === 'SPONSORED_PRODUCTS') return
  const engagement = engagementOf(fact, isVideo)
  for (const field of engagementFields) sums[field] += engagement[field]
}

export const hasTraffic = (sums: Sums): boolean => sums.impressions !== 0 || sums.clicks !== 0 || sums.costMicros !== 0

export const hasOrders = ({ windows: counted }: Sums): boolean =>
  counted !== noOrders && windowNames.some(window => orderFields.some(field => counted[window][field] !== 0))

/** `after` less `before`, field by field; null where nothing differs. */
export function differenceOf(after: Sums, before: Sums): Sums | null {
  const difference = { ...after }
  for (const field of countFields) difference[field] -= before[field]
  if (before.windows !== noOrders)
    difference.windows = mapWindows(window => {
      const sum = { ...after.windows[window] }
      for (const field of orderFields) sum[field] -= before.windows[window][field]
      return sum
    })
  const hasChanged = hasOrders(difference) || countFields.some(field => difference[field] !== 0)
  return hasChanged ? difference : null
}
