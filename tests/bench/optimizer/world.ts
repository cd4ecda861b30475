import type { Store } from '#sandbox/core/model/store.ts'
import { type CollectionName, collectionNames, emptyStore } from '#sandbox/core/store/collections.ts'
import { createMarket, type Market } from '#sandbox/market/create-market.ts'
import type { Drift } from '#sandbox/market/market.ts'
import type { Expected, MarginOf } from '#sandbox/market/judge/expect.ts'
import { judge } from '#sandbox/market/judge/judge.ts'
import type { MessyAccount } from '#sandbox/scenarios/messy-account.ts'
import { addDays, dayIn, startOfDayIn } from '#shared/time.ts'
import type { BudgetBook } from './facts.ts'
import { Reports } from './reports.ts'

const HOUR_MS = 3_600_000
const decisionHour = 9
/** Bids change at most every third day, so that days in between are much the same. */
const judgedEvery = 3

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
  marginOf: MarginOf
  /** How much rivals and conversions wander. */
  drift: Drift
}

/** When decisions are made on a day: after the morning's reports. */
export const momentOf = ({ account }: Pick<World, 'account'>, day: string): Date =>
  new Date(startOfDayIn(day, account.profile.timezone).getTime() + decisionHour * HOUR_MS)

/** Lets the history pass. */
export function openWorld(account: MessyAccount, drift: Drift = 'calm'): World {
  const { store, profile, seed, startsAt, takenOverAt } = account
  const day0 = addDays(dayIn(takenOverAt, profile.timezone), 1)
  const market = createMarket(store, { seed, startsAt, drift, cachesStructure: true })
  const world = {
    account,
    store,
    market,
    reports: new Reports(profile),
    budgets: new Map(),
    firstDay: dayIn(new Date(startsAt.getTime() + 24 * HOUR_MS), profile.timezone),
    day0,
    budgetMicros: [...store.campaigns.values()].reduce((sum, one) => sum + one.budgetMicros, 0),
    marginOf: (asin: string) => account.margins.get(asin) ?? account.margin,
    drift,
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
  const { seed, startsAt } = account
  const copy = createMarket(store, { seed, startsAt, drift: world.drift, cachesStructure: true })
  copy.restore(structuredClone(market.dump()))
  const reports = new Reports(account.profile)
  for (const [day, one] of world.reports.days) reports.days.set(day, one)
  return { ...world, store, market: copy, reports, budgets: structuredClone(world.budgets) }
}

function copyCollection(from: Store, to: Store, name: CollectionName): void {
  const target = to[name] as Map<unknown, unknown>
  for (const [key, entry] of from[name] as Map<unknown, unknown>) target.set(key, structuredClone(entry))
}

/** One who acts on an account once a day. */
export interface Manager {
  /** Whether it reads reports. */
  reads: boolean
  act(world: World, today: string, at: Date): void
}

/** A day as it was to be expected, in micros. Sales are those that reports will show. */
export interface Day {
  day: number
  profit: number
  cost: number
  sales: number
}

const toDay = (day: number, { profitMicros, costMicros, sales7Micros }: Expected): Day => ({
  day,
  profit: profitMicros,
  cost: costMicros,
  sales: sales7Micros,
})

/** What a day can expect with the bids, and budgets if they count, as they are now. */
export function judged({ market, store, account, marginOf }: World, day: number, at: Date, withBudgets = true): Day {
  return toDay(day, judge(market, store, account.profile.profileId, at, { marginOf, withBudgets }).total)
}

/** Lets a manager act for so many days, and says what was to be expected of every third of them. */
export function play(world: World, manager: Manager, days: number, firstDay = 0): Day[] {
  return Array.from({ length: days }, (_, n) => n + firstDay).flatMap(d => {
    const today = addDays(world.day0, d)
    const at = momentOf(world, today)
    world.market.advance(at)
    if (manager.reads) {
      world.reports.read(world.market, at, world.firstDay)
      manager.act(world, today, at)
      world.market.invalidate(world.account.profile.profileId)
    }
    world.budgets.set(today, new Map([...world.store.campaigns].map(([id, one]) => [id, one.budgetMicros])))
    return d % judgedEvery === 0 ? [judged(world, d, at)] : []
  })
}
