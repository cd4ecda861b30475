import { type DatabaseKind, emptyDatabase, openMigrated } from './load/bench-database.ts'
import { type Figure, figureOf } from './figure.ts'
import { callsPerSecond, loggedIn } from './load/http-load.ts'
import { campaignListPath } from './load/screen-calls.ts'
import { benchAccount, seed } from './load/seed.ts'
import { startServer } from './load/server-process.ts'

const runs = 5
const loadMs = 5000

/** How soon the server is ready, on nothing and on a million facts, and what memory it takes, on one kind of database. */
export async function measureStartup(kind: DatabaseKind): Promise<Figure[]> {
  return [await onNothing(kind), ...(await onData(kind))]
}

async function onNothing(kind: DatabaseKind): Promise<Figure> {
  const samples: number[] = []
  for (let run = 0; run < runs; run++) {
    const server = await startServer(await emptyDatabase(kind))
    samples.push(server.readyMs / 1000)
    console.log(`  first data: ready after ${server.readyMs.toFixed(0)} ms`)
    await server.stop()
  }
  return figureOf('ready, first data', 's', samples)
}

async function onData(kind: DatabaseKind): Promise<Figure[]> {
  const env = await emptyDatabase(kind)
  const db = await openMigrated(env)
  const { lastDay } = await seed(db.system)
  await db.close()
  // The first start makes the queue's own tables.
  await (await startServer(env)).stop()
  const ready: number[] = []
  const fresh: number[] = []
  const loaded: number[] = []
  for (let run = 0; run < runs; run++) {
    const server = await startServer(env)
    ready.push(server.readyMs / 1000)
    console.log(`  existing data: ready after ${server.readyMs.toFixed(0)} ms`)
    fresh.push(await server.residentMb())
    const client = await loggedIn(server.url, benchAccount)
    const page = (n: number) => client.get(campaignListPath(lastDay, n % 10))
    await callsPerSecond(page, { status: 200, ms: loadMs, concurrency: 8 })
    loaded.push(await server.residentMb())
    client.close()
    await server.stop()
  }
  // The embedded database is in the same process.
  const memoryGoal = kind === 'PostgreSQL' ? { goal: { atMost: 150 } } : {}
  return [
    figureOf('ready, existing data', 's', ready, { goal: { atMost: 2 } }),
    figureOf('memory after the start', 'MB', fresh),
    figureOf(`memory after ${loadMs / 1000} s of load`, 'MB', loaded, memoryGoal),
  ]
}
