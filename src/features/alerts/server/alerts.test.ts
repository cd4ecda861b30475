import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Services } from '#server/context.ts'
import { addDays } from '#shared/time.ts'
import { addTestAccount, addTestCampaign, type TestAccount } from '../../../../tests/support/campaign-account.ts'
import { testServices } from '../../../../tests/support/services.ts'
import { announceSeeded } from './account-alerts.ts'
import { learnDismissal, sweepAlerts } from './jobs.ts'
import { announceChangesOutside } from './changed-outside.ts'
import { testCampaigns } from './test-campaigns.ts'
import { type ReaderText, writeText } from '#shared/reader-text.ts'

interface Said {
  signal: string
  merchantId: number
  cause: string
  kind?: string
  occasion?: string
  actions?: string[]
  body?: ReaderText
}

let services: Services & { close(): Promise<void> }
let account: TestAccount
let said: Said[] = []
let now = new Date('2026-11-20T19:05:00Z')
const today = '2026-11-20'
const job = { id: 'job', attempt: 0, lastAttempt: false, signal: new AbortController().signal }

beforeAll(async () => {
  const opened = await testServices({ clock: { now: () => now } })
  services = {
    ...opened,
    jobs: {
      ...opened.jobs,
      announce: async (_tx, { name }, data) => void said.push({ ...(data as unknown as Said), signal: name.slice(7) }),
    },
  } as typeof services
  account = await addTestAccount(services)
})
afterAll(() => services.close())
beforeEach(() => {
  said = []
  now = new Date('2026-11-20T19:05:00Z')
})

/** A campaign of 50 a day with four weeks of days from 8 to 20 o'clock that cost 36 for 36 clicks and bring 3 orders of 60. */
async function campaign(own = account): Promise<number> {
  const { system } = services.db
  const { campaignId: id } = await addTestCampaign(services, own, { name: 'Oak shelves', budget: 50 })
  await sql`insert into campaign_hour (merchant_id, profile_id, campaign_id, date, hour, impressions, clicks, cost_micros, orders, units, sales_micros)
    select ${own.merchantId}, ${own.profileId}, ${id}, ${today}::date - d, h, 100, 3, 3e6, (h % 4 = 0)::int, (h % 4 = 0)::int, (h % 4 = 0)::int * 60e6
    from generate_series(1, 28) d, generate_series(8, 19) h`.execute(system)
  return id
}
async function reportUse(campaignId: number, at: string, percent: number, budget = 50, own = account) {
  await sql`insert into campaign_budget_usage (merchant_id, profile_id, campaign_id, at, budget_micros, usage_percent)
    values (${own.merchantId}, ${own.profileId}, ${campaignId}, ${at}, ${budget * 1e6}, ${percent})`.execute(
    services.db.system,
  )
}
const run = (...campaignIds: number[]) => testCampaigns(services, [{ ...account, campaignIds }], now)
const short = () => said.map(({ signal, kind, occasion }) => [signal, kind, occasion].filter(Boolean).join(' '))

test('a budget that empties is raised once as it paces, once when it is out, and is over at midnight', async () => {
  const id = await campaign()
  await reportUse(id, '2026-11-20T18:00:00Z', 85)
  await Promise.all([run(id), run(id)])
  expect(short()).toEqual(['alert-raised BUDGET_PACING 2026-11-20-pace'])
  await run(id)
  expect(said).toHaveLength(1)
  await reportUse(id, '2026-11-20T19:00:00Z', 100)
  await run(id)
  await run(id)
  expect(short().slice(1)).toEqual(['alert-raised OUT_OF_BUDGET 2026-11-20-out'])
  expect(said[1]).toMatchObject({
    merchantId: account.merchantId,
    cause: `budget-${id}`,
    actions: ['RAISE_BUDGET_TODAY', 'PAUSE_CAMPAIGN'],
    // By 11:00 a quarter of its hours are over: 150 more would bring five times as much.
    stakeMicros: 750e6,
    currency: 'USD',
  })
  now = new Date('2026-11-21T08:00:30Z')
  await sweepAlerts.run(services, {}, job)
  expect(short().slice(2)).toEqual(['alert-settled'])
})

test('a raised budget or a paused campaign settles its alert within a minute', async () => {
  const [raised, paused] = [await campaign(), await campaign()]
  for (const id of [raised, paused]) await reportUse(id, '2026-11-20T19:00:00Z', 100)
  await run(raised, paused)
  expect(said).toHaveLength(2)
  await sql`update campaign set daily_budget_micros = 200e6, updated_at = ${now} where id = ${raised}`.execute(
    services.db.system,
  )
  await sql`update campaign set state = 'PAUSED', updated_at = ${now} where id = ${paused}`.execute(services.db.system)
  await sweepAlerts.run(services, {}, job)
  expect(said.slice(2).map(({ signal, cause }) => `${signal} ${cause}`)).toEqual([
    `alert-settled budget-${raised}`,
    `alert-settled budget-${paused}`,
  ])
})

test('what somebody dismissed as expected is not raised again as strong as that', async () => {
  const id = await campaign()
  await reportUse(id, '2026-11-20T19:00:00Z', 100)
  await run(id)
  const dismissal = { merchantId: account.merchantId, cause: `budget-${id}`, at: now.toISOString() }
  await learnDismissal.run(services, { ...dismissal, reason: 'EXPECTED' }, job)
  const nextDay = async (day: string): Promise<string[]> => {
    said = []
    now = new Date(`${day}T19:05:00Z`)
    await reportUse(id, `${day}T19:00:00Z`, 100)
    await run(id)
    return short()
  }
  expect(await nextDay('2026-11-21')).toEqual(['alert-settled'])
  expect(await nextDay('2026-11-22')).toEqual([])
  await learnDismissal.run(services, { ...dismissal, reason: null }, job)
  expect(await nextDay('2026-11-23')).toEqual(['alert-raised OUT_OF_BUDGET 2026-11-23-out'])
})

test('while an account’s connection is lost its campaigns are silent, and the loss is raised once', async () => {
  const other = await addTestAccount(services)
  const id = await campaign(other)
  await sql`update connection set health = 'LOST', lost_at = ${now} where merchant_id = ${other.merchantId}`.execute(
    services.db.system,
  )
  await sweepAlerts.run(services, {}, job)
  await sweepAlerts.run(services, {}, job)
  expect(said.filter(({ merchantId }) => merchantId === other.merchantId)).toMatchObject([
    { signal: 'alert-raised', kind: 'CONNECTION_LOST' },
  ])
  await reportUse(id, '2026-11-20T19:00:00Z', 100, 50, other)
  said = []
  await testCampaigns(services, [{ ...other, campaignIds: [id] }], now)
  expect(said).toEqual([])
  await sql`update connection set health = 'CONNECTED' where merchant_id = ${other.merchantId}`.execute(
    services.db.system,
  )
  await sweepAlerts.run(services, {}, job)
  expect(short()).toEqual(['alert-settled'])
  await testCampaigns(services, [{ ...other, campaignIds: [id] }], now)
  expect(short().slice(1)).toEqual(['alert-raised OUT_OF_BUDGET 2026-11-20-out'])
})

test('clicks at several times their price are a spike, however late the figures come', async () => {
  const id = await campaign()
  await sql`insert into campaign_hour (merchant_id, profile_id, campaign_id, date, hour, impressions, clicks, cost_micros, orders, units, sales_micros)
    select ${account.merchantId}, ${account.profileId}, ${id}, ${today}::date, h, 100, 5, 20e6, 0, 0, 0 from generate_series(8, 10) h`.execute(
    services.db.system,
  )
  await run(id)
  expect(short()).toEqual(['alert-raised SPEND_SPIKE 2026-11-20'])
  // 60 instead of 12 by the end of the hour from 11 to 12.
  expect(said[0]).toMatchObject({ stakeMicros: 48e6, actions: ['PAUSE_CAMPAIGN'] })
})

test('a trial that ends in three days is raised to its payer alone, and once more when it has ended', async () => {
  const other = await addTestAccount(services)
  const ends = new Date(now.getTime() + 3 * 86_400_000 - 60_000)
  await sql`update subscription set trial_ends_at = ${addDays(today, 90)}`.execute(services.db.system)
  await sql`update subscription set trial_ends_at = ${ends} where account_id = ${other.accountId}`.execute(
    services.db.system,
  )
  for (const later of [0, 1, 3, 6]) {
    now = new Date(ends.getTime() - (3 - later) * 86_400_000)
    await sweepAlerts.run(services, {}, job)
  }
  const own = said.filter(({ cause }) => cause === `trial-${other.accountId}`)
  expect(own).toMatchObject([
    { accountId: other.accountId, kind: 'TRIAL_ENDING', occasion: 'soon-2026-11-23' },
    { accountId: other.accountId, kind: 'TRIAL_ENDING', occasion: 'ended-2026-11-23' },
    // Three days later nobody needs to hear of it any more.
    { signal: 'alert-settled' },
  ])
})

test('the end of an import is raised once, however often it is announced', async () => {
  const other = await addTestAccount(services)
  for (const hours of [0, 1, 48]) {
    now = new Date(now.getTime() + hours * 3_600_000)
    await announceSeeded(services, other)
  }
  expect(said).toMatchObject([
    { signal: 'alert-raised', kind: 'SEEDING_FINISHED', cause: `seeding-${other.profileId}`, stakeMicros: null },
  ])
})

test('a budget that somebody changed at the marketplace is raised of a campaign that is managed here, with its undo', async () => {
  const [managed, foreign] = [await campaign(), await campaign()]
  const { system } = services.db
  const { merchantId, profileId } = account
  await sql`update campaign set launched_at = ${now} where id = ${managed}`.execute(system)
  for (const id of [managed, foreign])
    await sql`insert into entity_change (merchant_id, profile_id, group_id, entity, entity_id, campaign_id, field, before, after, origin, at)
      values (${merchantId}, ${profileId}, gen_random_uuid(), 'campaign', ${id}, ${id}, 'budget', '50', '500', 'MARKETPLACE', ${now})`.execute(
      system,
    )
  const owner = { merchantId, profileId, currency: 'USD' }
  await announceChangesOutside(services, owner, new Date(now.getTime() - 600_000))
  await announceChangesOutside(services, owner, new Date(now.getTime() - 600_000))
  expect(said).toMatchObject([
    {
      kind: 'EXTERNAL_CHANGE',
      cause: `changed-${managed}`,
      actions: ['UNDO_CHANGE'],
      actionDetail: expect.any(String),
    },
  ])
  expect(writeText(said[0]?.body ?? '')).toBe(
    'Daily budget: $50.00 → $500.00. Somebody did that at the marketplace itself.',
  )
  expect(writeText(said[0]?.body ?? '', { locale: 'de-DE', timeZone: 'Europe/Berlin' })).toMatch(
    /: 50,00\s\$ → 500,00\s\$\. /,
  )
})
