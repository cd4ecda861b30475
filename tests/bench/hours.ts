import { sql } from 'kysely'
import { addFactMonths } from '#features/metrics/server/sql/fact-months.ts'
import type { Db } from '#server/db/tables.ts'
import { addDays } from '#shared/time.ts'
import { campaignIds, measureCall } from './calls.ts'
import type { Figure } from './figure.ts'
import { type DatabaseKind, emptyDatabase, fillDatabase } from './load/bench-database.ts'
import { loggedIn } from './load/http-load.ts'
import { campaignCalls, homeCalls, insightCalls } from './load/screen-calls.ts'
import { benchAccount, seed } from './load/seed.ts'
import { startServer } from './load/server-process.ts'

const goalMs: Record<DatabaseKind, number> = { embedded: 60, PostgreSQL: 25 }
const sizes = [1_000_000, 5_000_000, 20_000_000]
const samples = { first: 5, samples: 100 }
/** Of Campaigns, the calls of its first screens; Home and insights are measured whole. */
const campaignScreens = ['Campaigns: list', 'Campaigns: chart', 'Campaigns: one', 'Campaigns: budget use']

/**
 * The calls of Home, insights and a campaign's page beside ever more hourly facts: half of them are the account's own, ever
 * further back, half belong to other merchants. What a call costs must not grow with the table.
 */
export async function measureHours(kind: DatabaseKind): Promise<Figure[]> {
  const env = await emptyDatabase(kind)
  const figures: Figure[] = []
  let days = 0
  let lastDay = ''
  for (const size of sizes) {
    const began = performance.now()
    const millions = `${size / 1e6} million hours`
    const newest = days
    days = Math.ceil(size / hoursPerDay)
    lastDay = await fillDatabase(env, `hours-${size / 1e6}`, async db => {
      const last = lastDay || (await seed(db.system)).lastDay
      await seedHours(db.system, last, { newest, oldest: days - 1 })
      return last
    })
    console.log(`${millions} in ${((performance.now() - began) / 1000).toFixed(0)} s`)
    for (const figure of await measureSize(kind, env, lastDay)) figures.push({ ...figure, note: millions })
  }
  // Each call's sizes one below the other, so that growth is seen.
  return Object.values(Object.groupBy(figures, ({ name }) => name)).flatMap(one => one ?? [])
}

async function measureSize(kind: DatabaseKind, env: Record<string, string>, lastDay: string): Promise<Figure[]> {
  const server = await startServer({ ...env, JOBS: 'off', CLIENT: 'off', ANSWERS_KEPT_MB: '0' })
  const reader = await loggedIn(server.url, benchAccount)
  const ids = await campaignIds(reader, lastDay)
  const campaigns = campaignCalls(lastDay, ids).filter(({ name }) => campaignScreens.includes(name))
  const figures: Figure[] = []
  for (const call of [...homeCalls(lastDay), ...insightCalls(lastDay, ids), ...campaigns])
    figures.push(await measureCall(reader, call, { atMost: goalMs[kind] }, samples))
  reader.close()
  await server.stop()
  return figures
}

const ownCampaigns = 400
/** Rows of a day: a row an hour for the account's campaigns, and as many for others. */
const hoursPerDay = 2 * ownCampaigns * 24

const clicks = sql`(c * 7 + h.hour * 3 + d.n) % 9`
const daysPerBatch = 100

/** Adds the hours of these days before the last day. The index is made after the rows, which is many times faster. */
async function seedHours(db: Db, lastDay: string, { newest, oldest }: { newest: number; oldest: number }) {
  await sql`alter table campaign_hour drop constraint campaign_hour_pkey`.execute(db)
  await addFactMonths(db, { from: addDays(lastDay, -oldest), to: lastDay })
  for (let from = newest; from <= oldest; from += daysPerBatch) {
    const to = Math.min(from + daysPerBatch - 1, oldest)
    await sql`insert into campaign_hour (merchant_id, profile_id, campaign_id, date, hour, impressions, clicks, cost_micros, sales_micros, orders, units)
      select merchant, profile, c, ${lastDay}::date - d.n, h.hour, ${clicks} * 90, ${clicks}, ${clicks} * 400000, ${clicks} / 6 * 24000000, ${clicks} / 6, ${clicks} / 6
      from generate_series(${from}::int, ${to}::int) as d(n) cross join (
        (select merchant_id as merchant, profile_id as profile, id as c from campaign where merchant_id = 1 and profile_id = 1 order by id limit ${ownCampaigns})
        union all select 1000 + n / 10, 1000 + n / 10, 1000000 + n from generate_series(0, ${ownCampaigns - 1}) as o(n)
      ) as owners cross join generate_series(0, 23) as h(hour)`.execute(db)
    console.log(`  ${(((to + 1) * hoursPerDay) / 1e6).toFixed(1)} million rows`)
  }
  await sql`insert into profile_hour (merchant_id, profile_id, date, hour, impressions, clicks, cost_micros, sales_micros, orders, units)
    select merchant_id, profile_id, date, hour, sum(impressions), sum(clicks), sum(cost_micros), sum(sales_micros), sum(orders), sum(units)
    from campaign_hour where date between ${lastDay}::date - ${oldest}::int and ${lastDay}::date - ${newest}::int group by 1, 2, 3, 4`.execute(
    db,
  )
  await sql`alter table campaign_hour add primary key (merchant_id, date, campaign_id, hour)`.execute(db)
  console.log('  indexed')
  await sql`update metrics_state set hourly_from = ${lastDay}::date - ${oldest}::int, hourly_as_of = ${lastDay}::date + 1
    where merchant_id = 1 and profile_id = 1`.execute(db)
  await sql`vacuum analyze campaign_hour, profile_hour, metrics_state`.execute(db)
}
