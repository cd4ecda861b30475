import { smallestUnitMicros } from '#shared/money.ts'
import { createDice, type Dice, fraction, mix, poisson, roundByChance } from '../random.ts'
import type { AdProduct } from '../market.ts'
import { timesOfConversion } from '../records/attribution.ts'
import { type Ledger, places } from '../records/ledger.ts'
import type { Good } from '../queries/listing.ts'
import { type Slot, VIEWABLE } from './auction.ts'
import type { Lane } from './candidates.ts'
import type { PackedCampaign } from './packed-campaign.ts'
import type { Shop } from './shop.ts'
import { inStock, takeFromStock } from './stock.ts'
import { unitsOfOrder } from './sales.ts'

/** How many impressions a wave of shoppers brings: figures come in lumps, so that quiet hours cost no line. */
export const WAVE = 40
const INVALID_CLICKS = 0.02
/** Part of the orders that are for the advertised product itself: a banner shows a brand. */
const sameSku: Record<AdProduct, number> = {
  SPONSORED_PRODUCTS: 0.88,
  SPONSORED_BRANDS: 0.6,
  SPONSORED_DISPLAY: 0.82,
}
/** How much a view does of what a click does, where views are paid for. */
const BY_VIEW = 0.004

interface Meeting {
  shop: Shop
  packed: PackedCampaign
  lane: Lane
  ledger: Ledger
  hour: number
  dice: Dice
  unit: number
  missedAtTop: number
}

const sell = ({ shop, packed, lane, ledger, hour, dice }: Meeting, row: number, byView = false): void => {
  const same = shop.goods.length < 2 || dice() < sameSku[packed.adProduct]
  const other = shop.goods[Math.floor(dice() * shop.goods.length)] as Good
  const good = same || !inStock(shop, other, hour) ? lane.good : other
  const units = unitsOfOrder(dice)
  const times = timesOfConversion(dice)
  const salesMicros = units * good.product.priceMicros
  const bought = good === lane.good ? ({ sameSku: 1 } as const) : { sameSku: 0 as const, other: good.product.asin }
  ledger.conversions.push({ row, ...times, units, salesMicros, ...bought, ...(byView && { byView: 1 as const }) })
  const ordered = hour + times.delayHours
  shop.trade.add(good.key, ordered, shop.localHour(ordered).day, [1, units, salesMicros, 0, 0])
  takeFromStock(shop, good, units, hour)
}

const partyOf = ({ packed, lane, ledger }: Meeting, index: number): number => {
  let party = packed.parties[index] as number
  if (party >= 0) return party
  const { adGroupId, adId, targetId, term, good, seed } = lane
  const { campaignId } = packed
  const { asin } = good.product
  party = ledger.partyNumber({ campaignId, adGroupId, adId, targetId, asin, searchTerm: term.text, seed })
  packed.parties[index] = party
  return party
}

interface Visit {
  slot: Slot
  impressions: number
}

const visitsOf = (slots: readonly Slot[], rate: number, mean: number, dice: Dice): Visit[] => {
  if (mean >= WAVE) return slots.map(slot => ({ slot, impressions: poisson((mean * slot.impressions) / rate, dice) }))
  let roll = dice() * rate
  const slot = slots.find(candidate => (roll -= candidate.impressions) < 0) ?? (slots[0] as Slot)
  return [{ slot, impressions: 1 + poisson(WAVE - 1, dice) }]
}

const MOST_COUNTED = 2 ** 31 - 1
/** Rounded by a chance of its own, so that nothing else of the hour depends on it. */
const countMissed = ({ missedAtTop, lane, hour }: Meeting, impressions: number): number =>
  Math.min(MOST_COUNTED, Math.floor(impressions * missedAtTop + fraction(mix(lane.seed ^ 0x1b873593, hour))))

interface Outcome {
  spent: number
  /** Whether money was short. */
  short: boolean
}

/** Clicks that are paid for one by one. */
const payClicks = (meeting: Meeting, { slot, impressions }: Visit, party: number, left: number): Outcome => {
  const { shop, lane, ledger, hour, dice, unit } = meeting
  const most = Math.max(1, Math.floor(slot.capMicros / unit))
  const clickPrice = Math.max(1, Math.min(most, roundByChance((slot.costMicros * (0.85 + 0.3 * dice())) / unit, dice)))
  const wanted = Math.min(impressions, poisson(impressions * slot.clickRate, dice))
  const clicks = Math.min(wanted, Math.floor(left / (clickPrice * unit)))
  let invalid = 0
  for (let i = 0; i < clicks; i++) if (dice() < INVALID_CLICKS) invalid++
  const valid = clicks - invalid
  const place = places.indexOf(slot.placement)
  const missedAtTop = countMissed(meeting, impressions)
  const row = ledger.add({
    hour,
    party,
    place,
    impressions,
    clicks: valid,
    invalid,
    clickPrice,
    viewCost: 0,
    missedAtTop,
  })
  for (let i = 0; i < valid; i++) if (dice() < slot.conversion) sell(meeting, row)
  visit(shop, lane, hour, valid, dice)
  return { spent: clicks * clickPrice * unit, short: clicks < wanted }
}

/** Views that are paid for by the thousand; clicks come with them for nothing. */
const payViews = (meeting: Meeting, { slot, impressions }: Visit, party: number, left: number): Outcome => {
  const { shop, lane, ledger, hour, dice, unit } = meeting
  const price = (slot.viewMicros * VIEWABLE) / 1000 / unit
  const shown = Math.min(impressions, Math.floor(left / unit / price))
  const viewCost = Math.min(Math.floor(left / unit), roundByChance(shown * price, dice))
  const clicks = Math.min(shown, poisson(shown * slot.clickRate, dice))
  const place = places.indexOf(slot.placement)
  const missedAtTop = countMissed(meeting, shown)
  const line = { hour, party, place, impressions: shown, clicks, invalid: 0, clickPrice: 0, viewCost, missedAtTop }
  const row = ledger.add(line)
  for (let i = 0; i < clicks; i++) if (dice() < slot.conversion) sell(meeting, row)
  const byView = poisson(shown * BY_VIEW * slot.conversion, dice)
  for (let i = 0; i < byView; i++) sell(meeting, row, true)
  visit(shop, lane, hour, clicks, dice)
  return { spent: viewCost * unit, short: shown < impressions }
}

const visit = (shop: Shop, lane: Lane, hour: number, clicks: number, dice: Dice): void => {
  if (clicks === 0) return
  const pageViews = clicks + roundByChance(clicks * 0.3, dice)
  shop.trade.add(lane.good.key, hour, shop.localHour(hour).day, [0, 0, 0, clicks, pageViews])
}

/** Lets one lane meet its shoppers of an hour. */
export const meet = (
  shop: Shop,
  packed: PackedCampaign,
  { index, hour, mean, left }: { index: number; hour: number; mean: number; left: number },
): Outcome => {
  const lane = packed.laneAt(index)
  const dice = createDice(mix(lane.seed ^ 0x3c6ef372, hour))
  const ledger = shop.ledgerOf(packed.adProduct)
  const { slots, missedAtTop } = packed.placesAt(index)
  const unit = smallestUnitMicros(shop.currency)
  const meeting: Meeting = { shop, packed, lane, ledger, hour, dice, unit, missedAtTop }
  const party = partyOf(meeting, index)
  const sum: Outcome = { spent: 0, short: false }
  for (const one of visitsOf(slots, lane.rate, mean, dice)) {
    if (one.impressions === 0) continue
    const pay = one.slot.viewMicros > 0 ? payViews : payClicks
    const { spent, short } = pay(meeting, one, party, left - sum.spent)
    sum.spent += spent
    sum.short ||= short
  }
  return sum
}
