import { smallestUnitMicros } from '#shared/money.ts'
import type { Profile } from '../../core/model.ts'
import type { Fact } from '../market.ts'
import { type Conversion, WINDOWS_HOURS } from './attribution.ts'
import { mix } from '../chance.ts'
import { dayText, type LocalHour } from '../local-hours.ts'
import { type Ledger, type LedgerLine, type Party, places } from './ledger.ts'

type Windows = Fact['orders']
const windowKeys = ['d1', 'd7', 'd14', 'd30'] as const
const none = (): Windows => ({ d1: 0, d7: 0, d14: 0, d30: 0 })

/** Hours until a line first shows in reports, counted from the end of its hour: 0 to 11. */
const latenessOf = (line: LedgerLine, { seed }: Party): number => mix(seed, line.hour) % 12
/** Hours until its invalid clicks are taken back, counted from its hour: 24 to 72. */
const takenBackAfter = (line: LedgerLine, { seed }: Party): number => 24 + (mix(line.hour, seed) % 49)

const creditedAt = (conversion: Conversion, line: LedgerLine, asOf: number): boolean =>
  asOf >= line.hour + conversion.knownAfter && (conversion.goneAfter === 0 || asOf < line.hour + conversion.goneAfter)

const addTo = (windows: Windows, delayHours: number, amount: number): void => {
  windowKeys.forEach((key, i) => {
    if (delayHours <= (WINDOWS_HOURS[i] as number)) windows[key] += amount
  })
}

interface Credits extends Pick<Fact, 'orders' | 'units' | 'salesMicros' | 'sameSkuShare'> {}

const creditsOf = (conversions: readonly Conversion[]): Credits => {
  const credits: Credits = { orders: none(), units: none(), salesMicros: none(), sameSkuShare: 1 }
  for (const { delayHours, units, salesMicros } of conversions) {
    addTo(credits.orders, delayHours, 1)
    addTo(credits.units, delayHours, units)
    addTo(credits.salesMicros, delayHours, salesMicros)
  }
  if (conversions.length > 0)
    credits.sameSkuShare = conversions.filter(conversion => conversion.sameSku).length / conversions.length
  return credits
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
  for (let row = from; row < to; row++) {
    const line = ledger.line(row)
    const conversions: Conversion[] = []
    for (; ledger.conversions[next]?.row === row; next++) {
      const conversion = ledger.conversions[next] as Conversion
      if (creditedAt(conversion, line, asOf)) conversions.push(conversion)
    }
    const party = ledger.parties[line.party]
    if (!party) throw new Error(`ledger line ${row} belongs to nobody`)
    if (asOf < line.hour + 1 + latenessOf(line, party)) continue
    const clicks = line.clicks + (asOf < line.hour + takenBackAfter(line, party) ? line.invalid : 0)
    const local = localHour(line.hour)
    facts.push({
      profileId: profile.profileId,
      campaignId: party.campaignId,
      adGroupId: party.adGroupId,
      adId: party.adId,
      targetId: party.targetId,
      asin: party.asin,
      searchTerm: party.searchTerm,
      placement: places[line.place] ?? 'PLACEMENT_REST_OF_SEARCH',
      day: dayText(local.day),
      hour: local.hour,
      impressions: line.impressions,
      clicks,
      costMicros: clicks * line.clickPrice * unitMicros,
      ...creditsOf(conversions),
    })
  }
  return facts
}
