import type { Profile } from '../../core/model.ts'
import { createDice, fraction, mix, mixer } from '../chance.ts'
import type { LocalHour } from '../local-hours.ts'
import type { AdProduct } from '../market.ts'
import type { Ledger } from '../records/ledger.ts'
import type { Good } from '../searches/truth.ts'
import { allowance, leftOfLife, leftToday, newPurse, type Purse, turnDay } from './budget.ts'
import { demandFactor } from './demand.ts'
import { meet, WAVE } from './meet.ts'
import type { PackedCampaign } from './packed-campaign.ts'
import { inStock, takeFromStock } from './stock.ts'
import { organicHour, type TradeBook } from './trade.ts'

/** One seller in one marketplace: the shelf and, where there is a profile, its campaigns. */
export interface Shop {
  goods: readonly Good[]
  currency: string
  profile: Profile | null
  campaigns: readonly PackedCampaign[]
  /** The hour at which a campaign begins or ends by its dates, so that the campaigns must be packed anew. */
  validUntil: number
  ledgerOf(adProduct: AdProduct): Ledger
  trade: TradeBook
  purses: Map<string, Purse>
  localHour: (hourIndex: number) => LocalHour
  /** End of the history the world began with; stock is only used up after it. */
  openedAt: number
  seed: number
}

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

const campaignHour = (
  shop: Shop,
  packed: PackedCampaign,
  hour: number,
  demandOf: (categoryId: string) => number,
): void => {
  const { lanes, rates, seeds, from, to, category } = packed
  const demand = packed.categoryIds.map(demandOf)
  const purse = openPurse(shop, packed, shop.localHour(hour).day)
  const budgetMicros = packed.lifetimeBudget ? leftOfLife(purse, packed.budgetMicros) : packed.budgetMicros
  let left = leftToday(purse, budgetMicros)
  const chance = mixer(hour)
  const { length } = lanes
  // Every hour another lane comes first, whichever lanes are over by now.
  let i = packed.firstFrom(mix(packed.seed, hour) % packed.total)
  for (let k = 0; k < length && left > 0; k++, i++) {
    if (i >= length) i -= length
    const mean = (rates[i] as number) * (demand[category[i] as number] as number)
    if (mean < WAVE && fraction(chance(seeds[i] as number)) >= mean / WAVE) continue
    if (hour < (from[i] as number) || hour >= (to[i] as number)) continue
    if (!inStock(shop, packed.laneAt(i).good, hour)) continue
    const { spent, short } = meet(shop, packed, { index: i, hour, mean, left })
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
  for (const campaign of shop.campaigns) campaignHour(shop, campaign, hour, demandOf)
}
