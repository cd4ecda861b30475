import { createDice, fraction, mix, mixSalted, saltOf } from '../random.ts'
import type { LocalHour } from '../local-hours.ts'
import { allowance, leftOfLife, leftToday, newPurse, type Purse, turnDay } from './budget.ts'
import { demandFactor } from './demand.ts'
import { meet, WAVE } from './run-auctions.ts'
import type { PackedCampaign } from './packed-campaign.ts'
import { inStock, takeFromStock } from './stock.ts'
import type { Shop } from './shop.ts'
import { organicHour } from './sales.ts'

/** Goods under way come a step nearer every midnight. */
const moveInbound = (shop: Shop, hour: number): void => {
  if (hour < shop.openedAt || shop.localHour(hour).hour !== 0) return
  for (const { product } of shop.goods) {
    product.fulfillable += product.inboundReceiving
    product.inboundReceiving = product.inboundShipped
    product.inboundShipped = product.inboundWorking
    product.inboundWorking = 0
  }
}

const openPurse = (shop: Shop, { campaignId, budgetMicros, lifetimeBudget }: PackedCampaign, day: number): Purse => {
  let purse = shop.purses.get(campaignId)
  if (!purse) shop.purses.set(campaignId, (purse = newPurse(day)))
  turnDay(purse, day, lifetimeBudget ? 0 : budgetMicros)
  return purse
}

/** A lane that somebody meets in an hour, and how many impressions it may expect. */
interface Hit {
  index: number
  mean: number
}

const noHits: readonly Hit[] = []

/** An hour of a shop, as all its campaigns see it. */
interface ShopHour {
  hour: number
  salt: number
  local: LocalHour
  demandOf: (categoryId: string) => number
}

const HASHES_PER_VIEW = (2 ** 32 / WAVE) * 1.000001

// The inner loop of the market: a big account has a quarter of a million lanes, each looked at every hour.
const hitsOf = (
  { rates, seeds, from, to, category, categoryIds }: PackedCampaign,
  { hour, salt, demandOf }: ShopHour,
): readonly Hit[] => {
  const demand = categoryIds.map(demandOf)
  const single = demand.length === 1 ? (demand[0] as number) : null
  let hits: Hit[] | null = null
  for (let index = 0; index < rates.length; index++) {
    const mean = (rates[index] as number) * (single ?? (demand[category[index] as number] as number))
    const hash = mixSalted(seeds[index] as number, salt)
    // Nearly all lanes end here: the same question as below with a little to spare, but without a division.
    if (hash > mean * HASHES_PER_VIEW) continue
    if (mean < WAVE && fraction(hash) >= mean / WAVE) continue
    if (hour < (from[index] as number) || hour >= (to[index] as number)) continue
    if (hits) hits.push({ index, mean })
    else hits = [{ index, mean }]
  }
  return hits ?? noHits
}

/** Every hour another lane comes first, whichever lanes are over by now. */
const inTurn = (hits: readonly Hit[], packed: PackedCampaign, hour: number): readonly Hit[] => {
  if (hits.length < 2) return hits
  const start = mix(packed.seed, hour) % packed.total
  const first = hits.findIndex(({ index }) => packed.laneAt(index).number >= start)
  return first <= 0 ? hits : [...hits.slice(first), ...hits.slice(0, first)]
}

const campaignHour = (shop: Shop, packed: PackedCampaign, now: ShopHour): void => {
  const hits = hitsOf(packed, now)
  const { hour, local } = now
  // Days without a hit leave their budget over all the same.
  if (hits.length === 0 && local.hour !== 0) return
  const purse = openPurse(shop, packed, local.day)
  const budgetMicros = packed.lifetimeBudget ? leftOfLife(purse, packed.budgetMicros) : packed.budgetMicros
  let left = leftToday(purse, budgetMicros)
  for (const { index, mean } of inTurn(hits, packed, hour)) {
    if (left <= 0) return
    if (!inStock(shop, packed.laneAt(index).good, hour)) continue
    const { spent, short } = meet(shop, packed, { index, hour, mean, left })
    purse.spent += spent
    purse.total += spent
    left -= spent
    if (short) {
      purse.ranOutAt = allowance(purse, budgetMicros)
      left = 0
    }
  }
}

/** Lets a shop live through one hour. What happens depends on the seed and the books alone. */
export const shopHour = (shop: Shop, hour: number): void => {
  const local = shop.localHour(hour)
  const demand = new Map<string, number>()
  const demandOf = (categoryId: string): number => {
    let factor = demand.get(categoryId)
    if (factor === undefined) demand.set(categoryId, (factor = demandFactor(categoryId, local, shop.seed)))
    return factor
  }
  moveInbound(shop, hour)
  for (const good of shop.goods) {
    const factor = demandOf(good.product.categoryId)
    if (!inStock(shop, good, hour)) continue
    const counts = organicHour(good, factor, createDice(mix(good.seed, hour)))
    if (counts[3] > 0) shop.trade.add(good.key, hour, local.day, counts)
    takeFromStock(shop, good, counts[1], hour)
  }
  const now: ShopHour = { hour, salt: saltOf(hour), local, demandOf }
  for (const campaign of shop.campaigns) campaignHour(shop, campaign, now)
}
