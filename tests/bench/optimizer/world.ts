import type { Store } from '#sandbox/core/model/store.ts'
import { type CollectionName, collectionNames, emptyStore } from '#sandbox/core/store/collections.ts'
import { createMarket, type Market } from '#sandbox/market/create-market.ts'
import type { MessyAccount } from '#sandbox/scenarios/messy-account.ts'
import { addDays, dayIn, startOfDayIn } from '#shared/time.ts'
import { createJudge, type ExpectedDay } from './expectation.ts'
import type { BudgetBook } from './facts.ts'
import { Reports } from './reports.ts'

const HOUR_MS = 3_600_000
const decisionHour = 9

/** An account in its market at the moment of take-over, with the reports of its history. */
export interface World {
  account: MessyAccount
  store: Store
  market: Market
  reports: Reports
  budgets: BudgetBook
  firstDay: string
  /** The day of take-over. */
  day0: string
  /** The seller's budget for a day: what the campaigns had together. */
  budgetMicros: number
  judge: (day: string, isBounded?: boolean) => ExpectedDay
}

/** When decisions are made on a day: after the morning's reports. */
export const momentOf = ({ account }: Pick<World, 'account'>, day: string): Date =>
  new Date(startOfDayIn(day, account.profile.timezone).getTime() + decisionHour * HOUR_MS)

/** Lets the history of an account pass. */
export function openWorld(account: MessyAccount): World {
  const { store, profile, seed, startsAt, takenOverAt } = account
  const day0 = dayIn(takenOverAt, profile.timezone)
  const judge = createJudge(account, store)
  const budgetMicros = [...store.campaigns.values()].reduce((sum, one) => sum + one.budgetMicros, 0)
  const market = createMarket(store, { seed, startsAt, cachesStructure: true })
  const world = {
    account,
    store,
    market,
    reports: new Reports(profile),
    budgets: new Map(),
    firstDay: dayIn(new Date(startsAt.getTime() + 24 * HOUR_MS), profile.timezone),
    day0,
    budgetMicros,
    judge,
  }
  const at = momentOf(world, day0)
  market.advance(at)
  world.reports.read(market, at, world.firstDay)
  return world
}

/** The same world again, so that another can act in it. */
export function copyWorld(world: World): World {
  const { account, market } = world
  const store = emptyStore()
  for (const name of collectionNames) copyCollection(world.store, store, name)
  const copy = createMarket(store, { seed: account.seed, startsAt: account.startsAt, cachesStructure: true })
  copy.restore(structuredClone(market.dump()))
  const reports = new Reports(account.profile)
  for (const [day, one] of world.reports.days) reports.days.set(day, one)
  return {
    ...world,
    store,
    market: copy,
    reports,
    budgets: structuredClone(world.budgets),
    judge: createJudge(account, store),
  }
}

function copyCollection(from: Store, to: Store, name: CollectionName): void {
  const target = to[name] as Map<unknown, unknown>
  for (const [key, entry] of from[name] as Map<unknown, unknown>) target.set(key, structuredClone(entry))
}

/** One who acts on an account once a day. */
export interface Manager {
  /** Whether it reads reports: without, nothing needs to be simulated. */
  reads: boolean
  act(world: World, today: string, at: Date): void
}

/** Lets a manager act for so many days, and says what was to be expected of each. */
export function play(
  world: World,
  manager: Manager,
  days: number,
  each?: (day: string, at: Date) => void,
): ExpectedDay[] {
  return Array.from({ length: days }, (_, d) => {
    const today = addDays(world.day0, d)
    const at = momentOf(world, today)
    if (manager.reads) {
      world.market.advance(at)
      world.reports.read(world.market, at, world.firstDay)
      manager.act(world, today, at)
      world.market.invalidate(world.account.profile.profileId)
    }
    world.budgets.set(today, new Map([...world.store.campaigns].map(([id, one]) => [id, one.budgetMicros])))
    each?.(today, at)
    return world.judge(today)
  })
}
