import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { watchAccounts } from '#features/alerts/server/jobs.ts'
import { keepSynchronized, refreshProfile } from '#features/onboarding/server/jobs/refresh-profile.job.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { type Figure, figureOf } from './figure.ts'
import { createLoadClient } from './load/http-load.ts'
import { cpuMsOf, createManyMerchants, type ManyMerchants } from './load/many-merchants.ts'
import { campaignListPath, homeCalls } from './load/screen-calls.ts'
import { startServer } from './load/server-process.ts'

const merchantCount = Number(process.env.LOAD_MERCHANTS || 200)
const sessionCount = 40
const idleMs = 20_000

/** What something took of the product, and of the database for it. */
interface Cost {
  ms: number
  statements: number
  processMs: number
  postgresMs: number
  marketplaceCalls: number
}

/**
 * What one import, one look at a quiet account and one call cost, counted and as processor time, with one web and one worker
 * process on PostgreSQL: what they cost does not depend on what else runs on the machine. What an idle worker takes is left
 * out of the rest. LOAD_MERCHANTS is how many accounts there are.
 */
export async function measureCosts(): Promise<Figure[]> {
  const world = await createManyMerchants(merchantCount, sessionCount, {
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.track_planning': 'on',
  })
  const { db, jobs, merchants, marketplace } = world
  await sql`create extension pg_stat_statements`.execute(db.system)
  const worker = await startServer(world.env, 'worker')
  const meter = createMeter(world, worker.pid)
  // What runs once, at the start.
  await sleep(5000)
  const idle = await meter(() => sleep(idleMs))
  const importAll = async () => {
    for (const { merchantId, profileId } of merchants)
      await jobs.send(db.system, refreshProfile, { merchantId, profileId, scope: 'RECENT' }, { key: `${profileId}` })
    await untilDone(world, ['refresh-profile', 'fill-product-trade'])
  }
  await meter(importAll)
  const changed = await meter(importAll)
  await print(world, 'import')
  await fetch(`${marketplace.url}/same-figures`)
  await importAll()
  const unchanged = await meter(importAll)
  await print(world, 'same')

  await sql`insert into structure_sync (merchant_id, profile_id, synchronized_at)
    select merchant_id, id, now() - interval '10 minutes' from ads_profile`.execute(db.system)
  const synchronized = await meter(async () => {
    await jobs.send(db.system, keepSynchronized, {})
    await untilNone(world, sql`select from structure_sync where synchronized_at < now() - interval '9 minutes'`)
    await untilDone(world, ['synchronize-accounts', 'keep-synchronized'])
  })
  await print(world, 'sync')
  const watched = await meter(async () => {
    await jobs.send(db.system, watchAccounts, {})
    await untilNone(
      world,
      sql`select from ads_profile p where not exists (select from alert_watch w where w.profile_id = p.id)`,
    )
    await untilDone(world, ['watch-some-accounts', 'watch-accounts'])
  })
  await print(world, 'watch')
  await worker.stop()

  const web = await startServer(world.env)
  const meterCalls = createMeter(world, web.pid)
  const lastDay = addDays(dayIn(new Date(), 'America/Los_Angeles'), -1)
  const screens = [...homeCalls(lastDay), { path: (n: number) => campaignListPath(lastDay, n % 2) }]
  const callAll = async () => {
    for (const token of world.tokens) {
      const client = createLoadClient(web.url, token)
      for (const [n, screen] of screens.entries()) {
        const { status } = await client.get(screen.path(n))
        if (status !== 200) throw new Error(`${screen.path(n)} answered ${status}`)
      }
      client.close()
    }
  }
  const calls = world.tokens.length * screens.length
  // The first ones make the process warm.
  await callAll()
  await sql`update tenant_version set version = version + 1`.execute(db.system)
  const fresh = await meterCalls(callAll)
  await print(world, 'fresh')
  const again = await meterCalls(callAll)
  return [
    ...figuresOf('an idle worker, per minute', idle, idle.ms / 60_000, null),
    ...figuresOf('an import', changed, merchants.length, idle),
    ...figuresOf('an import of unchanged figures', unchanged, merchants.length, idle),
    ...figuresOf('a look for changes of a quiet account', synchronized, merchants.length, idle),
    ...figuresOf('a look for what stops an account', watched, merchants.length, idle),
    ...figuresOf('a call', fresh, calls, null),
    ...figuresOf('a call again', again, calls, null),
  ]
}

function figuresOf(name: string, cost: Cost, count: number, idle: Cost | null): Figure[] {
  const of = (part: keyof Cost) => (cost[part] - (idle ? (idle[part] * cost.ms) / idle.ms : 0)) / count
  return [
    figureOf(`${name}: statements`, '', [of('statements')]),
    figureOf('· processor time of its process', 'ms', [of('processMs')]),
    figureOf('· of PostgreSQL', 'ms', [of('postgresMs')]),
    ...(cost.marketplaceCalls ? [figureOf('· calls to the marketplace', '', [of('marketplaceCalls')])] : []),
  ]
}

function createMeter({ db, marketplace, postgresPid }: ManyMerchants, pid: number) {
  const read = async (): Promise<Cost> => {
    const { rows } = await sql<{ n: number }>`select sum(calls)::float8 as n from pg_stat_statements`.execute(db.system)
    const { calls } = (await (await fetch(`${marketplace.url}/calls`)).json()) as { calls: number }
    return {
      ms: performance.now(),
      statements: rows[0]?.n ?? 0,
      processMs: cpuMsOf(pid),
      postgresMs: cpuMsOf(postgresPid, 'children'),
      marketplaceCalls: calls,
    }
  }
  return async (run: () => Promise<unknown>): Promise<Cost> => {
    await sql`select pg_stat_statements_reset()`.execute(db.system)
    const before = { ...(await read()), statements: 0 }
    await run()
    const after = await read()
    return Object.fromEntries(
      Object.entries(after).map(([part, value]) => [part, value - before[part as keyof Cost]]),
    ) as unknown as Cost
  }
}

/** Waits until none of these jobs is queued or runs. */
const untilDone = (world: ManyMerchants, names: readonly string[]) =>
  untilNone(world, sql`select from jobs.job where name = any(${names}::text[]) and state < 'completed'`)

async function untilNone({ db }: ManyMerchants, query: ReturnType<typeof sql>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ isOpen: boolean }>`select exists (${query}) as "isOpen"`.execute(db.system)
    if (!rows[0]?.isOpen) return
    await sleep(1000)
  }
}

/** With COSTS_STATEMENTS: the statements that took most since the last measurement began. */
async function print({ db }: ManyMerchants, what: string): Promise<void> {
  if (!process.env.COSTS_STATEMENTS) return
  const { rows } = await sql<{ calls: number; ms: number; query: string }>`select calls::int,
      total_exec_time + total_plan_time as ms, regexp_replace(query, '\\s+', ' ', 'g') as query
    from pg_stat_statements order by ms desc limit 70`.execute(db.system)
  console.log(`\n## ${what}`)
  for (const { calls, ms, query } of rows) console.log(`${calls}\t${ms.toFixed(0)} ms\t${query.slice(0, 150)}`)
}
