import { type DatabaseKind, emptyDatabase, fillDatabase } from './load/bench-database.ts'
import { type Figure, figureOf } from './figure.ts'
import { callsPerSecond, type LoadClient, loggedIn } from './load/http-load.ts'
import {
  campaignCalls,
  campaignListPath,
  firstPages,
  homeCalls,
  insightCalls,
  type ScreenCall,
} from './load/screen-calls.ts'
import { benchAccount, seed } from './load/seed.ts'
import { type ServerProcess, startServer } from './load/server-process.ts'

const goalMs: Record<DatabaseKind, number> = { embedded: 60, PostgreSQL: 25 }
const warmUps = 20
const measured = 250
// A call so slow that it takes longer is measured fewer times; the table tells how many.
const longestMs = 90_000
const runs = 5
const runMs = 3000

/** Every call of Home and Campaigns over HTTP with a million facts, and how many a second, on one kind of database. */
export async function measureCalls(kind: DatabaseKind): Promise<Figure[]> {
  const env = await emptyDatabase(kind)
  const { facts, lastDay, seconds } = await fillDatabase(env, 'usual', db => seed(db.system))
  console.log(`${kind}: ${facts.toLocaleString('en-US')} facts in ${seconds.toFixed(0)} s`)
  // Each call reads the database here, as after an import. The rate while nothing changes is measured later.
  const uncached = await startServer({ ...env, JOBS: 'off', ANSWERS_KEPT_MB: '0' })
  const reader = await loggedIn(uncached.url, benchAccount)
  const calls = [...homeCalls(lastDay), ...campaignCalls(lastDay, await campaignIds(reader, lastDay))]
  const figures: Figure[] = []
  const goal = { atMost: goalMs[kind] }
  for (const call of calls) figures.push(await measureCall(reader, call, goal, { first: warmUps, samples: measured }))
  figures.push(
    ...(await measureRate(reader, uncached, lastDay, kind)).map(figure => ({
      ...figure,
      name: `${figure.name}, not cached`,
    })),
  )
  reader.close()
  await uncached.stop()
  const server = await startServer({ ...env, JOBS: 'off' })
  const client = await loggedIn(server.url, benchAccount)
  figures.push(...(await measureRate(client, server, lastDay, kind)))
  client.close()
  await server.stop()
  return figures
}

/** Every call of the screens on an account of 1,000 campaigns with 50,000 keywords. */
export async function measureAccount(kind: DatabaseKind): Promise<Figure[]> {
  const env = { ...(await emptyDatabase(kind)), JOBS: 'off', CLIENT: 'off' }
  const { facts, lastDay, seconds } = await fillDatabase(env, 'account', db => seed(db.system, 'account'))
  console.log(`${kind}: ${facts.toLocaleString('en-US')} facts in ${seconds.toFixed(0)} s`)
  const server = await startServer({ ...env, ANSWERS_KEPT_MB: '0' })
  const reader = await loggedIn(server.url, benchAccount)
  const ids = await campaignIds(reader, lastDay)
  const calls = [...homeCalls(lastDay), ...insightCalls(lastDay, ids), ...campaignCalls(lastDay, ids)]
  const figures: Figure[] = []
  for (const call of calls)
    figures.push(await measureCall(reader, call, { atMost: goalMs[kind] }, { first: 5, samples: 100 }))
  reader.close()
  await server.stop()
  return figures
}

const largeGoalMs = 50
const largeMeasured = 40

/** The first page of every list, filter and sort with 20,000 campaigns and half a million keywords. */
export async function measureLarge(kind: DatabaseKind): Promise<Figure[]> {
  const env = await emptyDatabase(kind)
  const { facts, lastDay, seconds } = await fillDatabase(env, 'large', db => seed(db.system, 'large'))
  console.log(`${kind}: ${facts.toLocaleString('en-US')} facts in ${seconds.toFixed(0)} s`)
  const server = await startServer({ ...env, JOBS: 'off', ANSWERS_KEPT_MB: '0' })
  const reader = await loggedIn(server.url, benchAccount)
  const figures: Figure[] = []
  for (const call of firstPages(lastDay))
    figures.push(await measureCall(reader, call, { atMost: largeGoalMs }, { first: 2, samples: largeMeasured }))
  reader.close()
  await server.stop()
  return figures
}

/** The ids of twenty campaigns of the current account. */
export async function campaignIds(client: LoadClient, lastDay: string): Promise<number[]> {
  const answer = await ask(client, `${campaignListPath(lastDay)}&sortBy=id`)
  return (JSON.parse(answer.body) as { content: { id: number }[] }).content.map(row => row.id)
}

async function ask(client: LoadClient, path: string) {
  const answer = await client.get(path)
  if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}: ${answer.body}`)
  return answer
}

/** What a call takes, one after the other. */
export async function measureCall(
  client: LoadClient,
  call: ScreenCall,
  goal: { atMost: number },
  { first, samples: count }: { first: number; samples: number },
): Promise<Figure> {
  const samples: number[] = []
  const started = performance.now()
  for (let n = 0; n < first + count; n++) {
    if (performance.now() - started > longestMs && samples.length >= 20) break
    const began = performance.now()
    await ask(client, call.path(n))
    if (n >= first) samples.push(performance.now() - began)
  }
  const figure = figureOf(call.name, 'ms', samples, { goal })
  console.log(`  ${figure.name}: ${figure.value.toFixed(1)} ms, p95 ${figure.p95?.toFixed(1)} ms`)
  return figure
}

async function measureRate(
  client: LoadClient,
  server: ServerProcess,
  lastDay: string,
  kind: DatabaseKind,
): Promise<Figure[]> {
  const pages = Array.from({ length: 10 }, (_, page) => campaignListPath(lastDay, page))
  const { etag = '' } = await ask(client, campaignListPath(lastDay))
  const conditional = { 'if-none-match': etag }
  const rates: number[] = []
  const knownRates: number[] = []
  const cpu: number[] = []
  for (let run = 0; run < runs; run++) {
    const before = await server.cpuMs()
    const full = await callsPerSecond(n => client.get(pages[n % pages.length] ?? ''), {
      status: 200,
      ms: runMs,
      concurrency: 8,
    })
    cpu.push(((await server.cpuMs()) - before) / full.calls)
    rates.push(full.perSecond)
    const unchanged = () => client.get(campaignListPath(lastDay), conditional)
    knownRates.push((await callsPerSecond(unchanged, { status: 304, ms: runMs, concurrency: 8 })).perSecond)
  }
  const own =
    kind === 'PostgreSQL' ? { goal: { atMost: 0.15 }, note: 'the query runs elsewhere' } : { note: 'query included' }
  return [
    figureOf('pages of the campaign list, 8 at once', '/s', rates, { goal: { atLeast: 3000 } }),
    figureOf('the same, unchanged (304)', '/s', knownRates, { goal: { atLeast: 15_000 } }),
    figureOf('server CPU a page', 'ms', cpu, own),
  ]
}
