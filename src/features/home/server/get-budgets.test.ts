import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ctx, Services } from '#server/context.ts'
import { addDays, daysOf, startOfDayIn } from '#shared/time.ts'
import {
  addTestAccount,
  addTestCampaign,
  type TestAccount,
  testCaller,
} from '../../../../tests/support/campaign-account.ts'
import { testServices } from '../../../../tests/support/services.ts'
import { homeEndpoints } from '../contract.ts'
import { getBudgets } from './get-budgets.ts'

const today = '2026-03-20'
const start = startOfDayIn(today, 'America/Los_Angeles')
const hoursPassed = 13
const hoursLater = (hours: number) => new Date(start.getTime() + hours * 3_600_000)
const now = hoursLater(hoursPassed)
const [dearBudget, cheapBudget] = [40, 20]

let services: Services & { close(): Promise<void> }
let account: TestAccount
let ctx: Ctx
let dear: number
let cheap: number

beforeAll(async () => {
  services = await testServices({ clock: { now: () => now } })
  account = await addTestAccount(services)
  ctx = await testCaller(services, account)
  const added = (name: string, seed: object) => addTestCampaign(services, account, { name, ...seed })
  const past = { days: daysOf('2026-03-01', '2026-03-12'), day: [900, 30, 10, 40, 2] }
  dear = (await added('Dear', { budget: dearBudget, ...past })).campaignId
  cheap = (await added('Cheap', { budget: cheapBudget })).campaignId
  await sql`insert into metrics_state (merchant_id, profile_id, data_version, daily_as_of, daily_from, daily_to, hourly_from, hourly_as_of)
    values (${account.merchantId}, ${account.profileId}, 1, ${now}, '2026-01-01', ${today}, ${start}, ${now})`.execute(
    services.db.system,
  )
})
afterAll(() => services.close())

/** Makes these the account's only hours. Costs are in units. */
const setHours = (hours: { campaignId: number; date: string; hour: number; cost: number }[]) =>
  services.db.tenant(account.merchantId, async tx => {
    const { merchantId, profileId } = account
    await sql`delete from campaign_hour where merchant_id = ${merchantId} and profile_id = ${profileId}`.execute(tx)
    for (const { campaignId, date, hour, cost } of hours)
      await sql`insert into campaign_hour (merchant_id, profile_id, campaign_id, date, hour, impressions, clicks, cost_micros, sales_micros, orders, units)
        values (${merchantId}, ${profileId}, ${campaignId}, ${date}, ${hour}, 9, 3, ${Math.round(cost * 1e6)}, 0, 0, 0)`.execute(
        tx,
      )
  })

test('today’s budgets have a pace, an end and a month, worked out by hand', async () => {
  // The first spends three times what its budget has for the hours so far, the second a tenth of it.
  const spent = [dearBudget * (hoursPassed / 24) * 3, cheapBudget * (hoursPassed / 24) * 0.1] as const
  await setHours([
    { campaignId: dear, date: today, hour: 0, cost: spent[0] },
    { campaignId: cheap, date: today, hour: 0, cost: spent[1] },
  ])
  const answer = v.parse(homeEndpoints.budgets.response, await getBudgets(ctx))
  expect(answer.today).toMatchObject({ source: 'HOURS', count: 2 })
  expect(answer.today?.campaigns).toHaveLength(1)
  const [first] = answer.today?.campaigns ?? []
  expect(first).toMatchObject({ campaignId: dear, curve: 'CLOCK', outSince: null })
  expect(first?.projected).toBeCloseTo(dearBudget * 3, 2)
  // A third of the day: 8 hours after midnight. What was spent is a whole number of micros, so it is not exact.
  expect(Math.abs(Date.parse(first?.endsAt ?? '') - hoursLater(8).getTime())).toBeLessThan(1000)
  expect(first?.lostMinutesAhead).toBe(16 * 60)
  expect(answer.today?.total.spent).toBeCloseTo(spent[0] + spent[1], 6)
  // Twelve days of 10.00 are settled; the last 7 of them say what each of the 12 days from today on costs.
  expect(answer.month).toMatchObject({ spent: 120, average: 10, daysLeft: 12, projected: 240 })
})

test('a budget that used to end early has the pace of its own hours, and what is used up says since when', async () => {
  const { merchantId, profileId } = account
  // On ten days: 10 in the first hour of each, and 10 at noon of the five that still ran by then.
  const hour = (date: string, at: number, cost: number) => ({ campaignId: dear, date, hour: at, cost })
  const past = daysOf(addDays(today, -10), addDays(today, -1)).flatMap((date, i) => [
    hour(date, 0, 10),
    ...(i < 5 ? [hour(date, 12, 10)] : []),
  ])
  await setHours([...past, hour(today, 0, dearBudget)])
  await sql`insert into campaign_budget_usage (merchant_id, profile_id, campaign_id, at, budget_micros, usage_percent)
    values (${merchantId}, ${profileId}, ${dear}, ${hoursLater(1)}, ${dearBudget * 1e6}, 100)`.execute(
    services.db.system,
  )
  const { today: answer } = await getBudgets(ctx)
  // Half of what such a day costs falls before the budget ended at 1 AM.
  expect(answer?.campaigns[0]).toMatchObject({
    campaignId: dear,
    curve: 'OWN',
    spent: dearBudget,
    projected: dearBudget * 2,
    outSince: hoursLater(1).toISOString(),
    lostMinutes: (hoursPassed - 1) * 60,
    endsAt: null,
  })
})
