import { createRandom, hashText } from '#sandbox/market/random.ts'
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
  const world = openWorld(drawAccount(number, seed), isDrifting ? 'drifting' : 'calm')
  const breaks = isDrifting ? addBreak(world, hashText(`drift ${number}`, seed)) : []
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

/** On one day conversions of all that the account sells break, for the worse more often than for the better. */
function addBreak({ store, account, day0 }: World, seed: number): number[] {
  const random = createRandom(seed)
  const { profileId, timezone } = account.profile
  const at = (day: number): number => startOfDayIn(addDays(day0, day), timezone).getTime()
  const broke = 20 + Math.floor(random() * 25)
  const conversion = random() < 0.7 ? 0.5 + 0.2 * random() : 1.35 + 0.25 * random()
  const usual = { profileId, categoryId: null, demand: 1, rivals: 1 }
  store.marketEvents.set('break', { ...usual, eventId: 'break', from: at(broke), to: at(runDays + 1), conversion })
  return [broke]
}
