import { changeInConsole } from '#sandbox/console/console-change.ts'
import type { MarketEvent, Store } from '#sandbox/core/model/store.ts'
import { World } from '#sandbox/core/world.ts'
import { createMarket } from '#sandbox/market/create-market.ts'
import { scenarios } from '#sandbox/scenarios/scenarios.ts'
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts'

/** Something that is brought about in the marketplace. */
export type Act =
  | { do: 'console'; change: { entity: string; id: string; action: string; value?: number } }
  | { do: 'event'; event: Pick<MarketEvent, 'profileId' | 'categoryId' | 'demand' | 'conversion'>; hours: number }
  | { do: 'hold'; held: boolean }
  | { do: 'fault'; kind: 'duplicate-delivery' | 'out-of-order'; times: number }

const HOUR_MS = 3_600_000
/** More than any campaign can spend. */
const WITHOUT_END = 1000

/**
 * The emulator with two copies that nobody sees, made from the same seed: in `boundless` the same happens, but no budget ever
 * runs out; in `usual` nothing happens at all. What differs between them is what an act has brought about.
 */
export interface PlayedWorld {
  sandbox: Sandbox
  boundless: World
  usual: World
  moveTo(moment: Date): void
  act(act: Act): Promise<void>
  close(): Promise<void>
}

export async function startPlayedWorld({ startsAt, seed }: { startsAt: Date; seed: number }): Promise<PlayedWorld> {
  const scenario = 'watched'
  const begun = performance.now()
  const clock = { now: () => new Date(startsAt.getTime() + performance.now() - begun) }
  const sandbox = await startSandbox({ scenario, clock })
  sandbox.world.reset(scenario, { now: startsAt, seed })
  const copy = (): World => {
    const world = new World({ scenarios, scenario, createMarket, config: sandbox.world.config, clock })
    world.reset(scenario, { now: startsAt, seed })
    world.change(store => raiseBudgets(store))
    return world
  }
  const [boundless, usual] = [copy(), copy()]
  const worlds = [sandbox.world, boundless, usual]
  return {
    sandbox,
    boundless,
    usual,
    moveTo: moment => {
      for (const world of worlds) {
        if (moment > world.clock.now()) world.clock.set(moment)
        world.market()
      }
    },
    act: act => carryOut(sandbox, boundless, act),
    close: async () => {
      await sandbox.close()
      for (const world of [boundless, usual]) world.close()
    },
  }
}

function raiseBudgets({ campaigns }: Store): void {
  for (const [id, campaign] of campaigns)
    campaigns.set(id, { ...campaign, budgetMicros: campaign.budgetMicros * WITHOUT_END })
}

async function carryOut(sandbox: Sandbox, boundless: World, act: Act): Promise<void> {
  if (act.do === 'console') {
    await control(sandbox, 'console', act.change)
    const { action, entity } = act.change
    // An account's own limit is no budget of a campaign: what it costs is not missed by one.
    if ((action !== 'budget' || entity === 'profile') && entity !== 'login') changeInConsole(boundless, act.change)
  }
  if (act.do === 'event') {
    const from = Math.floor(sandbox.world.clock.now().getTime() / HOUR_MS) * HOUR_MS
    await control(sandbox, 'events', { ...act.event, lasts: `PT${act.hours}H` })
    const event = {
      ...act.event,
      rivals: 1,
      eventId: `${from}${act.event.profileId}`,
      from,
      to: from + act.hours * HOUR_MS,
    }
    boundless.change(store => store.marketEvents.set(event.eventId, event))
  }
  if (act.do === 'hold') await control(sandbox, 'stream', { held: act.held })
  if (act.do === 'fault')
    await control(sandbox, 'faults', { match: { vendor: 'sqs' }, kind: act.kind, times: act.times })
}

async function control(sandbox: Sandbox, call: string, body: object): Promise<void> {
  const answer = await sandbox.control('POST', call, body)
  if (!answer.ok) throw new Error(`${call}: ${answer.status} ${await answer.text()}`)
}

/** What a campaign truly cost and brought in one hour, however late the marketplace reports it. */
export interface TrueHour {
  campaignId: string
  day: string
  at: number
  costMicros: number
  orders: number
}

/** The true hours of an account's days; orders are those of the clicks of the hour. */
export function trueHours(world: World, profileId: number, [from, to]: readonly [string, string]): TrueHour[] {
  const settled = new Date(world.clock.now().getTime() + 90 * 24 * HOUR_MS)
  const sums = new Map<string, TrueHour>()
  for (const { campaignId, day, at, costMicros, orders } of world.market().facts(profileId, from, to, settled)) {
    const key = `${campaignId} ${at}`
    const sum = sums.get(key) ?? { campaignId, day, at, costMicros: 0, orders: 0 }
    sums.set(key, { ...sum, costMicros: sum.costMicros + costMicros, orders: sum.orders + orders.d14 })
  }
  return [...sums.values()].toSorted((a, b) => a.at - b.at)
}
