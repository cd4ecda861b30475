import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { FactChange } from '#sandbox/market/market.ts'
import type { World } from '#sandbox/core/world.ts'
import { addDays } from '#shared/time.ts'
import { startPlayedWorld } from './played-world.ts'
import { accountsOf, hoursUntil, planOf, type Play, type PlayedAccount } from './plays.ts'
import { type CountedHours, countHours } from './truth.ts'

const HOUR_MS = 3_600_000
const historyDays = 29
/** As the stream has it: a report of the budget's use at each twentieth. */
const usageSteps = 20

/** How far the reports of one hour of a campaign changed, day and hour in its account's time zone. */
export interface HourChange {
  campaignId: string
  date: string
  hour: number
  impressions: number
  clicks: number
  costMicros: number
  orders: number
  salesMicros: number
}
export interface UsageReport {
  campaignId: string
  budgetMicros: number
  usagePercent: number
}

/** What a client of the stream received at one moment. */
export interface Delivery {
  at: number
  changes: HourChange[]
  usage: UsageReport[]
  /** The budgets of all campaigns by then. */
  budgets: Record<string, number>
}

/** Days of accounts as a client of the marketplace could see them, hour by hour, and what was counted in truth. */
export interface Recording {
  seed: number
  startsAt: string
  accounts: (PlayedAccount & {
    currency: string
    kinds: readonly string[]
    counted: CountedHours
    campaigns: { campaignId: string; name: string }[]
  })[]
  /** The first has the four weeks before. */
  deliveries: Delivery[]
}

/** Plays days in the emulator alone, without the product. With a folder, what was recorded there before is read again. */
export async function recordingOf(play: Play, folder?: string): Promise<Recording> {
  const file = `${folder}/alert-days-${play.seed}.json`
  if (folder && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Recording
  const recording = await record(play)
  if (folder) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, JSON.stringify(recording))
  }
  return recording
}

async function record(play: Play): Promise<Recording> {
  const { seed, startsAt, days } = play
  const played = await startPlayedWorld({ seed, startsAt: new Date(startsAt) })
  try {
    const { acts, plans, end } = planOf(played, play)
    const { world } = played.sandbox
    const start = Math.floor(Date.parse(startsAt) / HOUR_MS) * HOUR_MS
    const profileIds = Object.keys(days).map(Number)
    const deliveries: Delivery[] = []
    let until = start
    let isHeld = false
    for (const { at, due } of hoursUntil(played, end, acts)) {
      played.moveTo(new Date(at))
      const hour = Math.floor(at / HOUR_MS) * HOUR_MS
      // What is due at an hour happens after that hour's messages were sent.
      if (!isHeld) {
        deliveries.push({ at, changes: [], usage: usageBetween(world, until, hour), budgets: budgetsOf(world) })
        until = hour
      }
      for (const { act } of due) {
        await played.act(act)
        if (act.do === 'hold') isHeld = act.held
      }
    }
    for (const profileId of profileIds) addChanges(world, profileId, start, deliveries)
    return {
      seed,
      startsAt,
      deliveries,
      accounts: accountsOf(played, play, plans).map(account => {
        const { profileId } = account
        return {
          ...account,
          currency: world.store.profiles.get(profileId)?.currency ?? '',
          kinds: days[profileId] ?? [],
          counted: countHours(played, profileId, account.days),
          campaigns: [...world.store.campaigns.values()]
            .filter(one => one.profileId === profileId)
            .map(({ campaignId, name }) => ({ campaignId, name })),
        }
      }),
    }
  } finally {
    await played.close()
  }
}

const budgetsOf = ({ store }: World): Record<string, number> =>
  Object.fromEntries([...store.campaigns.values()].map(one => [one.campaignId, one.budgetMicros]))

function usageBetween(world: World, from: number, to: number): UsageReport[] {
  return [...world.store.campaigns.values()].flatMap(({ campaignId, budgetMicros }) => {
    const [before, after] = [from, to].map(at => world.market().budgetUsage(campaignId, new Date(at)).share) as [
      number,
      number,
    ]
    if (Math.floor(before * usageSteps) === Math.floor(after * usageSteps)) return []
    return [{ campaignId, budgetMicros, usagePercent: Math.round(after * 10_000) / 100 }]
  })
}

/** Adds what the reports of an account had at the start to the first delivery, and each later change to its own. */
function addChanges(world: World, profileId: number, start: number, deliveries: Delivery[]): void {
  const market = world.market()
  const since = new Date(start - historyDays * 24 * HOUR_MS)
  const { timezone } = world.store.profiles.get(profileId) ?? {}
  if (!timezone) throw new Error(`there is no profile ${profileId}`)
  const firstDay = addDays(since.toISOString().slice(0, 10), -1)
  const before = market
    .facts(profileId, firstDay, addDays(firstDay, historyDays + 3), new Date(start))
    .filter(fact => fact.at >= since.getTime())
  deliveries[0]?.changes.push(...sumUp(before.map(after => ({ before: null, after }))))
  const end = new Date((deliveries.at(-1)?.at ?? start) + HOUR_MS)
  const changes = market.factChanges(profileId, since, [new Date(start), end], undefined, 1)
  for (const [at, own] of changes) {
    const delivery = deliveries.find(one => one.at >= at)
    delivery?.changes.push(...sumUp(own))
  }
}

/** The changes by campaign and hour. */
function sumUp(changes: readonly FactChange[]): HourChange[] {
  const sums = new Map<string, HourChange>()
  const add = (fact: FactChange['before'], sign: 1 | -1): void => {
    if (!fact) return
    const { campaignId, day: date, hour } = fact
    const key = `${campaignId} ${date} ${hour}`
    const none = { campaignId, date, hour, impressions: 0, clicks: 0, costMicros: 0, orders: 0, salesMicros: 0 }
    const sum = sums.get(key) ?? none
    sums.set(key, {
      ...sum,
      impressions: sum.impressions + sign * fact.impressions,
      clicks: sum.clicks + sign * fact.clicks,
      costMicros: sum.costMicros + sign * fact.costMicros,
      orders: sum.orders + sign * fact.orders.d7,
      salesMicros: sum.salesMicros + sign * fact.salesMicros.d7,
    })
  }
  for (const { before, after } of changes) {
    add(before, -1)
    add(after, 1)
  }
  return [...sums.values()].filter(one => one.clicks || one.impressions || one.orders || one.costMicros)
}
