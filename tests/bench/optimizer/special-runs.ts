import { createMarket } from '#sandbox/market/create-market.ts'
import { profitOracle } from '#sandbox/market/judge/oracle.ts'
import { createRandom } from '#sandbox/market/random.ts'
import { drawAccount, type MessyAccount, setBudgets } from '#sandbox/scenarios/messy-account.ts'
import type { Figure } from '../figure.ts'
import { setBid } from './apply.ts'
import { bestOf } from './best.ts'
import { type Delivery, engine, nothing, settingsOf } from './managers.ts'
import { runDays } from './runs.ts'
import { mean, withInterval } from './statistics.ts'
import { copyWorld, type Day, openWorld, play } from './world.ts'

const profitOf = (days: readonly Day[]): number => days.reduce((sum, one) => sum + one.profit, 0)

/** The account with bids that cannot be bettered much, and budgets that allow them. */
function bestAccount(number: number, seed: number): MessyAccount {
  const account = { ...drawAccount(number, seed), budgetFactor: 1.5 }
  const { store, profile, seed: marketSeed, startsAt } = account
  const market = createMarket(store, { seed: marketSeed, startsAt })
  const marginOf = (asin: string): number => account.margins.get(asin) ?? account.margin
  const { bids } = profitOracle(market, store, profile.profileId, startsAt, { marginOf })
  for (const [id, bid] of bids) setBid(store, id, bid, startsAt.getTime())
  setBudgets(account)
  return account
}

/** What the engine does to accounts that are at their best already. */
export function measureBestAccounts(pairs: readonly (readonly [account: number, seed: number])[]): Figure[] {
  const runs = pairs.flatMap(([number, seed]) => {
    const world = openWorld(bestAccount(number, seed))
    const untouched = play(copyWorld(world), nothing(), runDays)
    const best = bestOf(
      world,
      untouched.slice(0, 5).map(one => one.day),
      'PROFIT',
    )
    if (profitOf(untouched.slice(0, 5)) < 0.95 * profitOf(best)) return []
    const run = engine(settingsOf(world, 'PROFIT'))
    const profit = profitOf(play(copyWorld(world), run, runDays))
    const targets = world.store.keywords.size + world.store.targets.size
    return [{ profitShare: profit / profitOf(untouched), changes: run.rows.length / runDays, targets }]
  })
  if (!runs.length) return []
  return [
    {
      name: 'begins within 5 % of the oracle: profit kept',
      unit: '%',
      value: 100 * mean(runs.map(one => one.profitShare)),
      count: runs.length,
      goal: { atLeast: 95 },
      note: `the least ${(100 * Math.min(...runs.map(one => one.profitShare))).toFixed(0)}`,
    },
    {
      name: '· changes a day',
      unit: '',
      value: mean(runs.map(one => one.changes)),
      count: runs.length,
      goal: { atMost: 2 },
      note: `${mean(runs.map(one => one.targets)).toFixed(0)} targets on average`,
    },
  ]
}

/** One write in ten fails: refused for the day, or carried out while lists still show the old value. */
export function unreliable(seed: number): Delivery {
  const random = createRandom(seed)
  return () => {
    const roll = random()
    return roll < 0.075 ? 'refused' : roll < 0.1 ? 'shown late' : 'arrives'
  }
}

/** Chance goes other ways after the first fault: one run would tell more about that than about faults. */
const faultyRuns = 3

/** What faults on a tenth of all writes cost, and what was made twice because of them. */
export function measureFaults(pairs: readonly (readonly [account: number, seed: number])[]): Figure[] {
  const runs = pairs.flatMap(([number, seed]) => {
    const account = drawAccount(number, seed)
    const world = openWorld(account)
    const under = (delivery: Delivery | undefined) => {
      const run = engine(settingsOf(world, 'PROFIT'), delivery)
      return { days: play(copyWorld(world), run, runDays), rows: run.rows }
    }
    const faultless = under(undefined)
    const best = profitOf(
      bestOf(
        world,
        faultless.days.map(one => one.day),
        'PROFIT',
      ),
    )
    return Array.from({ length: faultyRuns }, (_, turn) => {
      const faulty = under(unreliable(number * 100 + seed + turn * 10_000))
      const made = faulty.rows.flatMap(({ createdId, decision: { entityId, kind, before, after } }) =>
        createdId ? [`${kind} ${entityId} ${kind === 'harvest' ? before : after}`] : [],
      )
      return {
        account: account.name,
        change: (profitOf(faulty.days) - profitOf(faultless.days)) / best,
        twice: made.length - new Set(made).size,
      }
    })
  })
  const { value, low, high } = withInterval(runs, of => 100 * mean(of.map(one => one.change)))
  const changes = runs.map(one => 100 * one.change)
  return [
    {
      name: "faults on 10 % of writes: change of profit, of the oracle's",
      unit: '%',
      value,
      count: runs.length,
      goal: { between: [-2, 2] },
      note: `${low.toFixed(1)} to ${high.toFixed(1)} · runs ${Math.min(...changes).toFixed(1)} to ${Math.max(...changes).toFixed(1)}`,
    },
    {
      name: '· written twice',
      unit: '',
      value: runs.reduce((sum, one) => sum + one.twice, 0),
      count: runs.length,
      goal: { atMost: 0 },
    },
  ]
}
