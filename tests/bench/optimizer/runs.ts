import { createRandom, hashText, normal } from '#sandbox/market/random.ts'
import { drawAccount } from '#sandbox/scenarios/messy-account.ts'
import { addDays, startOfDayIn } from '#shared/time.ts'
import type { ExpectedDay } from './expectation.ts'
import { engine, type EngineRun, fourCases, nothing, rules, settingsOf } from './managers.ts'
import { findOracle, type Oracle } from './oracle.ts'
import { copyWorld, type Manager, openWorld, play, type World } from './world.ts'

export const runDays = 90
/** What is best changes with the market: it is looked for again after so many days. */
const oracleDays = 15

/** A day as it was to be expected, in micros. */
export interface Day {
  profit: number
  cost: number
  sales: number
}

/** One account in one market, and what came of it under each manager. */
export interface Result {
  account: string
  seed: number
  targets: number
  targetAcos: number
  budget: number
  nothing: Day[]
  rules: Day[]
  fourCases: Day[]
  profit: Day[]
  reach: Day[]
  /** Of each day. */
  best: Pick<Oracle, 'profit'>[]
  /** The most sales that the target and the budget allow, with their cost. */
  mostSales: Pick<Oracle, 'sales' | 'cost'>
  profitRun: EngineRun
  reachRun: EngineRun
  /** The world after the profit strategy, and as it was before. */
  after: World
  before: World
  /** The days on which conversions or rivals break. */
  breaks: number[]
}

export function runWorld(number: number, seed: number, { isDrifting }: { isDrifting: boolean }): Result {
  const world = openWorld(drawAccount(number, seed))
  const breaks = isDrifting ? addDrift(world, hashText(`drift ${number}`, seed)) : []
  const { account, budgetMicros } = world
  const days = (days: readonly ExpectedDay[]): Day[] =>
    days.map(({ cost, sales }) => ({ cost, sales, profit: sales * account.margin - cost }))
  const under = (manager: Manager): Day[] => days(play(copyWorld(world), manager, runDays))
  const after = copyWorld(world)
  const profitRun = engine(settingsOf(world, 'PROFIT'))
  const reachRun = engine(settingsOf(world, 'REACH'))
  const turns = isDrifting ? Math.ceil(runDays / oracleDays) : 1
  const bests = Array.from({ length: turns }, (_, turn) => {
    const day = addDays(world.day0, Math.min(runDays - 1, turn * oracleDays + Math.floor(oracleDays / 2)))
    return findOracle(copyWorld(world), day, 'PROFIT')
  })
  return {
    account: account.name,
    seed,
    targets: world.store.keywords.size + world.store.targets.size,
    targetAcos: account.targetAcos,
    budget: budgetMicros,
    nothing: under(nothing()),
    rules: under(rules()),
    fourCases: isDrifting ? [] : under(fourCases()),
    profit: days(play(after, profitRun, runDays)),
    reach: isDrifting ? [] : under(reachRun),
    best: Array.from({ length: runDays }, (_, d) => bests[isDrifting ? Math.floor(d / oracleDays) : 0] as Oracle),
    mostSales: findOracle(copyWorld(world), world.day0, 'SALES'),
    profitRun,
    reachRun,
    after,
    before: world,
    breaks,
  }
}

/**
 * What happens to an account in these days: rivals' bids and conversions wander from week to week, and once or twice
 * conversions break, for the worse more often than for the better.
 */
function addDrift({ store, account, day0 }: World, seed: number): number[] {
  const random = createRandom(seed)
  const { profile } = account
  const categories = [...new Set([...store.products.values()].map(one => one.categoryId))]
  const at = (day: number): number => startOfDayIn(addDays(day0, day), profile.timezone).getTime()
  const event = (from: number, to: number, categoryId: string | null, rivals: number, conversion: number): void => {
    const eventId = `${categoryId} ${from} ${to}`
    const { profileId } = profile
    const span = { from: at(from), to: at(to) }
    store.marketEvents.set(eventId, { eventId, profileId, categoryId, ...span, demand: 1, rivals, conversion })
  }
  for (const categoryId of categories) {
    let [rivals, conversion] = [0, 0]
    for (let day = 0; day < runDays; day += 7) {
      // A half-life of three weeks.
      rivals = rivals * 0.79 + 0.16 * normal(random)
      conversion = conversion * 0.79 + 0.08 * normal(random)
      event(day, day + 7, categoryId, Math.exp(rivals), Math.exp(conversion))
    }
  }
  const first = 20 + Math.floor(random() * 25)
  const factor = random() < 0.7 ? 0.5 + 0.2 * random() : 1.35 + 0.25 * random()
  event(first, runDays + 1, null, 1, factor)
  return [first]
}
