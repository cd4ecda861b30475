import type { Profile } from '#features/accounts/server/public.ts'
import { alertRaised, alertSettled } from '#features/alerts/server/public.ts'
import { sweepAlerts } from '#features/alerts/server/jobs.ts'
import { testCampaigns } from '#features/alerts/server/test-campaigns.ts'
import { watchAccount } from '#features/alerts/server/watch-account.ts'
import { hoursReceived, receiveHours, subscribeHours } from '#features/metrics/server/public.ts'
import { importStructure } from '#features/structure/server/public.ts'
import { changeInConsole } from '#sandbox/console/console-change.ts'
import { scenarios } from '#sandbox/scenarios/scenarios.ts'
import type { Services } from '#server/context.ts'
import { addDays, dayIn, startOfDayIn } from '#shared/time.ts'
import { connectSeller } from './connected-seller.ts'
import { servicesWithOutside } from './outside.ts'

const HOUR_MS = 3_600_000
const sellerId = 'A4DRIFTWOODUSX'
export const watchedProfileId = 4100000000000011
export const signal = new AbortController().signal
const job = { id: 'job', attempt: 0, lastAttempt: false, signal }

/** What was announced of an alert. */
export interface Said {
  signal: 'raised' | 'settled'
  kind?: string
  cause: string
  occasion?: string
  stakeMicros?: number | null
  currency?: string | null
  actions?: string[]
  campaignId?: number | null
}

/**
 * One seller with six campaigns in which nothing is wrong, beside the emulator, as if it had been watched for four weeks. The
 * emulator's clock is the product's, and moves only when a test moves it.
 */
export async function openWatchedAccount(startsAt: Date) {
  const opened = await servicesWithOutside({ scenario: 'alone', scenarios: { alone }, startsAt })
  const { sandbox } = opened
  const { world } = sandbox
  const said: Said[] = []
  const received: Parameters<typeof testCampaigns>[1][] = []
  const announce: Services['jobs']['announce'] = (_tx, { name }, data) => {
    if (name === alertRaised.name) said.push({ ...(data as unknown as Said), signal: 'raised' })
    if (name === alertSettled.name) said.push({ ...(data as unknown as Said), signal: 'settled' })
    if (name === hoursReceived.name)
      received.push((data as unknown as { accounts: (typeof received)[number] }).accounts)
    return Promise.resolve()
  }
  const services: Services = {
    ...opened.services,
    clock: world.clock,
    jobs: { ...opened.services.jobs, announce },
  }
  await sandbox.control('POST', 'stream', { daysBefore: 29 })
  const seller = await connectSeller(services, { login: 'seller@sandbox.test', sellerId, countries: ['US'] })
  const [profile] = seller.profiles as [Profile]
  await importStructure(services, profile, { signal, onProgress: async () => undefined })
  await subscribeHours(services, profile)

  const receive = (by: Services = services) => receiveHours(by, new Date(world.clock.now().getTime() + 600_000), signal)
  /** Takes in what the stream has, and tests what it is of, as the jobs do. */
  const work = async (by: Services = services): Promise<void> => {
    await receive(by)
    for (const accounts of received.splice(0)) await testCampaigns(by, accounts, world.clock.now())
    await sweepAlerts.run(by, {}, job)
    await watchAccount(by, profile)
  }
  /** Moves to a local hour of a day, some hours at a time, and works after each move. */
  const playUntil = async (day: string, hour: number, stepHours = 3): Promise<void> => {
    const end = startOfDayIn(day, profile.timezone).getTime() + hour * HOUR_MS + 60_000
    while (world.clock.now().getTime() < end) {
      world.clock.set(new Date(Math.min(end, world.clock.now().getTime() + stepHours * HOUR_MS)))
      await work()
    }
  }
  // The confirmations of the subscriptions come first, and then the weeks before.
  await receive()
  await receive()
  received.length = 0
  return {
    services,
    sandbox,
    world,
    seller,
    profile,
    said,
    receive,
    work,
    playUntil,
    /** The day after so many others, in the account's time zone. */
    day: (n: number) => addDays(dayIn(startsAt, profile.timezone), n),
    console(change: object): void {
      const problem = changeInConsole(world, change)
      if (problem) throw new Error(problem)
    },
    close: () => opened.services.close(),
  }
}
export type WatchedAccount = Awaited<ReturnType<typeof openWatchedAccount>>

function alone(start: Parameters<(typeof scenarios)['watched'] & object>[0]) {
  const scenario = scenarios['watched']?.(start)
  if (!scenario) throw new Error('there is no scenario of accounts to be watched')
  const { products, profiles } = scenario.store
  for (const [key, product] of products) if (product.sellerId !== sellerId) products.delete(key)
  for (const id of profiles.keys()) if (id !== watchedProfileId) profiles.delete(id)
  return scenario
}
