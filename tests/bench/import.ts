import { sql } from 'kysely'
import { type DailyRow, replaceDays } from '#features/metrics/server/sql/replace-days.ts'
import type { Database } from '#server/db/open-database.ts'
import { addDays } from '#shared/time.ts'
import { type Figure, figureOf } from './figure.ts'
import { type DatabaseKind, emptyDatabase, openMigrated } from './load/bench-database.ts'
import { seed } from './load/seed.ts'

const goal = { atMost: 30 }

/** A day's report with a row for each of half a million targets, from the parsed rows to all that is summed from them. */
export async function measureImport(kind: DatabaseKind): Promise<Figure[]> {
  const env = await emptyDatabase(kind)
  const db = await openMigrated(env)
  const { lastDay } = await seed(db.system, 'large')
  const account = await largestAccount(db)
  const day = addDays(lastDay, 1)
  const first = await replaced(db, account, day, day)
  const again = await replaced(db, account, day, day)
  // Every fiftieth target was shown, on each of these days.
  const month = await replaced(db, account, addDays(lastDay, -29), lastDay, 50)
  await db.close()
  return [
    figureOf('a day of 520,000 targets', 's', [first.seconds], { goal, note: `${first.rows} rows` }),
    figureOf('· the same day again', 's', [again.seconds], { goal, note: `${again.rows} rows` }),
    figureOf('30 days again, one target of fifty', 's', [month.seconds], { note: `${month.rows} rows` }),
    figureOf('memory of the process for a day', 'MB', [first.megabytes], { note: 'with the rows of the report' }),
  ]
}

interface Account {
  merchantId: number
  profileId: number
}

async function largestAccount(db: Database): Promise<Account> {
  const { rows } = await sql<Account>`select merchant_id as "merchantId", profile_id as "profileId" from campaign
    group by 1, 2 order by count(*) desc limit 1`.execute(db.system)
  const [account] = rows
  if (!account) throw new Error('there is no account')
  return account
}

async function replaced(db: Database, account: Account, from: string, to: string, every = 1) {
  const { rows: targets } = await sql<{ id: number; campaign: number; group: number }>`
    select id, campaign_id as campaign, ad_group_id as group from target
    where merchant_id = ${account.merchantId} and profile_id = ${account.profileId} and id % ${every} = 0`.execute(
    db.system,
  )
  const rows: DailyRow[] = []
  for (let date = from; date <= to; date = addDays(date, 1))
    for (const { id, campaign, group } of targets)
      rows.push({
        campaign_id: campaign,
        ad_group_id: group,
        target_id: id,
        date,
        impressions: (id * 7) % 900,
        clicks: id % 13,
        cost_micros: (id % 13) * 410_000,
        sales_micros: (id % 3) * 19_990_000,
        orders: id % 3,
        units: id % 3,
      })
  const began = performance.now()
  let peak = process.memoryUsage().rss
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50)
  const covered = { from, to, adType: 'SPONSORED_PRODUCTS' } as const
  await db.tenant(account.merchantId, tx => replaceDays(tx, 'target_day', account, covered, rows))
  clearInterval(watch)
  return { rows: rows.length, seconds: (performance.now() - began) / 1000, megabytes: peak / 1e6 }
}
