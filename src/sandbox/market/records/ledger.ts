import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { smallestUnitMicros } from '#shared/money.ts'
import type { Placement } from '../../core/model/store.ts'
import type { Conversion } from './attribution.ts'
import type { LocalHour } from '../local-hours.ts'

/** Whom a line of the ledger belongs to. */
export interface Party {
  campaignId: string
  adGroupId: string
  adId: string
  targetId: string
  asin: string
  searchTerm: string
  /** Its own chance, whoever else is in the ledger. */
  seed: number
}

export interface LedgerLine {
  /** Hours since 1970. */
  hour: number
  party: number
  place: number
  impressions: number
  /** Valid clicks, and clicks that will be taken back. */
  clicks: number
  invalid: number
  /** Price of each click, in the currency's smallest unit. */
  clickPrice: number
  /** What the views cost where they are paid for, in the currency's smallest unit. */
  viewCost: number
  /** Auctions at the top of search that were lost to rivals meanwhile; -1 where nobody counted them. */
  missedAtTop: number
}

/** Placements by their number in the ledger. */
export const places: readonly Placement[] = [
  'PLACEMENT_TOP',
  'PLACEMENT_PRODUCT_PAGE',
  'PLACEMENT_REST_OF_SEARCH',
  'SITE_AMAZON_BUSINESS',
]

const columns = [
  'hour',
  'party',
  'place',
  'impressions',
  'clicks',
  'invalid',
  'clickPrice',
  'viewCost',
  'missedAtTop',
] as const
type Column = (typeof columns)[number]

/** What a profile's ads did: lines in order of their hours, packed so that years of them stay small. */
export class Ledger {
  readonly parties: Party[] = []
  readonly conversions: Conversion[] = []
  length = 0
  private readonly partyNumbers = new Map<string, number>()
  private data: Record<Column, Int32Array> = this.room(1024)

  private room(size: number): Record<Column, Int32Array> {
    return {
      hour: new Int32Array(size),
      party: new Int32Array(size),
      place: new Int32Array(size),
      impressions: new Int32Array(size),
      clicks: new Int32Array(size),
      invalid: new Int32Array(size),
      clickPrice: new Int32Array(size),
      viewCost: new Int32Array(size),
      missedAtTop: new Int32Array(size),
    }
  }

  /** The number of a party, the same for the same ad, target and search. */
  partyNumber(party: Party): number {
    const key = `${party.targetId}|${party.adId}|${party.searchTerm}`
    let number = this.partyNumbers.get(key)
    if (number === undefined) {
      number = this.parties.push(party) - 1
      this.partyNumbers.set(key, number)
    }
    return number
  }

  /** Writes a line and answers its row. Hours never decrease. */
  add(line: LedgerLine): number {
    if (this.length === this.data.hour.length) this.grow()
    // Written out, for a year has a million lines, and columns taken by name are slower.
    const { data, length } = this
    data.hour[length] = line.hour
    data.party[length] = line.party
    data.place[length] = line.place
    data.impressions[length] = line.impressions
    data.clicks[length] = line.clicks
    data.invalid[length] = line.invalid
    data.clickPrice[length] = line.clickPrice
    data.viewCost[length] = line.viewCost
    data.missedAtTop[length] = line.missedAtTop
    return this.length++
  }

  line(row: number): LedgerLine {
    const { hour, party, place, impressions, clicks, invalid, clickPrice, viewCost, missedAtTop } = this.data
    return {
      hour: hour[row] as number,
      party: party[row] as number,
      place: place[row] as number,
      impressions: impressions[row] as number,
      clicks: clicks[row] as number,
      invalid: invalid[row] as number,
      clickPrice: clickPrice[row] as number,
      viewCost: viewCost[row] as number,
      missedAtTop: missedAtTop[row] as number,
    }
  }

  /** First row at or after an hour. */
  rowFrom(hour: number): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.data.hour[middle] as number) < hour) low = middle + 1
      else high = middle
    }
    return low
  }

  /** First conversion of a row or of any after it; conversions are written in order of their rows. */
  conversionFrom(row: number): number {
    let low = 0
    let high = this.conversions.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.conversions[middle] as Conversion).row < row) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Impressions of the hours `fromHour` to `toHour` (excluded) of each search term that is named. */
  impressionsByTerm(terms: ReadonlySet<string>, fromHour: number, toHour: number): Map<string, number> {
    const termOf = this.parties.map(({ searchTerm }) => (terms.has(searchTerm) ? searchTerm : null))
    const sums = new Map<string, number>()
    const to = this.rowFrom(toHour)
    for (let row = this.rowFrom(fromHour); row < to; row++) {
      const term = termOf[this.data.party[row] as number]
      if (term) sums.set(term, (sums.get(term) ?? 0) + (this.data.impressions[row] as number))
    }
    return sums
  }

  /** What a campaign has spent (micros) on the local day of an hour, up to the end of that hour. */
  spentOn(campaignId: string, localHour: (hourIndex: number) => LocalHour, hour: number, currency: string): number {
    const { day } = localHour(hour)
    let spent = 0
    for (let row = this.rowFrom(hour + 1) - 1; row >= 0; row--) {
      const line = this.line(row)
      if (localHour(line.hour).day !== day) break
      if (this.parties[line.party]?.campaignId === campaignId)
        spent += (line.clicks + line.invalid) * line.clickPrice + line.viewCost
    }
    return spent * smallestUnitMicros(currency)
  }

  /** All of it as plain JSON, packed. */
  dump(): LedgerDump {
    const packed = columns.map(column => {
      const used = this.data[column].slice(0, this.length)
      return deflateRawSync(new Uint8Array(used.buffer), { level: 1 }).toString('base64')
    })
    return { length: this.length, parties: this.parties, conversions: this.conversions, packed }
  }

  static from(dump: LedgerDump): Ledger {
    const ledger = new Ledger()
    for (const party of dump.parties) ledger.partyNumber(party)
    ledger.conversions.push(...dump.conversions)
    ledger.length = dump.length
    columns.forEach((column, i) => {
      const packed = dump.packed[i]
      // A ledger written before a column existed has nothing in it.
      if (packed === undefined) {
        ledger.data[column] = new Int32Array(dump.length).fill(column === 'missedAtTop' ? -1 : 0)
        return
      }
      const bytes = inflateRawSync(Buffer.from(packed, 'base64'))
      ledger.data[column] = new Int32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
    })
    return ledger
  }

  private grow(): void {
    const wider = this.room(this.data.hour.length * 2 || 1024)
    for (const column of columns) wider[column].set(this.data[column])
    this.data = wider
  }
}

export interface LedgerDump {
  length: number
  parties: Party[]
  conversions: Conversion[]
  packed: string[]
}
