import { smallestUnitMicros } from '#shared/money.ts'
import { placements } from '../../core/model/store.ts'
import type { AdProduct } from '../market.ts'
import type { Listing } from '../queries/listing.ts'
import { createRandom, fraction, mix, poisson, type Random, roundByChance } from '../random.ts'
import type { Ledger, LedgerLine } from '../records/ledger.ts'
import { type PlacementSlot, VIEWABLE } from './auction.ts'
import { unitsOfOrder } from './demand.ts'
import { timesOfConversion } from './lag.ts'
import type { Candidate, Hit, PackedCampaign } from './candidates.ts'
import { inStock, type Shop, takeFromStock } from './shop.ts'

/** Impressions that a wave of shoppers brings. Impressions come in waves, so that quiet hours write no line. */
export const WAVE = 40
export const INVALID_CLICKS = 0.02
/** Share of orders for the advertised product itself. A banner shows a brand, so it sells other products more often. */
export const SAME_SKU_SHARE: Record<AdProduct, number> = {
  SPONSORED_PRODUCTS: 0.88,
  SPONSORED_BRANDS: 0.6,
  SPONSORED_DISPLAY: 0.82,
}
/** How much a view sells compared to a click, where views are paid for. */
export const VIEW_THROUGH = 0.004
/** A click costs so much more or less than the average one of its slot. */
export const PRICE_SPREAD = 0.15
const MAX_COUNT = 2 ** 31 - 1

interface AuctionHour {
  shop: Shop
  adProduct: AdProduct
  candidate: Candidate
  ledger: Ledger
  dimensionKey: number
  hour: number
  random: Random
  /** Smallest unit of the currency, in micros. */
  unitMicros: number
  lostAtTop: number
}

interface WonImpressions {
  slot: PlacementSlot
  impressions: number
}

interface Outcome {
  spent: number
  /** True when the budget did not suffice for everything that shoppers clicked or saw. */
  ranOut: boolean
}

/** Runs the auctions of one candidate in one hour, with `left` micros to spend. */
export function runAuctions(
  shop: Shop,
  packed: PackedCampaign,
  { hit, hour, left }: { hit: Hit; hour: number; left: number },
): Outcome {
  const { index, lostAtTop } = hit
  const candidate = packed.candidateAt(index)
  const random = createRandom(mix(candidate.seed ^ 0x3c6ef372, hour))
  const { adProduct } = packed
  const ledger = shop.ledgerOf(adProduct)
  const unitMicros = smallestUnitMicros(shop.currency)
  const dimensionKey = dimensionKeyOf(packed, candidate, ledger, index)
  const auctionHour = { shop, adProduct, candidate, ledger, dimensionKey, hour, random, unitMicros, lostAtTop }
  const sum: Outcome = { spent: 0, ranOut: false }
  for (const won of wonImpressions(hit, random)) {
    if (won.impressions === 0) continue
    const pay = won.slot.viewMicros > 0 ? payViews : payClicks
    const { spent, ranOut } = pay(auctionHour, won, left - sum.spent)
    sum.spent += spent
    sum.ranOut ||= ranOut
  }
  return sum
}

function dimensionKeyOf(packed: PackedCampaign, candidate: Candidate, ledger: Ledger, index: number): number {
  const existing = packed.dimensionKeys[index] as number
  if (existing >= 0) return existing
  const { adGroupId, adId, targetId, query, listing, seed } = candidate
  const { campaignId } = packed
  const { asin } = listing.product
  const key = ledger.dimensionKeyOf({ campaignId, adGroupId, adId, targetId, asin, searchTerm: query.text, seed })
  packed.dimensionKeys[index] = key
  return key
}

function wonImpressions({ slots, rate, mean }: Hit, random: Random): WonImpressions[] {
  if (mean >= WAVE) return slots.map(slot => ({ slot, impressions: poisson((mean * slot.impressions) / rate, random) }))
  let roll = random() * rate
  const slot = slots.find(one => (roll -= one.impressions) < 0) ?? (slots[0] as PlacementSlot)
  return [{ slot, impressions: 1 + poisson(WAVE - 1, random) }]
}

/** Clicks that are paid for one by one. */
function payClicks(auctionHour: AuctionHour, { slot, impressions }: WonImpressions, left: number): Outcome {
  const { random, unitMicros } = auctionHour
  const maxPrice = Math.max(1, Math.floor(slot.capMicros / unitMicros))
  const price = roundByChance((slot.costMicros * (1 - PRICE_SPREAD + 2 * PRICE_SPREAD * random())) / unitMicros, random)
  const clickPrice = Math.max(1, Math.min(maxPrice, price))
  const demanded = Math.min(impressions, poisson(impressions * slot.clickRate, random))
  const paid = Math.min(demanded, Math.floor(left / (clickPrice * unitMicros)))
  let invalid = 0
  for (let i = 0; i < paid; i++) if (random() < INVALID_CLICKS) invalid++
  record(auctionHour, slot, { impressions, clicks: paid - invalid, invalid, clickPrice, viewCost: 0 })
  return { spent: paid * clickPrice * unitMicros, ranOut: paid < demanded }
}

/** Views that are paid for by the thousand. Clicks come with them for free. */
function payViews(auctionHour: AuctionHour, { slot, impressions: demanded }: WonImpressions, left: number): Outcome {
  const { random, unitMicros } = auctionHour
  const price = (slot.viewMicros * VIEWABLE) / 1000 / unitMicros
  const impressions = Math.min(demanded, Math.floor(left / unitMicros / price))
  const viewCost = Math.min(Math.floor(left / unitMicros), roundByChance(impressions * price, random))
  const clicks = Math.min(impressions, poisson(impressions * slot.clickRate, random))
  record(auctionHour, slot, { impressions, clicks, invalid: 0, clickPrice: 0, viewCost })
  return { spent: viewCost * unitMicros, ranOut: impressions < demanded }
}

type Counts = Pick<LedgerLine, 'impressions' | 'clicks' | 'invalid' | 'clickPrice' | 'viewCost'>

/** Writes what one slot brought: its line, the orders after clicks and paid views, and the visits. */
function record(auctionHour: AuctionHour, slot: PlacementSlot, counts: Counts): void {
  const { shop, candidate, ledger, dimensionKey, hour, random } = auctionHour
  const { impressions, clicks, invalid, clickPrice, viewCost } = counts
  // Rounded by a chance of its own, so that nothing else in the hour depends on it.
  const chance = fraction(mix(candidate.seed ^ 0x1b873593, hour))
  const row = ledger.add({
    hour,
    dimensionKey,
    placement: placements.indexOf(slot.placement),
    impressions,
    clicks,
    invalid,
    clickPrice,
    viewCost,
    lostAtTop: Math.min(MAX_COUNT, Math.floor(impressions * auctionHour.lostAtTop + chance)),
  })
  for (let i = 0; i < clicks; i++) if (random() < slot.conversion) sell(auctionHour, row)
  const viewOrders = slot.viewMicros > 0 ? poisson(impressions * VIEW_THROUGH * slot.conversion, random) : 0
  for (let i = 0; i < viewOrders; i++) sell(auctionHour, row, true)
  if (clicks === 0) return
  const pageViews = clicks + roundByChance(clicks * 0.3, random)
  shop.sales.add(candidate.listing.key, hour, shop.localHour(hour).day, [0, 0, 0, clicks, pageViews])
}

function sell({ shop, adProduct, candidate, ledger, hour, random }: AuctionHour, row: number, byView = false): void {
  const sameSku = shop.listings.length < 2 || random() < SAME_SKU_SHARE[adProduct]
  const other = shop.listings[Math.floor(random() * shop.listings.length)] as Listing
  const listing = sameSku || !inStock(shop, other, hour) ? candidate.listing : other
  const units = unitsOfOrder(random)
  const { categoryId } = listing.product
  const rush = shop.rushAfter(categoryId, hour)
  const times = timesOfConversion({ slowness: listing.slowness, rushIn: rush === null ? null : rush - hour }, random)
  const salesMicros = units * listing.priceMicros
  const bought =
    listing === candidate.listing ? ({ sameSku: 1 } as const) : { sameSku: 0 as const, other: listing.product.asin }
  ledger.conversions.push({ row, ...times, units, salesMicros, ...bought, ...(byView && { byView: 1 as const }) })
  const ordered = hour + times.delayHours
  shop.sales.add(listing.key, ordered, shop.localHour(ordered).day, [1, units, salesMicros, 0, 0])
  takeFromStock(shop, listing, units, hour)
  if (!byView && random() < candidate.query.loyalty) shop.memory.standings.owe(listing)
}
