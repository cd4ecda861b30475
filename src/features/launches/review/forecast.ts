import type { ChosenBid } from '#features/recommendations/contract.ts'
import type { Micros } from '#shared/money.ts'
import { worstCaseCpc } from '../plan/bid-caps.ts'
import type { LaunchPlan, PlannedCampaign, PlanProduct } from '../plan/launch-plan.ts'

/** Fewer clicks a day than this teach nothing for weeks: at a conversion rate of 10 % an order needs about ten. */
export const LEAST_CLICKS_A_DAY = 5

/** How many clicks a daily budget buys at an expected price of a click, to one decimal; null without a price. */
export const clicksADay = (budgetMicros: Micros, cpcMicros: Micros): number | null =>
  cpcMicros > 0 ? Math.round((budgetMicros / cpcMicros) * 10) / 10 : null

interface PricedCampaign {
  dailyBudgetMicros: Micros
  /** What a click is expected to cost; 0 where nobody knows. */
  cpcMicros: Micros
}

/** True where a campaign buys fewer clicks a day than are of use. */
export const isThin = ({ dailyBudgetMicros, cpcMicros }: PricedCampaign): boolean =>
  dailyBudgetMicros < cpcMicros * LEAST_CLICKS_A_DAY

/** About what the total daily budget would have to be for every campaign to buy enough clicks, shared as it is now. */
export function usefulBudget(campaigns: readonly PricedCampaign[]): number {
  const total = sum(campaigns.map(c => c.dailyBudgetMicros))
  return Math.max(...campaigns.map(c => (c.cpcMicros * LEAST_CLICKS_A_DAY * total) / c.dailyBudgetMicros))
}

/** On one day the marketplace may spend up to twice the daily budget, evened out over the month. */
export const BUSY_DAY_FACTOR = 2

/** Every bid of a campaign that can win a click. */
export const bidsOf = (campaign: PlannedCampaign): ChosenBid[] =>
  campaign.adGroups.flatMap(g => [...g.keywords, ...g.autoTargets, ...g.targets].map(x => x.bid))

// New campaigns seldom spend their budget: the low end is a tenth of it, all on clicks as dear as they can get. In an
// auction a click mostly costs less than its bid.
const LEAST_SHARE_SPENT = 0.1
const LEAST_SHARE_OF_BID = 0.5

const sum = (amounts: readonly number[]): number => amounts.reduce((a, b) => a + b, 0)
const mean = (amounts: readonly number[]): number => sum(amounts) / Math.max(1, amounts.length)

/** What a click of a campaign is expected to cost: the mean of its bids, in micro-units; 0 without any. */
export const expectedCpc = (campaign: PlannedCampaign): number => mean(bidsOf(campaign).map(bid => bid.micros))

function sourceOf(withRates: number, all: number): string {
  if (!withRates)
    return 'Your budget and the bids above; orders are left out because the conversion rate is not known yet'
  if (withRates === all) return 'Your budget, the bids above and the products’ own conversion rate'
  return `Your budget, the bids above and the conversion rate of ${withRates} of ${all} products, as that of the others is not known yet`
}

/**
 * The range of a week: spend between a tenth of the budget and all of it, clicks by what the bids buy for that, orders
 * by the products' own conversion rate (null where none is known). A rough range, not a prediction.
 */
export function forecastOf({ campaigns }: Pick<LaunchPlan, 'campaigns'>, products: readonly PlanProduct[]) {
  const weekly = sum(campaigns.map(c => c.dailyBudgetMicros)) * 7
  const perCampaign = campaigns.flatMap(campaign => {
    const budget = campaign.dailyBudgetMicros * 7
    const usual = expectedCpc(campaign)
    const dearest = mean(bidsOf(campaign).map(bid => worstCaseCpc(bid.micros, campaign)))
    return usual ? [{ low: (budget * LEAST_SHARE_SPENT) / dearest, high: budget / (usual * LEAST_SHARE_OF_BID) }] : []
  })
  const clicks = {
    low: Math.floor(sum(perCampaign.map(c => c.low))),
    high: Math.ceil(sum(perCampaign.map(c => c.high))),
  }
  const rates = products.flatMap(p => p.conversionRate ?? [])
  const orders = rates.length
    ? { low: Math.floor(clicks.low * Math.min(...rates)), high: Math.ceil(clicks.high * Math.max(...rates)) }
    : null
  return {
    spend: { lowMicros: Math.round(weekly * LEAST_SHARE_SPENT), highMicros: weekly },
    clicks,
    orders,
    source: sourceOf(rates.length, products.length),
    caveat:
      'A rough range, not a prediction: a campaign that nobody finds spends nothing, and a busy week may spend more than seven daily budgets. Suggested bids come from what similar products paid in the past and do not promise results.',
  }
}
