import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { refreshProfile } from '#features/onboarding/server/jobs/refresh-profile.job.ts'
import type { Jobs } from '#server/context.ts'
import type { Database } from '#server/db/open-database.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { type Figure, figureOf, quantile } from './figure.ts'
import { createLoadClient } from './load/http-load.ts'
import { cpuMsOf, createManyMerchants } from './load/many-merchants.ts'
import { campaignListPath, homeCalls } from './load/screen-calls.ts'
import { campaignsPerMerchant, type SeededMerchant } from './load/seed-merchants.ts'
import { type ServerProcess, startServer } from './load/server-process.ts'

const setting = (name: string, usual: number) => Number(process.env[name] || usual)
const minutes = setting('LOAD_MINUTES', 60)
/** How many times faster than in life imports become due: with 24 a day's in an hour. */
const speed = setting('LOAD_SPEED', 24)
const merchantCount = setting('LOAD_MERCHANTS', 10_000)
const sessionCount = setting('LOAD_SESSIONS', 200)
/** Of each kind. */
const processCount = setting('LOAD_PROCESSES', 2)
const importsPerDay = 3
/** A person looks at a screen for a while before the next tap. */
const pauseMs = 2000
const sampleMs = 5000

/**
 * Several web and worker processes on one PostgreSQL server with many merchants: a day of imports, spread evenly over an
 * hour, while sessions call the screens of Home and Campaigns. LOAD_MERCHANTS, LOAD_MINUTES, LOAD_SPEED, LOAD_SESSIONS
 * and LOAD_PROCESSES make it smaller.
 */
export async function measureLoad(): Promise<Figure[]> {
  const { env, db, jobs, merchants, tokens, marketplace, postgresPid } = await createManyMerchants(
    merchantCount,
    sessionCount,
  )
  const web = await Promise.all(Array.from({ length: processCount }, () => startServer(env)))
  const workers = await Promise.all(Array.from({ length: processCount }, () => startServer(env, 'worker')))
  await queueImports(db, jobs, merchants)
  // As of accounts that were imported: the marketplace's history of each is asked every five minutes, and every ten what stops its ads.
  await sql`insert into structure_sync (merchant_id, profile_id, synchronized_at) select merchant_id, id, now() from ads_profile`.execute(
    db.system,
  )
  const measuring = { until: performance.now() + minutes * 60_000, isOver: false }
  const parts = () => ({
    'the web processes': web.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0),
    'the workers': workers.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0),
    PostgreSQL: cpuMsOf(postgresPid, 'children'),
    'the marketplace': cpuMsOf(marketplace.pid),
    'the callers': process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000,
  })
  const before = parts()
  const memory = sampleMemory({ web, workers }, measuring)
  const calls = (
    await Promise.all(tokens.map((token, n) => useScreens(web[n % web.length]?.url ?? '', token, measuring)))
  ).flat()
  const used = Object.entries(parts()).map(([name, ms]) => [name, ms - before[name as keyof typeof before]] as const)
  const queue = await readQueue(db)
  const { rows: oldest } = await sql<{
    seconds: number
  }>`select extract(epoch from now() - min(synchronized_at))::float8 as seconds
    from structure_sync`.execute(db.system)
  measuring.isOver = true
  const note = `${merchants.length.toLocaleString('en-US')} merchants, ${minutes} minutes, imports ${speed} times faster than in life`
  const failed = calls.filter(({ status }) => status !== 200).length
  const importsPerSecond = queue.delays.length / (minutes * 60)
  return [
    figureOf('campaigns', '', [merchants.length * campaignsPerMerchant], { note }),
    figureOf('calls of the screens', '/s', [calls.length / (minutes * 60)], {
      note: `${sessionCount} sessions at once`,
    }),
    figureOf(
      'a call',
      'ms',
      calls.map(({ ms }) => ms),
      { goal: { atMost: 250 } },
    ),
    figureOf('calls that failed', '', [failed], { goal: { atMost: 0 } }),
    figureOf('imports', '/s', [importsPerSecond], {
      note: `${(queue.due / (minutes * 60)).toFixed(1)} a second were due`,
    }),
    figureOf('an import', 's', queue.seconds),
    figureOf('delay of an import in the queue', 's', queue.delays, { goal: { atMost: 60 } }),
    figureOf('imports that were late at the end', '', [queue.waiting]),
    figureOf(
      'oldest look for changes of an account',
      's',
      oldest.map(({ seconds }) => seconds),
      { goal: { atMost: 600 } },
    ),
    figureOf('imports that failed', '', [queue.failed], { goal: { atMost: 0 } }),
    ...used.map(([name, ms]) => figureOf(`processor time of ${name}`, '% of a core', [ms / (minutes * 600)])),
    ...(await memory),
  ]
}

/** Queues the imports that become due in these minutes, spread evenly, the merchants in turn. */
async function queueImports(db: Database, jobs: Jobs, merchants: readonly SeededMerchant[]): Promise<void> {
  const total = Math.round((merchants.length * importsPerDay * minutes * speed) / (24 * 60))
  const batch = 500
  for (let at = 0; at < total; at += batch)
    await db.transaction(async tx => {
      for (let n = at; n < Math.min(at + batch, total); n++) {
        const { merchantId, profileId } = merchants[n % merchants.length] as SeededMerchant
        const startAfterSeconds = Math.ceil(((n + 1) * minutes * 60) / total)
        // One key a round, since a queue holds one waiting job of a key.
        const key = `${profileId} ${Math.floor(n / merchants.length)}`
        await jobs.send(tx, refreshProfile, { merchantId, profileId, scope: 'RECENT' }, { key, startAfterSeconds })
      }
    })
}

interface Measuring {
  until: number
  isOver: boolean
}

/** One person who looks at one screen after the other; every call with its time. */
async function useScreens(
  url: string,
  token: () => Promise<string>,
  { until }: Measuring,
): Promise<{ ms: number; status: number }[]> {
  const client = createLoadClient(url, token)
  const lastDay = addDays(dayIn(new Date(), 'America/Los_Angeles'), -1)
  const screens = [...homeCalls(lastDay), { path: (n: number) => campaignListPath(lastDay, n % 2) }]
  const calls: { ms: number; status: number }[] = []
  await sleep(Math.random() * pauseMs)
  for (let n = 0; performance.now() < until; n++) {
    const began = performance.now()
    const status = await client.get(screens[n % screens.length]?.path(n) ?? '').then(
      answer => answer.status,
      () => 0,
    )
    calls.push({ ms: performance.now() - began, status })
    await sleep(pauseMs * (0.5 + Math.random()))
  }
  client.close()
  return calls
}

/** The memory of each kind of process over the time, and how much more it is at the end. */
async function sampleMemory(
  processes: Record<'web' | 'workers', ServerProcess[]>,
  { until }: Measuring,
): Promise<Figure[]> {
  const samples = { web: [] as number[], workers: [] as number[] }
  // The first minute, or fifth, warms up.
  await sleep(Math.min(60_000, minutes * 12_000))
  while (performance.now() < until) {
    for (const kind of ['web', 'workers'] as const)
      samples[kind].push(Math.max(...processes[kind].map(({ pid }) => residentMb(pid))))
    await sleep(sampleMs)
  }
  return (['web', 'workers'] as const).flatMap(kind => {
    const third = Math.max(1, Math.floor(samples[kind].length / 3))
    const [first, last] = [samples[kind].slice(0, third), samples[kind].slice(-third)].map(part => quantile(part, 0.5))
    const name = kind === 'web' ? 'a web process' : 'a worker'
    return [
      figureOf(`memory of ${name}`, 'MB', samples[kind], { note: 'of the largest' }),
      figureOf(`· last third more than first`, 'MB', [(last ?? 0) - (first ?? 0)], { goal: { atMost: 20 } }),
    ]
  })
}

const residentMb = (pid: number): number =>
  (Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024) / 1e6

/** How long the imports that were due waited for a worker, and what became of them. */
async function readQueue(db: Database) {
  const { rows } = await sql<{ state: string; delay: number | null; seconds: number | null }>`select state,
      extract(epoch from started_on - start_after)::float8 as delay, extract(epoch from completed_on - started_on)::float8 as seconds
    from jobs.job where name = 'refresh-profile' and start_after <= now()`.execute(db.system)
  const completed = rows.filter(({ state }) => state === 'completed')
  return {
    due: rows.length,
    delays: completed.map(({ delay }) => delay ?? 0),
    seconds: completed.map(({ seconds }) => seconds ?? 0),
    waiting: rows.filter(({ state }) => state === 'created').length,
    failed: rows.filter(({ state }) => state === 'failed' || state === 'retry').length,
  }
}
