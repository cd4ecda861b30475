import { smallestUnitMicros } from '#shared/money.ts'
import type { Profile } from '../../core/model.ts'
import type { Fact, Purchase } from '../market.ts'
import { type Conversion, WINDOWS_HOURS } from './attribution.ts'
import { fraction, mix } from '../chance.ts'
import { dayText, HOUR_MS, type LocalHour } from '../local-hours.ts'
import { type Ledger, type LedgerLine, type Party, places } from './ledger.ts'

type Windows = Fact['orders']
const windowKeys = ['d1', 'd7', 'd14', 'd30'] as const
const windowDays = [1, 7, 14, 30] as const
const none = (): Windows => ({ d1: 0, d7: 0, d14: 0, d30: 0 })

/** Hours until a line first shows in reports, counted from the end of its hour: 0 to 11. */
const latenessOf = (line: LedgerLine, { seed }: Party): number => mix(seed, line.hour) % 12
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
})

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

/**
 * The lines of hours `fromHour` to `toHour` (excluded) as reports would show them at hour `asOf`: late lines missing,
 * invalid clicks in or out, conversions known by then, each within its window.
 */
export const factsOf = (
  profile: Profile,
  ledger: Ledger,
  localHour: (hourIndex: number) => LocalHour,
  fromHour: number,
  toHour: number,
  asOf: number,
): Fact[] => {
  const facts: Fact[] = []
  const unitMicros = smallestUnitMicros(profile.currency)
  const from = ledger.rowFrom(fromHour)
  const to = ledger.rowFrom(toHour)
  let next = ledger.conversionFrom(from)
  let [dayOfText, text] = [-1, '']
  for (let row = from; row < to; row++) {
    const line = ledger.line(row)
    const party = ledger.parties[line.party]
    if (!party) throw new Error(`ledger line ${row} belongs to nobody`)
    const purchases: Purchase[] = []
    for (let number = 0; ledger.conversions[next]?.row === row; next++, number++) {
      const conversion = ledger.conversions[next] as Conversion
      if (creditedAt(conversion, line, asOf)) purchases.push(purchaseOf(conversion, line, party, number))
    }
    if (asOf < line.hour + 1 + latenessOf(line, party)) continue
    const invalidClicks = asOf < line.hour + takenBackAfter(line, party) ? 0 : line.invalid
    const clicks = line.clicks + line.invalid - invalidClicks
    const local = localHour(line.hour)
    if (local.day !== dayOfText) [dayOfText, text] = [local.day, dayText(local.day)]
    facts.push({
      profileId: profile.profileId,
      campaignId: party.campaignId,
      adGroupId: party.adGroupId,
      adId: party.adId,
      targetId: party.targetId,
      asin: party.asin,
      searchTerm: party.searchTerm,
      placement: places[line.place] ?? 'PLACEMENT_REST_OF_SEARCH',
      day: text,
      hour: local.hour,
      at: line.hour * HOUR_MS,
      impressions: line.impressions,
      clicks,
      invalidClicks,
      costMicros: clicks * line.clickPrice * unitMicros,
      ...creditsOf(purchases),
    })
  }
  return facts
}
