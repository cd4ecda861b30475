import type { Fact } from '../../market/market.ts'

const LAST_HOUR = 23

/**
 * The last hour in which a campaign showed on a day whose money ran out, by all of that day's facts; null where the
 * money lasted. It ran out where what was left would not buy one more click of the day's price and nothing showed any
 * more: a day may cost more than its budget where the month has left some over.
 */
export function ranOutIn(facts: readonly Fact[], budgetMicros: number): Fact | null {
  let [cost, clicks] = [0, 0]
  let last: Fact | null = null
  for (const fact of facts) {
    cost += fact.costMicros
    clicks += fact.clicks
    if (fact.impressions > 0 && (!last || fact.at > last.at)) last = fact
  }
  const left = budgetMicros - cost
  return last && last.hour < LAST_HOUR && cost > 0 && left < (clicks > 0 ? cost / clicks : 1) ? last : null
}
