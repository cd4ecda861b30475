import { createRandom, hashText, normal } from '#sandbox/market/random.ts'
import { drawAccount } from '#sandbox/scenarios/messy-account.ts'
import { addDays, startOfDayIn } from '#shared/time.ts'
import { bestOf } from './best.ts'
import { engine, type EngineRun, fourCases, nothing, rules, settingsOf } from './managers.ts'
import { copyWorld, type Day, type Manager, openWorld, play, type World } from './world.ts'

export const runDays = 90

/** One account in one market, and what came of it under each manager. Days are those that were judged. */
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
  best: Day[]
  /** The most sales that the target and the budget allow. */
  mostSales: Day[]
  profitRun: EngineRun
  reachRun: EngineRun
  /** The world after the profit strategy, and as it was before. */
  after: World
  before: World
  /** The days on which conversions break. */
  breaks: number[]
}

export function runWorld(number: number, seed: number, { isDrifting }: { isDrifting: boolean }): Result {
  const world = openWorld(drawAccount(number, seed))
  const breaks = isDrifting ? addDrift(world, hashText(`drift ${number}`, seed)) : []
  const { account, budgetMicros } = world
  const under = (manager: Manager): Day[] => play(copyWorld(world), manager, runDays)
  const after = copyWorld(world)
  const profitRun = engine(settingsOf(world, 'PROFIT'))
  const reachRun = engine(settingsOf(world, 'REACH'))
  const profit = play(after, profitRun, runDays)
  const days = profit.map(one => one.day)
  return {
    account: account.name,
    seed,
    targets: world.store.keywords.size + world.store.targets.size,
    targetAcos: account.targetAcos,
    budget: budgetMicros,
    nothing: under(nothing()),
    rules: under(rules()),
    fourCases: isDrifting ? [] : under(fourCases()),
    profit,
    reach: isDrifting ? [] : under(reachRun),
    best: bestOf(world, days, 'PROFIT'),
    mostSales: isDrifting ? [] : bestOf(world, days, 'SALES'),
    profitRun,
    reachRun,
    after,
    before: world,
    breaks,
  }
}

/**
 * What happens to an account in these days: rivals' bids and conversions wander from week to week, and once conversions
 * break, for the worse more often than for the better.
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
  const broke = 20 + Math.floor(random() * 25)
  const factor = random() < 0.7 ? 0.5 + 0.2 * random() : 1.35 + 0.25 * random()
  event(broke, runDays + 1, null, 1, factor)
  return [broke]
}
