import type { Store } from '#sandbox/core/model/store.ts'
import { createLocalHours, hourIndexOf } from '#sandbox/market/local-hours.ts'
import { createListing } from '#sandbox/market/queries/listing.ts'
import { createQueriesOf } from '#sandbox/market/queries/query-matcher.ts'
import { Ledger } from '#sandbox/market/records/ledger.ts'
import { Sales } from '#sandbox/market/records/sales.ts'
import { openShop } from '#sandbox/market/simulation/shop.ts'
import type { MessyAccount } from '#sandbox/scenarios/messy-account.ts'
import { startOfDayIn } from '#shared/time.ts'

/** What is to be expected of a day, whatever luck brings. Money in micros. */
export interface Expected {
  clicks: number
  cost: number
  sales: number
}
export interface ExpectedDay extends Expected {
  targets: Map<string, Expected>
  /** Cost by campaign as if budgets had no end. */
  unlimitedCost: Map<string, number>
}

const units = 1.1
const notCancelled = 0.97
const sameSku = 0.88

export function createJudge(account: MessyAccount, store: Store) {
  const { profile, seed } = account
  const queriesOf = createQueriesOf(store, seed)
  const localHour = createLocalHours(profile.timezone)
  const products = [...store.products.values()].filter(one => one.sellerId === profile.sellerId)
  const meanPrice = products.reduce((sum, one) => sum + one.priceMicros, 0) / products.length
  const listings = new Map(products.map(one => [one.sku, createListing(one, seed, one.priceMicros)]))
  return (day: string, isBounded = true): ExpectedDay => {
    const hour = hourIndexOf(startOfDayIn(day, profile.timezone).getTime()) + 12
    const shop = openShop(
      store,
      products,
      {
        seed,
        historyEnd: hourIndexOf(account.takenOverAt.getTime()),
        sales: new Sales(),
        budgetStates: new Map(),
        queriesOf,
        listingOf: product => listings.get(product.sku) ?? createListing(product, seed, product.priceMicros),
        ledgerOf: () => new Ledger(),
        localHours: () => localHour,
      },
      hour,
    )
    const sum: ExpectedDay = { clicks: 0, cost: 0, sales: 0, targets: new Map(), unlimitedCost: new Map() }
    for (const campaign of shop?.campaigns ?? []) {
      const rows: [string, Expected][] = []
      let unlimitedCost = 0
      for (let i = 0; i < campaign.rates.length; i++) {
        const { targetId, listing, from, to } = campaign.candidateAt(i)
        if (hour < from || hour >= to) continue
        const price = listings.size > 1 ? sameSku * listing.product.priceMicros + (1 - sameSku) * meanPrice : meanPrice
        for (const slot of campaign.slotsAt(i).slots) {
          const clicks = 24 * slot.impressions * slot.clickRate * 0.98
          const cost = clicks * slot.costMicros
          unlimitedCost += cost
          rows.push([targetId, { clicks, cost, sales: clicks * slot.conversion * price * units * notCancelled }])
        }
      }
      const share = isBounded ? Math.min(1, campaign.budgetMicros / Math.max(1, unlimitedCost)) : 1
      sum.unlimitedCost.set(campaign.campaignId, unlimitedCost)
      for (const [id, one] of rows) {
        const of = sum.targets.get(id) ?? { clicks: 0, cost: 0, sales: 0 }
        of.clicks += one.clicks * share
        of.cost += one.cost * share
        of.sales += one.sales * share
        sum.targets.set(id, of)
      }
    }
    for (const one of sum.targets.values()) {
      sum.clicks += one.clicks
      sum.cost += one.cost
      sum.sales += one.sales
    }
    return sum
  }
}
