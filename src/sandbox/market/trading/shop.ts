import { smallestUnitMicros } from '#shared/money.ts'
import type { Profile } from '../../core/model.ts'
import type { Slot } from './auction.ts'
import { timesOfConversion } from '../records/attribution.ts'
import { allowance, leftToday, newPurse, type Purse, turnDay } from './budget.ts'
import { createDice, type Dice, fraction, hashText, mix, poisson, roundByChance } from '../chance.ts'
import { demandFactor } from './demand.ts'
import type { CampaignLanes, Lane } from './lanes.ts'
import { type Ledger, places } from '../records/ledger.ts'
import type { LocalHour } from '../local-hours.ts'
import { organicHour, type TradeBook, unitsOfOrder } from './trade.ts'
import type { Good } from '../searches/truth.ts'

/** How many impressions a wave of shoppers brings: figures come in lumps, so that quiet hours cost no line. */
const WAVE = 40
const INVALID_CLICKS = 0.02
const SAME_SKU = 0.88

/** One seller in one marketplace: the shelf and, where there is a profile, its campaigns. */
export interface Shop {
  goods: readonly Good[]
  currency: string
  profile: Profile | null
  campaigns: readonly PackedCampaign[]
  ledger: Ledger
  trade: TradeBook
  purses: Map<string, Purse>
  localHour: (hourIndex: number) => LocalHour
  /** End of the history the world began with; stock is only used up after it. */
  openedAt: number
  seed: number
}

/** A campaign's lanes with what the hourly loop reads of them side by side. */
export interface PackedCampaign extends CampaignLanes {
  rates: Float64Array
  seeds: Int32Array
  from: Float64Array
  to: Float64Array
  parties: Int32Array
  /** Categories its searches belong to, and the number among them of each lane's. */
  categoryIds: readonly string[]
  category: Int32Array
  seed: number
}

export const packCampaign = (lanes: CampaignLanes, seed: number): PackedCampaign => {
  const categoryIds = [...new Set(lanes.lanes.map(lane => lane.term.categoryId))]
  return {
    ...lanes,
    categoryIds,
    category: Int32Array.from(lanes.lanes, lane => categoryIds.indexOf(lane.term.categoryId)),
    rates: Float64Array.from(lanes.lanes, lane => lane.rate),
    seeds: Int32Array.from(lanes.lanes, lane => lane.seed),
    from: Float64Array.from(lanes.lanes, lane => lane.from),
    to: Float64Array.from(lanes.lanes, lane => lane.to),
    parties: new Int32Array(lanes.lanes.length).fill(-1),
    seed: hashText(lanes.campaign.campaignId, seed),
  }
}

/** In the history a shelf that is empty today ran out some days ago; afterwards stock is what the books say. */
const inStock = (shop: Shop, good: Good, hour: number): boolean =>
  good.product.fulfillable > 0 || (hour < shop.openedAt && hour < shop.openedAt - 24 * (4 + (good.seed % 15)))

const takeFromStock = (shop: Shop, good: Good, units: number, hour: number): void => {
  if (hour >= shop.openedAt) good.product.fulfillable = Math.max(0, good.product.fulfillable - units)
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

const sell = (shop: Shop, lane: Lane, hour: number, row: number, dice: Dice): void => {
  const same = shop.goods.length < 2 || dice() < SAME_SKU
  const other = shop.goods[Math.floor(dice() * shop.goods.length)] as Good
  const good = same || !inStock(shop, other, hour) ? lane.good : other
  const units = unitsOfOrder(dice)
  const times = timesOfConversion(dice)
  const salesMicros = units * good.product.priceMicros
  const bought = good === lane.good ? ({ sameSku: 1 } as const) : { sameSku: 0 as const, other: good.product.asin }
  shop.ledger.conversions.push({ row, ...times, units, salesMicros, ...bought })
  const ordered = hour + times.delayHours
  shop.trade.add(good.key, ordered, shop.localHour(ordered).day, [1, units, salesMicros, 0, 0])
  takeFromStock(shop, good, units, hour)
}

interface Visit {
  slot: Slot
  impressions: number
}

const visitsOf = (lane: Lane, mean: number, dice: Dice): Visit[] => {
  if (mean >= WAVE)
    return lane.slots.map(slot => ({ slot, impressions: poisson((mean * slot.impressions) / lane.rate, dice) }))
  let roll = dice() * lane.rate
  const slot = lane.slots.find(candidate => (roll -= candidate.impressions) < 0) ?? (lane.slots[0] as Slot)
  return [{ slot, impressions: 1 + poisson(WAVE - 1, dice) }]
}

/** Lets one lane meet its shoppers of an hour. Answers what they cost, and whether money was short. */
const meet = (
  shop: Shop,
  campaign: PackedCampaign,
  index: number,
  hour: number,
  mean: number,
  left: number,
): { spent: number; short: boolean } => {
  const lane = campaign.lanes[index] as Lane
  const dice = createDice(mix(lane.seed ^ 0x3c6ef372, hour))
  const unit = smallestUnitMicros(shop.currency)
  let party = campaign.parties[index] as number
  if (party < 0) {
    const { adGroupId, adId, targetId, term, good } = lane
    party = shop.ledger.partyNumber({
      campaignId: campaign.campaign.campaignId,
      adGroupId,
      adId,
      targetId,
      asin: good.product.asin,
      searchTerm: term.text,
      seed: lane.seed,
    })
    campaign.parties[index] = party
  }
  let spent = 0
  let short = false
  for (const { slot, impressions } of visitsOf(lane, mean, dice)) {
    if (impressions === 0) continue
    const most = Math.max(1, Math.floor(slot.capMicros / unit))
    const clickPrice = Math.max(
      1,
      Math.min(most, roundByChance((slot.costMicros * (0.85 + 0.3 * dice())) / unit, dice)),
    )
    const wanted = Math.min(impressions, poisson(impressions * slot.clickRate, dice))
    const clicks = Math.min(wanted, Math.floor((left - spent) / (clickPrice * unit)))
    short ||= clicks < wanted
    let invalid = 0
    for (let i = 0; i < clicks; i++) if (dice() < INVALID_CLICKS) invalid++
    const valid = clicks - invalid
    const row = shop.ledger.add({
      hour,
      party,
      place: places.indexOf(slot.placement),
      impressions,
      clicks: valid,
      invalid,
      clickPrice,
    })
    spent += clicks * clickPrice * unit
    for (let i = 0; i < valid; i++) if (dice() < slot.conversion) sell(shop, lane, hour, row, dice)
    if (valid > 0)
      shop.trade.add(lane.good.key, hour, shop.localHour(hour).day, [
        0,
        0,
        0,
        valid,
        valid + roundByChance(valid * 0.3, dice),
      ])
  }
  return { spent, short }
}

const campaignHour = (
  shop: Shop,
  packed: PackedCampaign,
  hour: number,
  demandOf: (categoryId: string) => number,
): void => {
  const { campaign, lanes, rates, seeds, from, to, category } = packed
  const demand = packed.categoryIds.map(demandOf)
  const day = shop.localHour(hour).day
  let purse = shop.purses.get(campaign.campaignId)
  if (!purse) shop.purses.set(campaign.campaignId, (purse = newPurse(day)))
  turnDay(purse, day, campaign.budgetMicros)
  let left = leftToday(purse, campaign.budgetMicros)
  const start = mix(packed.seed, hour) % lanes.length
  for (let k = 0; k < lanes.length && left > 0; k++) {
    const i = (start + k) % lanes.length
    if (hour < (from[i] as number) || hour >= (to[i] as number)) continue
    const mean = (rates[i] as number) * (demand[category[i] as number] as number)
    if (mean < WAVE && fraction(mix(seeds[i] as number, hour)) >= mean / WAVE) continue
    if (!inStock(shop, (lanes[i] as Lane).good, hour)) continue
    const { spent, short } = meet(shop, packed, i, hour, mean, left)
    purse.spent += spent
    left -= spent
    if (short) {
      purse.ranOutAt = allowance(purse, campaign.budgetMicros)
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
  for (const campaign of shop.campaigns) if (campaign.lanes.length > 0) campaignHour(shop, campaign, hour, demandOf)
}
