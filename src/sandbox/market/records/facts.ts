import { smallestUnitMicros } from '#shared/money.ts'
import type { Profile } from '../../core/model/store.ts'
import type { Fact, FactChange, Purchase } from '../market.ts'
import { type Conversion, WINDOWS_HOURS } from './attribution.ts'
import { fraction, mix } from '../random.ts'
import { dayText, HOUR_MS, type LocalHour } from '../local-hours.ts'
import { type Ledger, type LedgerLine, type Party, places } from './ledger.ts'

type Windows = Fact['orders']
const windowKeys = ['d1', 'd7', 'd14', 'd30'] as const
const windowDays = [1, 7, 14, 30] as const
const none = (): Windows => ({ d1: 0, d7: 0, d14: 0, d30: 0 })

/** Hours until a line first shows in reports, counted from the end of its hour: 0 to 11. */
const latenessOf = (line: LedgerLine, { seed }: Party): number => mix(seed, line.hour) % 12
const shownAt = (line: LedgerLine, party: Party): number => line.hour + 1 + latenessOf(line, party)
/** Hours until its invalid clicks are taken back, counted from its hour: 24 to 72. */
const takenBackAfter = (line: LedgerLine, { seed }: Party): number => 24 + (mix(line.hour, seed) % 49)

const creditedAt = (conversion: Conversion, line: LedgerLine, asOf: number): boolean =>
  asOf >= line.hour + conversion.knownAfter && (conversion.goneAfter === 0 || asOf < line.hour + conversion.goneAfter)

const addTo = (windows: Windows, within: Purchase['within'], amount: number): void => {
  windowDays.forEach((days, i) => {
    if (within <= days) windows[windowKeys[i] as keyof Windows] += amount
  })
}

const withinOf = (delayHours: number): Purchase['within'] =>
  windowDays.find((_, i) => delayHours <= (WINDOWS_HOURS[i] as number)) ?? 30

/** About six of ten buyers had not bought of the brand in the year before. */
const NEW_TO_BRAND = 0.6

/** `number` tells the orders of one line apart; whoever else is in the ledger makes no difference. */
const purchaseOf = (conversion: Conversion, line: LedgerLine, { seed, asin }: Party, number: number): Purchase => ({
  asin: conversion.other ?? asin,
  within: withinOf(conversion.delayHours),
  units: conversion.units,
  salesMicros: conversion.salesMicros,
  sameSku: conversion.sameSku === 1,
  newToBrand: fraction(mix(mix(seed ^ 0x51ed270b, line.hour), line.place * 64 + number)) < NEW_TO_BRAND,
  byView: conversion.byView === 1,
})

/** About seven of ten impressions are seen; never fewer than were clicked. */
const viewableOf = (line: LedgerLine, { seed }: Party): number =>
  Math.max(
    Math.min(line.impressions, line.clicks + line.invalid),
    Math.floor(line.impressions * (0.6 + 0.2 * fraction(mix(seed ^ 0x2545f491, line.hour)))),
  )

interface Credits extends Pick<Fact, 'orders' | 'units' | 'salesMicros' | 'sameSkuShare' | 'purchases'> {}

const nobody: Windows = Object.freeze(none())
// Most lines sold nothing, and share this.
const nothing: Credits = { orders: nobody, units: nobody, salesMicros: nobody, sameSkuShare: 1, purchases: [] }

const creditsOf = (purchases: Purchase[]): Credits => {
  if (purchases.length === 0) return nothing
  const credits = { orders: none(), units: none(), salesMicros: none() }
  for (const { within, units, salesMicros } of purchases) {
    addTo(credits.orders, within, 1)
    addTo(credits.units, within, units)
    addTo(credits.salesMicros, within, salesMicros)
  }
  return { ...credits, purchases, sameSkuShare: purchases.filter(one => one.sameSku).length / purchases.length }
}

/** Reads the lines of one profile's ledger as reports would show them at some hour. */
class Reading {
  private readonly profile: Profile
  private readonly ledger: Ledger
  private readonly localHour: (hourIndex: number) => LocalHour
  private readonly unitMicros: number
  private dayOfText = -1
  private text = ''

  constructor(profile: Profile, ledger: Ledger, localHour: (hourIndex: number) => LocalHour) {
    this.profile = profile
    this.ledger = ledger
    this.localHour = localHour
    this.unitMicros = smallestUnitMicros(profile.currency)
  }

  /** Goes through the rows of hours `fromHour` to `toHour` (excluded), each with the number of its first conversion. */
  each(fromHour: number, toHour: number, visit: (line: LedgerLine, row: number, conversion: number) => void): void {
    const to = this.ledger.rowFrom(toHour)
    const from = this.ledger.rowFrom(fromHour)
    let next = this.ledger.conversionFrom(from)
    for (let row = from; row < to; row++) {
      visit(this.ledger.line(row), row, next)
      while (this.ledger.conversions[next]?.row === row) next++
    }
  }

  partyOf(line: LedgerLine): Party {
    const party = this.ledger.parties[line.party]
    if (!party) throw new Error(`a ledger line of hour ${line.hour} belongs to nobody`)
    return party
  }

  /** Null while the line is not shown yet. */
  factAt(line: LedgerLine, row: number, firstConversion: number, asOf: number): Fact | null {
    const party = this.partyOf(line)
    if (asOf < shownAt(line, party)) return null
    const purchases: Purchase[] = []
    const { conversions } = this.ledger
    for (let i = firstConversion; conversions[i]?.row === row; i++) {
      const conversion = conversions[i] as Conversion
      if (creditedAt(conversion, line, asOf)) purchases.push(purchaseOf(conversion, line, party, i - firstConversion))
    }
    const invalidClicks = asOf < line.hour + takenBackAfter(line, party) ? 0 : line.invalid
    const clicks = line.clicks + line.invalid - invalidClicks
    const wonAtTop = line.missedAtTop < 0 || places[line.place] !== 'PLACEMENT_TOP' ? 0 : line.impressions
    const local = this.localHour(line.hour)
    if (local.day !== this.dayOfText) [this.dayOfText, this.text] = [local.day, dayText(local.day)]
    return {
      profileId: this.profile.profileId,
      campaignId: party.campaignId,
      adGroupId: party.adGroupId,
      adId: party.adId,
      targetId: party.targetId,
      asin: party.asin,
      searchTerm: party.searchTerm,
      placement: places[line.place] ?? 'PLACEMENT_REST_OF_SEARCH',
      day: this.text,
      hour: local.hour,
      at: line.hour * HOUR_MS,
      impressions: line.impressions,
      viewableImpressions: viewableOf(line, party),
      wonAtTop,
      eligibleAtTop: wonAtTop + Math.max(0, line.missedAtTop),
      clicks,
      invalidClicks,
      costMicros: (clicks * line.clickPrice + line.viewCost) * this.unitMicros,
      ...creditsOf(purchases),
    }
  }

  /** Whether anything of the line was learnt after hour `before` and up to `after`. */
  changed(line: LedgerLine, row: number, firstConversion: number, before: number, after: number): boolean {
    const party = this.partyOf(line)
    const within = (hour: number): boolean => before < hour && hour <= after
    if (within(shownAt(line, party))) return true
    if (line.invalid > 0 && within(line.hour + takenBackAfter(line, party))) return true
    const { conversions } = this.ledger
    for (let i = firstConversion; conversions[i]?.row === row; i++) {
      const conversion = conversions[i] as Conversion
      if (creditedAt(conversion, line, before) !== creditedAt(conversion, line, after)) return true
    }
    return false
  }
}

type ReadingOf = ConstructorParameters<typeof Reading>

/**
 * The lines of hours `fromHour` to `toHour` (excluded) as reports would show them at hour `asOf`: late lines missing,
 * invalid clicks in or out, conversions known by then, each within its window.
 */
export const factsOf = (of: ReadingOf, fromHour: number, toHour: number, asOf: number): Fact[] => {
  const reading = new Reading(...of)
  const facts: Fact[] = []
  reading.each(fromHour, toHour, (line, row, conversion) => {
    const fact = reading.factAt(line, row, conversion, asOf)
    if (fact) facts.push(fact)
  })
  return facts
}

/** The lines of the hours of which something was learnt after hour `before` and up to `after`, as they stood at both. */
export const factChangesOf = (
  of: ReadingOf,
  [fromHour, toHour]: readonly [number, number],
  before: number,
  after: number,
): FactChange[] => {
  const reading = new Reading(...of)
  const changes: FactChange[] = []
  reading.each(fromHour, toHour, (line, row, conversion) => {
    if (!reading.changed(line, row, conversion, before, after)) return
    changes.push({
      before: reading.factAt(line, row, conversion, before),
      after: reading.factAt(line, row, conversion, after),
    })
  })
  return changes
}
