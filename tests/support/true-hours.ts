import { expect } from 'vitest'
import { homeEndpoints as home } from '#features/home/contract.ts'
import { homeRoutes } from '#features/home/server/routes.ts'
import { type HourCell, hourlyEndpoints } from '#features/insights/contract.ts'
import { insightsRoutes } from '#features/insights/server/routes.ts'
import type { Fact } from '#sandbox/market/market.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { addSums } from '#shared/metrics.ts'
import { fromMicros } from '#shared/money.ts'
import { addDays, dayIn, hourIn } from '#shared/time.ts'
import { bookedHours, receivedHours } from './hour-sums.ts'
import { booked, type Days, shown, type TrueWorld } from './true-world.ts'

const HOUR_MS = 3_600_000
type Budgets = EndpointOutput<typeof home.budgets>

/** Compares every hour since a moment with the marketplace's own books, and the hours of the week on two clocks. */
export async function expectTrueHours(trueWorld: TrueWorld, country: string, since: Date): Promise<void> {
  const { services, world, profileOf } = trueWorld
  const profile = profileOf(country)
  // The hour of the subscription is sent whole.
  const first = new Date(Math.floor(since.getTime() / HOUR_MS) * HOUR_MS)
  const hours = bookedHours(world, profile, first)
  expect(Object.keys(hours).length).toBeGreaterThan(48)
  expect(await receivedHours(services, profile, first)).toEqual(hours)

  await trueWorld.workIn(country)
  const days = { from: dayIn(first, profile.timezone), to: trueWorld.today(country) }
  const { timezone } = profile
  /** Of two hours with one number the first one shows them both. */
  const startOf = ({ at, hour }: Fact): Date => {
    const before = new Date(at - HOUR_MS)
    return hourIn(before, timezone) === hour ? before : new Date(at)
  }
  for (const clock of ['MARKETPLACE', 'USER'] as const) {
    const zone = clock === 'USER' ? 'Asia/Kolkata' : timezone
    const keyOf = (fact: Fact): string | null => {
      if (fact.at < first.getTime()) return null
      const start = startOf(fact)
      const weekday = (new Date(`${dayIn(start, zone)}T00:00:00Z`).getUTCDay() + 6) % 7
      return `${weekday + 1} ${hourIn(start, zone)}`
    }
    const { cells } = await trueWorld.answer<{ cells: HourCell[] }>(country, insightsRoutes, hourlyEndpoints.heatmap, {
      dateFrom: days.from,
      dateTo: days.to,
      metric: 'cost',
      clock,
      timezone: zone,
    })
    expect(shown(cells, cell => `${cell.weekday} ${cell.hour}`)).toEqual(booked(trueWorld.books(country, days, keyOf)))
  }
}

/** Compares today's budgets, what is spent of them and the month with the marketplace's own books. */
export async function expectTrueBudgets(
  trueWorld: TrueWorld,
  country: string,
  source: 'HOURS' | 'DAYS',
): Promise<void> {
  await trueWorld.workIn(country)
  const { store } = trueWorld.world
  const budgets = await trueWorld.answer<Budgets>(country, homeRoutes, home.budgets, {})
  const today = trueWorld.today(country)
  const day: Days = { from: today, to: today }
  const spent = trueWorld.books(country, day, fact => fact.campaignId)
  const profileId = Number(trueWorld.profileOf(country).amazonProfileId)
  const running = new Map(
    [
      ...store.campaigns,
      ...[...store.brandCampaigns].filter(([, { budgetType }]) => budgetType === 'DAILY'),
      ...store.displayCampaigns,
    ].flatMap(([id, one]): [string, number][] =>
      one.profileId === profileId && one.state === 'ENABLED' ? [[id, one.budgetMicros]] : [],
    ),
  )
  expect(budgets.today).toMatchObject({ source, count: running.size })
  const total = budgets.today?.total
  expect(total?.budget).toBe(fromMicros([...running.values()].reduce((sum, micros) => sum + micros, 0)))
  expect(total?.spent).toBe(fromMicros(addSums([...spent.values()]).costMicros))
  const amazonIds = await trueWorld.amazonIds(country, 'campaign')
  const listed = budgets.today?.campaigns ?? []
  for (const one of listed) {
    const amazonId = amazonIds.get(one.campaignId) ?? ''
    expect(one.spent).toBe(fromMicros(spent.get(amazonId)?.costMicros ?? 0))
    expect(one.budget).toBe(fromMicros(running.get(amazonId) ?? 0))
  }
  // By days all that spent most of their budget are listed, and no others.
  if (source === 'DAYS') {
    const near = [...running].filter(([id, micros]) => (spent.get(id)?.costMicros ?? 0) >= micros * 0.8)
    expect(new Set(listed.map(one => amazonIds.get(one.campaignId)))).toEqual(new Set(near.map(([id]) => id)))
  }
}

/** Compares the spend of the month, and what it will be, with the marketplace's own books. */
export async function expectTrueMonth(trueWorld: TrueWorld, country: string): Promise<void> {
  const { month } = await trueWorld.answer<Budgets>(country, homeRoutes, home.budgets, {})
  const today = trueWorld.today(country)
  const cost = (days: Days): number =>
    addSums([...trueWorld.books(country, days, fact => fact.day).values()]).costMicros
  const before = { from: `${today.slice(0, 7)}-01`, to: addDays(today, -1) }
  const spentMicros = before.to < before.from ? 0 : cost(before)
  expect(month.spent).toBe(fromMicros(spentMicros))
  // With Brands and Display orders count for 14 days, and as long a day may change.
  const settledTo = addDays(today, -15)
  const averageMicros = Math.round(cost({ from: addDays(settledTo, -6), to: settledTo }) / 7)
  expect(month.average).toBe(fromMicros(averageMicros))
  const daysLeft = Number(month.to.slice(8)) - Number(today.slice(8)) + 1
  expect(month.projected).toBe(fromMicros(spentMicros + averageMicros * daysLeft))
}
