import type { Store } from '../../core/model/store.ts'
import type { Market } from '../create-market.ts'
import { createLocalHours, dayText, hourIndexOf, hoursOfDays } from '../local-hours.ts'
import { getOrMake } from '../get-or-make.ts'
import { accountKey, allowance, leftOfLifetime, leftToday, newBudgetState, startDay } from '../simulation/budget.ts'
import type { PackedCampaign } from '../simulation/candidates.ts'
import { inStock, type Shop } from '../simulation/shop.ts'
import { leftOfPortfolio, type PortfolioMoney } from '../simulation/portfolio-money.ts'
import { raisedBudget } from '../simulation/rules.ts'
import { demandIn, rulesOn } from '../simulation/simulate-hour.ts'
import { addTo, addYield, type Expected, type MarginOf, noSpend, nothing, orderWorths, type Spend } from './expect.ts'

export interface JudgeOptions {
  /** The hour that holds the moment, or the whole local day that does. */
  span?: 'HOUR' | 'DAY'
  /** Whether money can run out: daily and lifetime budgets, caps of portfolios, and the account's limit. */
  withBudgets?: boolean
  /** Without margins nothing is left of sales, so that profit is the cost below zero. */
  marginOf?: MarginOf
}

export interface Judgement {
  total: Expected
  /** By id; those that nobody is shown are absent. */
  campaigns: Map<string, Expected>
  targets: Map<string, Expected>
}

/** What the targets of a campaign bring in one hour while there is money. */
interface CampaignHour {
  packed: PackedCampaign
  targets: Map<string, Expected>
  spend: Spend
}

/** The hours of a span, each with the shop as it trades then. */
export function* shopHours(
  market: Market,
  store: Store,
  profileId: number,
  at: Date,
  span: 'HOUR' | 'DAY',
): Generator<{ shop: Shop; hour: number }> {
  const localHour = createLocalHours(store.profiles.get(profileId)?.timezone ?? 'UTC')
  const current = hourIndexOf(at.getTime())
  const day = dayText(localHour(current).day)
  const [from, to] = span === 'HOUR' ? [current, current + 1] : hoursOfDays(day, day, localHour)
  let shop = market.shopAt(profileId, from)
  if (!shop) throw new Error(`profile ${profileId} has nothing to sell`)
  for (let hour = from; hour < to && shop; hour++) {
    if (hour >= shop.validUntil) shop = market.shopAt(profileId, hour)
    if (shop) yield { shop, hour }
  }
}

interface OpenHour {
  shop: Shop
  hour: number
  demandOf: (categoryId: string) => number
  worthOf: ReturnType<typeof orderWorths>
}

function campaignHour({ shop, hour, demandOf, worthOf }: OpenHour, packed: PackedCampaign): CampaignHour {
  const targets = new Map<string, Expected>()
  const spend = noSpend()
  for (let index = 0; index < packed.mostRates.length; index++) {
    const candidate = packed.candidateAt(index)
    if (hour < candidate.from || hour >= candidate.to || !inStock(shop, candidate.listing, hour)) continue
    const demand = demandOf(candidate.query.categoryId)
    const worth = worthOf(candidate.listing, packed.adProduct)
    const sums = { sum: getOrMake(targets, candidate.targetId, nothing), spend }
    const { slots, rate } = packed.slotsAt(index, { hour, local: shop.localHour(hour) })
    const [mean, { currency }] = [rate * demand, shop]
    for (const slot of slots) addYield(sums, slot, worth, { impressions: slot.impressions * demand, mean, currency })
  }
  return { packed, targets, spend }
}

/** The density and distribution of a standard normal number (Abramowitz and Stegun 26.2.17). */
function normalAt(z: number): { density: number; below: number } {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const tail =
    density * t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return { density, below: z < 0 ? tail : 1 - tail }
}

/** What is spent on average of money that would be spent with this mean and variance, if there is only so much of it. */
function spentOf(mean: number, variance: number, money: number): number {
  if (money <= 0) return 0
  const deviation = Math.sqrt(variance)
  if (deviation === 0) return Math.min(mean, money)
  const { density, below } = normalAt((money - mean) / deviation)
  return Math.max(0, Math.min(mean, money - (money - mean) * below - deviation * density))
}

/** Money that is used up over the hours: tells for each hour which share of it is affordable. */
class SpendingMoney {
  private mean = 0
  private variance = 0
  private spent = 0
  private readonly money: number

  constructor(money: number) {
    this.money = money
  }

  shareOf({ micros, variance, clicks }: Spend): number {
    if (this.money === Number.POSITIVE_INFINITY || micros === 0) return 1
    this.mean += micros
    this.variance += variance
    // Money that is left but buys no click is not spent.
    const unspent = clicks > 0 ? micros / clicks / 2 : 0
    const spent = Math.max(this.spent, spentOf(this.mean, this.variance, this.money - unspent))
    const share = (spent - this.spent) / micros
    this.spent = spent
    return Math.min(1, share)
  }
}

/** What a campaign may spend in the span that begins in this hour. */
function moneyOf(shop: Shop, packed: PackedCampaign, hour: number, span: 'HOUR' | 'DAY'): number {
  const { day } = shop.localHour(hour)
  const stored = shop.budgetStates.get(packed.campaignId)
  const state = { ...(stored ?? newBudgetState(day)) }
  startDay(state, day, packed.lifetimeBudget ? 0 : packed.budgetMicros)
  const held = stored?.day === day ? (stored.rules ?? []) : rulesOn(shop, packed, hour)
  const budgetMicros = packed.lifetimeBudget
    ? leftOfLifetime(state, packed.budgetMicros)
    : raisedBudget(packed.budgetMicros, packed.plan.rules.budgetRules, held, shop.currency)
  return span === 'DAY' ? allowance(state, budgetMicros) : leftToday(state, budgetMicros)
}

function accountMoney({ profile, budgetStates, localHour }: Shop, hour: number, span: 'HOUR' | 'DAY'): number {
  const capMicros = profile?.dailyBudgetMicros ?? null
  if (!profile || capMicros === null) return Number.POSITIVE_INFINITY
  const state = budgetStates.get(accountKey(profile.profileId))
  const isToday = state?.day === localHour(hour).day
  return state && isToday && span === 'HOUR' ? leftToday(state, capMicros) : capMicros
}

/**
 * What a profile's ads can expect in an hour or a local day, by the functions of the simulation itself: all of it with the
 * structure as stored now, also where part of the day has passed. Advance the market to the moment first. For benches and tests alone.
 * Throws when the profile has nothing to sell.
 */
export function judge(
  market: Market,
  store: Store,
  profileId: number,
  at: Date,
  { span = 'DAY', withBudgets = true, marginOf = () => 0 }: JudgeOptions = {},
): Judgement {
  const judgement: Judgement = { total: nothing(), campaigns: new Map(), targets: new Map() }
  const moneyByOwner = new Map<string, SpendingMoney>()
  let account: SpendingMoney | null = null
  for (const { shop, hour } of shopHours(market, store, profileId, at, span)) {
    account ??= new SpendingMoney(withBudgets ? accountMoney(shop, hour, span) : Number.POSITIVE_INFINITY)
    const demandOf = demandIn(shop, shop.localHour(hour))
    const open = { shop, hour, demandOf, worthOf: orderWorths(shop, hour, marginOf) }
    const hours = shop.campaigns.map(packed => campaignHour(open, packed))
    const shares = hours.map(one => {
      if (!withBudgets) return 1
      const { packed } = one
      return getOrMake(
        moneyByOwner,
        packed.campaignId,
        () => new SpendingMoney(moneyOf(shop, packed, hour, span)),
      ).shareOf(one.spend)
    })
    if (withBudgets)
      for (const [key, inside] of portfoliosOf(shop, hours)) {
        const { money, indexes } = inside
        const limit = getOrMake(moneyByOwner, key, () => new SpendingMoney(leftOfPortfolio(money)))
        const share = limit.shareOf(spendOf(indexes.map((i): Part => [hours[i] as CampaignHour, shares[i] as number])))
        for (const i of indexes) shares[i] = (shares[i] as number) * share
      }
    const ofProducts = hours.map((one, i): Part => [one, shares[i] as number]).filter(([one]) => isProduct(one))
    const ofAccount = account.shareOf(spendOf(ofProducts))
    for (const [i, one] of hours.entries()) {
      const share = (shares[i] as number) * (isProduct(one) ? ofAccount : 1)
      for (const [targetId, expected] of one.targets) {
        addTo(judgement.total, expected, share)
        addTo(getOrMake(judgement.campaigns, one.packed.campaignId, nothing), expected, share)
        addTo(getOrMake(judgement.targets, targetId, nothing), expected, share)
      }
    }
  }
  return judgement
}

/** The account's limit holds for Sponsored Products alone. */
const isProduct = ({ packed }: CampaignHour): boolean => packed.adProduct === 'SPONSORED_PRODUCTS'

/** The campaigns of an hour that share a portfolio's money, by the key of that money. */
function portfoliosOf(shop: Shop, hours: readonly CampaignHour[]) {
  const portfolios = new Map<string, { money: PortfolioMoney; indexes: number[] }>()
  for (const [i, { packed }] of hours.entries()) {
    const money = shop.portfolioOf.get(packed.campaignId)
    if (money) getOrMake(portfolios, money.key, () => ({ money, indexes: [] })).indexes.push(i)
  }
  return portfolios
}

type Part = [one: CampaignHour, share: number]

function spendOf(parts: readonly Part[]): Spend {
  const sum = noSpend()
  for (const [{ spend }, share] of parts) {
    sum.micros += spend.micros * share
    sum.variance += spend.variance * share ** 2
    sum.clicks += spend.clicks * share
  }
  return sum
}
