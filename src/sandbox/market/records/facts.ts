import { smallestUnitMicros } from '#shared/money.ts'
import type { Profile } from '../../core/model/store.ts'
import { dayText, HOUR_MS, type LocalHour } from '../local-hours.ts'
import type { Fact, FactChange, Purchase } from '../market.ts'
import { getOrMake } from '../get-or-make.ts'
import { fraction, mix } from '../random.ts'
import { type Conversion, type Dimensions, type Ledger, type LedgerLine } from './ledger.ts'
import { placements } from '../../core/model/store.ts'

type Windows = Fact['orders']
type Credits = Pick<Fact, 'orders' | 'units' | 'salesMicros' | 'sameSkuShare' | 'purchases'>

const windowKeys = ['d1', 'd7', 'd14', 'd30'] as const
const windowDays = [1, 7, 14, 30] as const
const noSales = (): Windows => ({ d1: 0, d7: 0, d14: 0, d30: 0 })
/** Share of buyers who had not bought from the brand in the year before. */
const NEW_TO_BRAND = 0.6

// Most lines sold nothing, and share this.
const zero: Windows = Object.freeze(noSales())
const noCredits: Credits = { orders: zero, units: zero, salesMicros: zero, sameSkuShare: 1, purchases: [] }

/** The hour in which a line first shows in reports: 0 to 11 hours after its own hour ended. */
const shownAt = ({ hour }: LedgerLine, { seed }: Dimensions): number => hour + 1 + (mix(seed, hour) % 12)
/** The hour in which its invalid clicks are removed: 24 to 72 hours after it began. */
const invalidRemovedAt = ({ hour }: LedgerLine, { seed }: Dimensions): number => hour + 24 + (mix(hour, seed) % 49)

const isCredited = ({ reportedAfter, removedAfter }: Conversion, { hour }: LedgerLine, asOf: number): boolean =>
  asOf >= hour + reportedAfter && (removedAfter === 0 || asOf < hour + removedAfter)

/** `number` distinguishes the orders of one line, so that the rest of the ledger makes no difference. */
function purchaseOf(conversion: Conversion, line: LedgerLine, { seed, asin }: Dimensions, number: number): Purchase {
  return {
    asin: conversion.other ?? asin,
    within: windowDays.find(days => conversion.delayHours <= days * 24) ?? 30,
    units: conversion.units,
    salesMicros: conversion.salesMicros,
    sameSku: conversion.sameSku === 1,
    newToBrand: fraction(mix(mix(seed ^ 0x51ed270b, line.hour), line.placement * 64 + number)) < NEW_TO_BRAND,
    byView: conversion.byView === 1,
  }
}

/** About seven of ten impressions are viewable, and never fewer than were clicked. */
function viewableOf(line: LedgerLine, { seed }: Dimensions): number {
  return Math.max(
    Math.min(line.impressions, line.clicks + line.invalid),
    Math.floor(line.impressions * (0.6 + 0.2 * fraction(mix(seed ^ 0x2545f491, line.hour)))),
  )
}

function creditsOf(purchases: Purchase[]): Credits {
  if (purchases.length === 0) return noCredits
  const credits = { orders: noSales(), units: noSales(), salesMicros: noSales() }
  for (const { within, units, salesMicros } of purchases)
    windowDays.forEach((days, i) => {
      if (within > days) return
      const key = windowKeys[i] as keyof Windows
      credits.orders[key] += 1
      credits.units[key] += units
      credits.salesMicros[key] += salesMicros
    })
  return { ...credits, purchases, sameSkuShare: purchases.filter(one => one.sameSku).length / purchases.length }
}

interface Entry {
  line: LedgerLine
  dimensions: Dimensions
  conversions: readonly Conversion[]
}
const noConversions: readonly Conversion[] = []

/** Reads the lines of one profile's ledger as reports would show them at a given hour. */
export class LedgerReader {
  private readonly profile: Profile
  private readonly ledger: Ledger
  private readonly localHour: (hourIndex: number) => LocalHour
  private readonly unitMicros: number
  private lastDay = -1
  private lastDayText = ''

  constructor(profile: Profile, ledger: Ledger, localHour: (hourIndex: number) => LocalHour) {
    this.profile = profile
    this.ledger = ledger
    this.localHour = localHour
    this.unitMicros = smallestUnitMicros(profile.currency)
  }

  /**
   * The lines of hours `fromHour` to `toHour` (excluded) as reports would show them at hour `asOf`: without late lines,
   * with or without invalid clicks, and with the conversions reported by then.
   */
  facts(fromHour: number, toHour: number, asOf: number): Fact[] {
    const facts: Fact[] = []
    this.each(fromHour, toHour, entry => {
      const fact = this.factAt(entry, asOf)
      if (fact) facts.push(fact)
    })
    return facts
  }

  /**
   * The lines from hour `fromHour` on that reports changed after hour `before` and up to `after`, in steps that end
   * at multiples of so many hours (one step without a number): by the hour that ends a step, as shown at the end of the
   * step before and of this one.
   */
  changes(fromHour: number, before: number, after: number, step?: number): Map<number, FactChange[]> {
    const changes = new Map<number, FactChange[]>()
    const endOf = (hour: number): number => (step ? Math.min(after, Math.ceil(hour / step) * step) : after)
    this.each(fromHour, after, entry => {
      const hours = changeHours(entry).filter(hour => before < hour && hour <= after)
      if (hours.length === 0) return
      let shown = this.factAt(entry, before)
      for (const end of [...new Set(hours.map(endOf))].sort((a, b) => a - b)) {
        const next = this.factAt(entry, end)
        getOrMake(changes, end, () => []).push({ before: shown, after: next })
        shown = next
      }
    })
    return changes
  }

  private each(fromHour: number, toHour: number, visit: (entry: Entry) => void): void {
    const { ledger } = this
    const to = ledger.rowFrom(toHour)
    const from = ledger.rowFrom(fromHour)
    let next = ledger.conversionFrom(from)
    for (let row = from; row < to; row++) {
      const line = ledger.line(row)
      const dimensions = ledger.dimensions[line.dimensionKey]
      if (!dimensions) throw new Error(`a ledger line of hour ${line.hour} has no dimensions`)
      const first = next
      while (ledger.conversions[next]?.row === row) next++
      visit({ line, dimensions, conversions: next > first ? ledger.conversions.slice(first, next) : noConversions })
    }
  }

  /** Null while reports do not show the line yet. */
  private factAt({ line, dimensions, conversions }: Entry, asOf: number): Fact | null {
    if (asOf < shownAt(line, dimensions)) return null
    const purchases: Purchase[] = []
    for (const [number, conversion] of conversions.entries())
      if (isCredited(conversion, line, asOf)) purchases.push(purchaseOf(conversion, line, dimensions, number))
    const invalidClicks = asOf < invalidRemovedAt(line, dimensions) ? 0 : line.invalid
    const clicks = line.clicks + line.invalid - invalidClicks
    const wonAtTop = line.lostAtTop < 0 || placements[line.placement] !== 'PLACEMENT_TOP' ? 0 : line.impressions
    const local = this.localHour(line.hour)
    if (local.day !== this.lastDay) [this.lastDay, this.lastDayText] = [local.day, dayText(local.day)]
    return {
      profileId: this.profile.profileId,
      campaignId: dimensions.campaignId,
      adGroupId: dimensions.adGroupId,
      adId: dimensions.adId,
      targetId: dimensions.targetId,
      asin: dimensions.asin,
      searchTerm: dimensions.searchTerm,
      placement: placements[line.placement] ?? 'PLACEMENT_REST_OF_SEARCH',
      day: this.lastDayText,
      hour: local.hour,
      at: line.hour * HOUR_MS,
      impressions: line.impressions,
      viewableImpressions: viewableOf(line, dimensions),
      wonAtTop,
      eligibleAtTop: wonAtTop + Math.max(0, line.lostAtTop),
      clicks,
      invalidClicks,
      costMicros: (clicks * line.clickPrice + line.viewCost) * this.unitMicros,
      ...creditsOf(purchases),
    }
  }
}

/** The hours in which reports change a line. */
const changeHours = ({ line, dimensions, conversions }: Entry): number[] => [
  shownAt(line, dimensions),
  ...(line.invalid > 0 ? [invalidRemovedAt(line, dimensions)] : []),
  ...conversions.flatMap(({ reportedAfter, removedAfter }) =>
    [reportedAfter, removedAfter].flatMap(hours => (hours > 0 ? line.hour + hours : [])),
  ),
]
