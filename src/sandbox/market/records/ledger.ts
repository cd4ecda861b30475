import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { smallestUnitMicros } from '#shared/money.ts'
import type { LocalHour } from '../local-hours.ts'
import type { AdProduct } from '../market.ts'

/** A profile's id for its Sponsored Products, and with the ad product appended for others. */
export type LedgerKey = number | `${number}|${AdProduct}`
export const ledgerKey = (profileId: number, adProduct: AdProduct): LedgerKey =>
  adProduct === 'SPONSORED_PRODUCTS' ? profileId : `${profileId}|${adProduct}`

export interface Dimensions {
  campaignId: string
  adGroupId: string
  adId: string
  targetId: string
  asin: string
  searchTerm: string
  /** A seed of its own, so that its chances do not depend on the rest of the ledger. */
  seed: number
}

const columns = [
  /** Hours since 1970. */
  'hour',
  'dimensionKey',
  /** Index into `placements`. */
  'placement',
  'impressions',
  /** Valid clicks, and clicks that will be found invalid. */
  'clicks',
  'invalid',
  /** Price of each click, and what the views cost where they are paid for, in the currency's smallest unit. */
  'clickPrice',
  'viewCost',
  /** Auctions at the top of search lost to rivals in that hour; -1 where they were not counted. */
  'lostAtTop',
] as const
export type LedgerLine = Record<(typeof columns)[number], number>
/** One order that followed a click, and when the marketplace reported it. Hours count from the click. */
export interface Conversion {
  /** Row of the ledger that holds the click. */
  row: number
  delayHours: number
  /** From when reports include it, and from when no longer (0: it stays). */
  reportedAfter: number
  removedAfter: number
  units: number
  salesMicros: number
  sameSku: 0 | 1
  /** The product bought, where that was not the advertised one. */
  other?: string
  /** The buyer saw the ad and did not click it. */
  byView?: 1
}

type Columns = Record<keyof LedgerLine, Int32Array>

export interface LedgerDump {
  length: number
  dimensions: Dimensions[]
  conversions: Conversion[]
  packed: string[]
}

/** What a profile's ads did: lines in order of their hours, packed so that years of them stay small. */
export class Ledger {
  readonly dimensions: Dimensions[] = []
  readonly conversions: Conversion[] = []
  length = 0
  private readonly dimensionKeys = new Map<string, number>()
  private data = allocate(1024)

  /** The key of these dimensions: the same for the same ad, target and query. */
  dimensionKeyOf(dimensions: Dimensions): number {
    const id = `${dimensions.targetId}|${dimensions.adId}|${dimensions.searchTerm}`
    let key = this.dimensionKeys.get(id)
    if (key === undefined) {
      key = this.dimensions.push(dimensions) - 1
      this.dimensionKeys.set(id, key)
    }
    return key
  }

  /** Writes a line and returns its row. Hours never decrease. */
  add(line: LedgerLine): number {
    if (this.length === this.data.hour.length) this.grow()
    // Spelled out, because a year has a million lines and access by column name is slower.
    const { data, length } = this
    data.hour[length] = line.hour
    data.dimensionKey[length] = line.dimensionKey
    data.placement[length] = line.placement
    data.impressions[length] = line.impressions
    data.clicks[length] = line.clicks
    data.invalid[length] = line.invalid
    data.clickPrice[length] = line.clickPrice
    data.viewCost[length] = line.viewCost
    data.lostAtTop[length] = line.lostAtTop
    return this.length++
  }

  line(row: number): LedgerLine {
    const { hour, dimensionKey, placement, impressions, clicks, invalid, clickPrice, viewCost, lostAtTop } = this.data
    return {
      hour: hour[row] as number,
      dimensionKey: dimensionKey[row] as number,
      placement: placement[row] as number,
      impressions: impressions[row] as number,
      clicks: clicks[row] as number,
      invalid: invalid[row] as number,
      clickPrice: clickPrice[row] as number,
      viewCost: viewCost[row] as number,
      lostAtTop: lostAtTop[row] as number,
    }
  }

  rowFrom(hour: number): number {
    return firstIndex(this.length, row => (this.data.hour[row] as number) >= hour)
  }

  /** First conversion of a row or of any after it. Conversions are written in order of their rows. */
  conversionFrom(row: number): number {
    return firstIndex(this.conversions.length, index => (this.conversions[index] as Conversion).row >= row)
  }

  /** Impressions of each of the search terms in the hours `fromHour` to `toHour` (excluded). */
  impressionsByTerm(terms: ReadonlySet<string>, fromHour: number, toHour: number): Map<string, number> {
    const termOf = this.dimensions.map(({ searchTerm }) => (terms.has(searchTerm) ? searchTerm : null))
    const sums = new Map<string, number>()
    const to = this.rowFrom(toHour)
    for (let row = this.rowFrom(fromHour); row < to; row++) {
      const term = termOf[this.data.dimensionKey[row] as number]
      if (term) sums.set(term, (sums.get(term) ?? 0) + (this.data.impressions[row] as number))
    }
    return sums
  }

  /** What a campaign has spent (micros) on the local day of an hour, until that hour began. */
  spentOn(campaignId: string, localHour: (hourIndex: number) => LocalHour, hour: number, currency: string): number {
    const { day } = localHour(hour)
    let spent = 0
    for (let row = this.rowFrom(hour) - 1; row >= 0; row--) {
      const line = this.line(row)
      if (localHour(line.hour).day !== day) break
      if (this.dimensions[line.dimensionKey]?.campaignId === campaignId)
        spent += (line.clicks + line.invalid) * line.clickPrice + line.viewCost
    }
    return spent * smallestUnitMicros(currency)
  }

  /** What campaigns have spent together (micros) in the hours `fromHour` to `toHour` (excluded). */
  costOf(campaignIds: ReadonlySet<string>, fromHour: number, toHour: number, currency: string): number {
    const isInside = this.dimensions.map(({ campaignId }) => campaignIds.has(campaignId))
    let cost = 0
    const to = this.rowFrom(toHour)
    for (let row = this.rowFrom(fromHour); row < to; row++) {
      if (!isInside[this.data.dimensionKey[row] as number]) continue
      const { clicks, invalid, clickPrice, viewCost } = this.line(row)
      cost += (clicks + invalid) * clickPrice + viewCost
    }
    return cost * smallestUnitMicros(currency)
  }

  dump(): LedgerDump {
    const packed = columns.map(column => {
      const used = this.data[column].slice(0, this.length)
      return deflateRawSync(new Uint8Array(used.buffer), { level: 1 }).toString('base64')
    })
    return { length: this.length, dimensions: this.dimensions, conversions: this.conversions, packed }
  }

  static from(dump: LedgerDump): Ledger {
    const ledger = new Ledger()
    for (const dimensions of dump.dimensions) ledger.dimensionKeyOf(dimensions)
    ledger.conversions.push(...dump.conversions)
    ledger.length = dump.length
    columns.forEach((column, i) => {
      const packed = dump.packed[i]
      // A ledger written before a column existed has no values for it.
      if (packed === undefined) {
        ledger.data[column] = new Int32Array(dump.length).fill(column === 'lostAtTop' ? -1 : 0)
        return
      }
      const bytes = inflateRawSync(Buffer.from(packed, 'base64'))
      ledger.data[column] = new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
    })
    return ledger
  }

  private grow(): void {
    const wider = allocate(this.data.hour.length * 2 || 1024)
    for (const column of columns) wider[column].set(this.data[column])
    this.data = wider
  }
}

const allocate = (size: number): Columns =>
  Object.fromEntries(columns.map(column => [column, new Int32Array(size)])) as Columns

/** The first of `length` ordered positions for which the condition holds, found by bisection. */
function firstIndex(length: number, isReached: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isReached(middle)) high = middle
    else low = middle + 1
  }
  return low
}
