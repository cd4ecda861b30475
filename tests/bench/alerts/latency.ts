import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Sandbox } from '#sandbox/start-sandbox.ts'
import { startSandbox } from '#sandbox/start-sandbox.ts'
import { createVault } from '#server/crypto/envelope.ts'
import type { Db } from '#server/db/tables.ts'
import { marketplaces } from '#shared/marketplaces.ts'
import { addDays, dayIn, hourIn } from '#shared/time.ts'
import { outsideWorld } from '../../support/processes.ts'
import { type Figure, figureOf } from '../figure.ts'
import { turnMonths } from '#features/metrics/server/sql/fact-months.ts'
import { emptyDatabase, openMigrated } from '../load/bench-database.ts'
import { startServer } from '../load/server-process.ts'
import { atEnd } from '../stops.ts'

const accounts = 1000
const campaignsEach = 3
const historyDays = 14
/** Messages a second, one for each account. */
const rate = 20
/** The last push comes within this time, or never. */
const lastPushesMs = 20_000
const goal = { atMost: 5000 }
const budgetMicros = 50_000_000
const vapidKeyId = 'bench'

/**
 * From the moment at which a message of the stream is on the queue until a push about it has reached the push service: a
 * thousand accounts, one of which after the other has used up its budget in the morning.
 */
export async function measureAlertLatency(): Promise<Figure[]> {
  const sandbox = await startSandbox({ scenario: 'new-seller' })
  atEnd(() => sandbox.close())
  const env = await emptyDatabase('PostgreSQL')
  const began = performance.now()
  const db = await openMigrated(env)
  await seedAccounts(db.system)
  const devices = await seedBrowsers(db.system, sandbox)
  await sql`vacuum analyze`.execute(db.system)
  await db.close()
  console.log(`${accounts} accounts in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  await startServer({
    ...env,
    ...outsideWorld(sandbox.url, sandbox.smtpPort),
    VAPID_KEYS: `${vapidKeyId}:${randomBytes(32).toString('base64url')}`,
    CLIENT: 'off',
  })
  const sentAt = await sendAll(sandbox, [...devices.keys()])
  const until = Date.now() + lastPushesMs
  let spread = delays(sandbox, devices, sentAt)
  while (spread.length < accounts && Date.now() < until) {
    await wait(500)
    spread = delays(sandbox, devices, sentAt)
  }
  return [
    figureOf(`message to push, ${rate} messages a second`, 'ms', spread, {
      goal,
      note: `${accounts} accounts with ${campaignsEach} campaigns; ${accounts - spread.length} without a push`,
    }),
  ]
}

/** A marketplace where it is morning: a budget that is used up by now ends far too early. */
function morningMarketplace() {
  const now = new Date()
  const byMorning = (timezone: string): number => Math.abs(hourIn(now, timezone) - 10)
  const [first] = marketplaces.toSorted((a, b) => byMorning(a.timezone) - byMorning(b.timezone))
  if (!first) throw new Error('there is no marketplace')
  return first
}

async function seedAccounts(db: Db): Promise<void> {
  const { id, key, currency, timezone, region } = morningMarketplace()
  const today = dayIn(new Date(), timezone)
  const n = sql`generate_series(1, ${accounts}::int) as g(n)`
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db)
  // As they are before any figures come; otherwise the server moves a million of them when it starts.
  await turnMonths(db, dayIn(new Date(), 'UTC'), new AbortController().signal)
  await run(sql`insert into account (email, password_hash, first_name, last_name, account_type, email_verified_at, current_marketplace_id)
    select 'watcher' || n || '@tideline.test', 'no log-in', 'Wanda', 'Watch', 'SELLER', now(), ${id}::int from ${n}`)
  await run(sql`insert into account_role (account_id, role) select id, 'OWNER' from account`)
  await run(sql`insert into subscription (account_id, plan_id, status, trial_started_at, trial_ends_at)
    select id, 1, 'trialing', now(), now() + interval '14 days' from account`)
  await run(sql`insert into merchant (name, account_type, region, selling_partner_id)
    select 'Seller ' || n, 'SELLER', ${region}, 'A' || n from ${n}`)
  await run(sql`insert into membership (account_id, merchant_id, role)
    select a.id, m.merchant_id, 'OWNER' from account a join merchant m on m.selling_partner_id = 'A' || substring(a.email from 8 for position('@' in a.email) - 8)`)
  await run(sql`update account a set current_merchant_id = m.merchant_id from membership m where m.account_id = a.id`)
  await run(sql`insert into connection (merchant_id, kind, region, granted_by)
    select merchant_id, kind, ${region}, account_id from membership cross join (values ('AMAZON_ADS'), ('SELLING_PARTNER')) as k(kind)`)
  await run(sql`insert into merchant_marketplace (merchant_id, marketplace_id, is_participating, has_suspended_listings)
    select merchant_id, ${id}::int, true, false from merchant`)
  await run(sql`insert into ads_profile (merchant_id, connection_id, amazon_profile_id, region, marketplace_id, country_code,
      currency, timezone, account_name, account_type, valid_payment_method, is_managed, managed_at)
    select merchant_id, id, 900000 + merchant_id, ${region}, ${id}::int, ${key}, ${currency}, ${timezone},
      'Seller', 'SELLER', true, true, now() from connection where kind = 'AMAZON_ADS'`)
  await run(sql`insert into campaign (merchant_id, profile_id, amazon_id, name, state, targeting_type, daily_budget_micros, bidding_strategy, bidding, start_date, serving_status)
    select merchant_id, id, (7000000000 + id * 10 + g.n)::text, 'Campaign ' || g.n, 'ENABLED', 'MANUAL', ${budgetMicros}::bigint, 'SALES_DOWN_ONLY',
      '{"strategy":"SALES_DOWN_ONLY","placements":[]}'::jsonb, '2026-01-01', 'CAMPAIGN_STATUS_ENABLED'
    from ads_profile cross join generate_series(1, ${campaignsEach}::int) as g(n)`)
  const figures = sql`120, 3, ${budgetMicros}::bigint / 30, ${budgetMicros}::bigint / 8, 1, 1`
  const columns = sql.raw('impressions, clicks, cost_micros, sales_micros, orders, units')
  await run(sql`insert into campaign_hour (merchant_id, profile_id, campaign_id, date, hour, ${columns})
    select merchant_id, profile_id, id, ${today}::date - d.n, h.hour, ${figures}
    from campaign cross join generate_series(1, ${historyDays}::int) as d(n) cross join generate_series(0, 23) as h(hour)`)
  await run(sql`insert into profile_hour (merchant_id, profile_id, date, hour, ${columns})
    select merchant_id, profile_id, date, hour, sum(impressions), sum(clicks), sum(cost_micros), sum(sales_micros), sum(orders), sum(units)
    from campaign_hour group by 1, 2, 3, 4`)
  await run(sql`insert into metrics_state (merchant_id, profile_id, data_version, daily_as_of, daily_from, daily_to, hourly_from, hourly_as_of)
    select merchant_id, id, 1, now(), ${addDays(today, -historyDays)}, ${addDays(today, -1)}, ${addDays(today, -historyDays)}::date, now() from ads_profile`)
}

/** A browser for each account; answers the path of its push service by the marketplace's id of the account's first campaign. */
async function seedBrowsers(db: Db, sandbox: Sandbox): Promise<Map<string, string>> {
  const vault = createVault([{ id: 'measured', key: Buffer.alloc(32, 7) }])
  const { rows } = await sql<{ accountId: number; campaignId: string }>`
    select m.account_id as "accountId", min(c.amazon_id) as "campaignId"
    from membership m join campaign c on c.merchant_id = m.merchant_id group by 1 order by 1`.execute(db)
  const paths = new Map<string, string>()
  for (const { accountId, campaignId } of rows) {
    const answer = await sandbox.control('POST', 'push/subscriptions', { applicationServerKey: null })
    const { endpoint, keys } = (await answer.json()) as { endpoint: string; keys: object }
    const sealed = vault.seal(JSON.stringify(keys), `push_subscription:${accountId}:keys:${endpoint}`)
    await sql`with opened as (insert into session (id, account_id, created_at, expires_at)
        values (gen_random_uuid(), ${accountId}, now(), now() + interval '30 days') returning id)
      insert into push_subscription (account_id, session_id, endpoint, keys_sealed, key_id, created_at, seen_at)
      select ${accountId}::bigint, id, ${endpoint}, ${sealed}, ${vapidKeyId}, now(), now() from opened`.execute(db)
    paths.set(campaignId, new URL(endpoint).pathname)
  }
  return paths
}

/** Sends that one campaign after the other has nearly used up its budget; answers when, by campaign. */
async function sendAll(sandbox: Sandbox, campaignIds: readonly string[]): Promise<Map<string, number>> {
  const { amazonId } = morningMarketplace()
  const sentAt = new Map<string, number>()
  const began = Date.now()
  for (const [i, campaignId] of campaignIds.entries()) {
    await wait(began + (i * 1000) / rate - Date.now())
    const now = new Date()
    const usage = {
      dataset_id: 'budget-usage',
      advertiser_id: 'A1',
      marketplace_id: amazonId,
      budget_scope_id: campaignId,
      budget_scope_type: 'CAMPAIGN',
      advertising_product_type: 'SP',
      budget: budgetMicros / 1e6,
      budget_usage_percentage: 100,
      usage_updated_timestamp: now.toISOString(),
    }
    sentAt.set(campaignId, now.getTime())
    await sandbox.control('POST', 'stream', { records: [usage] })
  }
  return sentAt
}

const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, Math.max(0, ms)))

function delays(sandbox: Sandbox, devices: ReadonlyMap<string, string>, sentAt: ReadonlyMap<string, number>): number[] {
  const arrivals = new Map<string, number>()
  for (const { path, at } of sandbox.world.journal.list({ vendor: 'push' }))
    if (!arrivals.has(path)) arrivals.set(path, Date.parse(at))
  return [...sentAt].flatMap(([campaignId, at]) => {
    const arrived = arrivals.get(devices.get(campaignId) ?? '')
    return arrived === undefined ? [] : [arrived - at]
  })
}
