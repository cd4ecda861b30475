import { fromMicros, type Micros } from '#shared/money.ts'
import { text } from '#shared/reader-text.ts'
import { addDays, daysBetween, startOfDayIn } from '#shared/time.ts'
import type { AlertDraft, CampaignFacts } from './facts.ts'
import { shownShare, thresholds } from './thresholds.ts'
import { roughly } from './words.ts'

const rules = thresholds.noSales
const HOUR_MS = 3_600_000
/**
 * The account's rate counts like so many orders of the campaign's own. It follows from how far the rates of an account's campaigns
 * lie apart, which is a third of their mean: where the account's rate is trusted more, campaigns that never sold much are alarmed of.
 */
const PRIOR_ORDERS = 10
const WINDOW_DAYS = 28

interface Rate {
  /** Orders per click. */
  orders: number
  /** Orders that it rests on: the fewer, the less sure it is. */
  weight: number
  orderValueMicros: Micros
}

/** How many clicks bring an order, by settled days alone, drawn towards the account's where the campaign has few. */
function settledRate({ past, movingFrom, account }: CampaignFacts): Rate | null {
  const settled = past.filter(({ date }) => date < movingFrom)
  const sum = (of: 'clicks' | 'orders' | 'salesMicros'): number => settled.reduce((total, day) => total + day[of], 0)
  const [clicks, orders, salesMicros] = [sum('clicks'), sum('orders'), sum('salesMicros')]
  const usesAccount = account !== null && account.orders >= rules.leastOrders
  if (!usesAccount && orders < rules.leastOrders) return null
  const prior = usesAccount ? account.orders / account.clicks : orders / clicks
  const value = orders >= rules.leastOrders ? salesMicros / orders : account ? account.salesMicros / account.orders : 0
  const weight = orders + PRIOR_ORDERS
  return { orders: weight / (clicks + PRIOR_ORDERS / prior), weight, orderValueMicros: value }
}

/**
 * How little chance explains that no order came where so many were expected, 1 being just so: by the rate and by how sure it is
 * (the predictive chance of none is (w / (w + expected))^w), and by how many times without an order four weeks have.
 */
function unlikeliness(expected: number, weight: number, { past }: CampaignFacts): number {
  const times = 1 + past.reduce((sum, day) => sum + day.orders, 0)
  return (weight * Math.log1p(expected / weight)) / Math.log(rules.campaignsPerChance * times)
}

/** What an order may cost by the account's target, or else by the usual margin; null where no order shows its value. */
export function breakEvenCost(facts: CampaignFacts): Micros | null {
  const value = settledRate(facts)?.orderValueMicros ?? 0
  const margin = facts.targetAcos ? facts.targetAcos / 100 : thresholds.usualMargin
  return value > 0 ? Math.round(value * margin) : null
}

/**
 * Ad spend without an order for so long that chance does not explain it: tested against the conversion rate of settled days,
 * with only those orders expected that would have been reported by now.
 */
export function noSalesAlert(facts: CampaignFacts): AlertDraft | null {
  const { sinceOrder, hours, now, timezone, today, currency, campaignId, name } = facts
  const rate = settledRate(facts)
  const breakEvenMicros = breakEvenCost(facts)
  if (!rate || breakEvenMicros === null) return null
  const ofDays = sinceOrder
    .filter(({ date }) => date < today)
    .map(({ date, clicks }) => ({ clicks, at: startOfDayIn(date, timezone).getTime() + 14 * HOUR_MS }))
  const start = startOfDayIn(today, timezone).getTime()
  const lastOrder = hours.findLast(({ orders }) => orders > 0)?.hour ?? -1
  const ofToday = hours
    .filter(({ hour }) => hour > lastOrder)
    .map(({ hour, clicks }) => ({ clicks, at: start + hour * HOUR_MS }))
  const all = [...ofDays, ...ofToday]
  const clicks = all.reduce((sum, one) => sum + one.clicks, 0)
  const expected = all.reduce((sum, { clicks: count, at }) => {
    const age = Math.max(0, now.getTime() - at) / HOUR_MS
    return sum + count * rate.orders * shownShare(age)
  }, 0)
  const spentMicros = sinceOrder.reduce((sum, { costMicros }) => sum + costMicros, 0)
  const strength = Math.min(
    unlikeliness(expected, rate.weight, facts),
    spentMicros / Math.max(1, rules.breakEvenCosts * breakEvenMicros),
  )
  if (strength <= 0) return null
  const first = sinceOrder[0]?.date ?? today
  const spent = { micros: spentMicros, currency }
  return {
    kind: 'NO_SALES',
    cause: `sales-${campaignId}`,
    occasion: daysBetween(first, addDays(today, 1)) >= WINDOW_DAYS ? 'never' : first,
    title: `“${name}” spends without sales`,
    body: text`${spent} for ${{ number: clicks }} clicks without an order. By its settled days about ${{ number: Math.round(expected) }} orders would have been reported by now; orders lag, and that is taken into account.`,
    url: `/campaigns?campaign=${campaignId}`,
    evidence: [
      { label: 'Spent without an order', format: 'money', value: fromMicros(spentMicros) },
      { label: 'Clicks', format: 'count', value: clicks },
      { label: 'Orders expected by now', format: 'count', value: Math.round(expected) },
      { label: 'Orders', format: 'count', value: 0 },
      { label: 'Break-even cost of an order', format: 'money', value: fromMicros(breakEvenMicros) },
    ],
    measure: clicks,
    stakeMicros: spentMicros,
    actions: ['PAUSE_CAMPAIGN'],
    strength,
    says: `${first} ${roughly(spentMicros)} ${roughly(expected)}`,
    endsAt: null,
    // After a gap of the stream clicks may come before their orders.
    isDoubtful: true,
  }
}
