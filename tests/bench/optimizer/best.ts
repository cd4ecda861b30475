import { multipleOracle, profitOracle } from '#sandbox/market/judge/oracle.ts'
import { addDays } from '#shared/time.ts'
import { setBid } from './apply.ts'
import { copyWorld, type Day, judged, momentOf, type World } from './world.ts'

/** What is best changes with the market: it is looked for again after so many days. */
const everyDays = 15

/**
 * What one who knows all that the market will do on average would reach on these days with bids alone, within the total of
 * the budgets: the most profit, or the most sales that the target allows.
 */
export function bestOf(world: World, days: readonly number[], goal: 'PROFIT' | 'SALES'): Day[] {
  const { account, marginOf, budgetMicros: totalBudgetMicros } = world
  const { profileId } = account.profile
  const best = copyWorld(world)
  const { market, store } = best
  let foundFor = -1
  return days.map(day => {
    const turn = Math.floor(day / everyDays)
    if (turn !== foundFor) {
      const at = momentOf(world, addDays(world.day0, turn * everyDays + Math.floor(everyDays / 2)))
      const limits = { marginOf, totalBudgetMicros, targetAcos: account.targetAcos }
      const { bids } = (goal === 'PROFIT' ? profitOracle : multipleOracle)(market, store, profileId, at, limits)
      for (const [id, bid] of bids) setBid(store, id, bid, account.takenOverAt.getTime())
      foundFor = turn
    }
    const free = judged(best, day, momentOf(world, addDays(world.day0, day)), false)
    const affordable = Math.min(1, totalBudgetMicros / Math.max(1, free.cost))
    return { day, profit: free.profit * affordable, cost: free.cost * affordable, sales: free.sales * affordable }
  })
}
