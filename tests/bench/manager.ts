import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  connectAds,
  connectSeller,
  type Seeded,
  sessionOf,
  startTrial,
  verifiedPerson,
} from '../journeys/support/seeded-person.ts'
import { campaignListEndpoints } from '#features/campaigns/contract.ts'
import { exportEndpoints } from '#features/campaigns/export-contract.ts'
import { bulkEndpoints, structureEndpoints } from '#features/structure/contract.ts'
import { type Processes, startProcesses } from '../support/processes.ts'
import { type Figure, figureOf } from './figure.ts'
import { type DatabaseKind, emptyDatabase } from './load/bench-database.ts'
import { gauge } from './load/server-process.ts'
import { atEnd } from './stops.ts'

const account = { login: 'agency@sandbox.test', sellerId: 'A6GRANDBANKUSX' }
const importTakesMs = 1_800_000
const rows = 1000
const rounds = 3
const keywordsPath = `${campaignListEndpoints.keywords.path}?state=ENABLED&sortBy=id&sortDir=asc`

interface Keyword {
  id: number
  campaignId: number
  version: number
  bid: number | null
}

/**
 * The campaign manager on the large account, against the emulated marketplace: 10,000 campaigns with 250,000 keywords in one
 * profile. From the call that changes 1,000 bids to the marketplace's answer to the last of them, its undo, and all keywords
 * as a file.
 */
export async function measureManager(kind: DatabaseKind): Promise<Figure[]> {
  const { DATABASE_URL: databaseUrl } = await emptyDatabase(kind)
  const world = await startProcesses({
    scenario: 'large',
    ...(databaseUrl && { databaseUrl }),
    env: {
      NODE_ENV: 'production',
      CLIENT: 'off',
      TOKEN_SECRET: 'measured'.repeat(6),
      ENCRYPTION_KEYS: `measured:${Buffer.alloc(32, 7).toString('base64')}`,
    },
  })
  atEnd(() => world.stop())
  const person = await verifiedPerson(world)
  await connectSeller(person, account)
  await startTrial(person)
  await connectAds(person, account.login, 'US')
  const seconds = await imported(person)
  console.log(`imported in ${seconds.toFixed(0)} s`)
  const bulk: number[] = []
  const undo: number[] = []
  const calls: number[] = []
  const undoCalls: number[] = []
  for (let round = 0; round < rounds; round++) {
    const beforeBulk = await lastRequest(world)
    const { groupId, ms } = await raiseBids(person, round)
    bulk.push(ms)
    calls.push(await keywordChanges(world, beforeBulk))
    const beforeUndo = await lastRequest(world)
    const began = performance.now()
    const undone = await person.call<{ groupId: string }>('POST', `/changes/groups/${groupId}/undo`, {})
    await settled(person, undone.groupId)
    undo.push(performance.now() - began)
    undoCalls.push(await keywordChanges(world, beforeUndo))
  }
  return [
    figureOf('import of the account', 's', [seconds], { note: '10,000 campaigns, 250,000 keywords' }),
    figureOf('1,000 bids, to the marketplace’s answer to the last', 'ms', bulk, { goal: { atMost: 30_000 } }),
    figureOf('calls that change keywords for them', '', calls, { goal: { atMost: 1 }, note: 'a call takes 1,000' }),
    figureOf('their undo, likewise', 'ms', undo, { goal: { atMost: 30_000 } }),
    figureOf('calls that change keywords for it', '', undoCalls, { goal: { atMost: 1 } }),
    ...(await measureSynchronization(world, person)),
    ...(await measureExport(world, person)),
  ]
}

/** From a change in the marketplace's console, and from a request of a screen, to the new value in the list. */
async function measureSynchronization(world: Processes, person: Seeded): Promise<Figure[]> {
  const list = `${keywordsPath}&size=1`
  const times: number[] = []
  const calls: number[] = []
  for (let round = 1; round <= rounds; round++) {
    const first = await person.call<{ content: (Keyword & { amazonId: string })[] }>('GET', list)
    const id = first.content[0]?.amazonId
    const value = `${round}.11`
    await world.sandbox.control('POST', 'console', { entity: 'keyword', id, action: 'bid', value })
    // A synchronization may be less than a minute old; then a request changes nothing.
    await waitFor(async () => (await requestSync(person)).isQueued, 2000)
    const before = await lastRequest(world)
    const began = performance.now()
    await waitFor(async () => {
      const { content } = await person.call<{ content: Keyword[] }>('GET', list)
      return content[0]?.bid === Number(value)
    }, 200)
    times.push(performance.now() - began)
    calls.push((await requestsSince(world, before)).length)
  }
  return [
    figureOf('a change in the console, from the request to the list', 'ms', times, { goal: { atMost: 30_000 } }),
    figureOf('calls for it', '', calls, { note: 'the history, and a list of what changed' }),
  ]
}

const requestSync = (person: Seeded) => person.call<{ isQueued: boolean }>('POST', structureEndpoints.synchronize.path)

interface MarketRequest {
  id: number
  method: string
  path: string
}

/** What advertising was asked after a request. The emulator forgets old ones, so they are not counted from the first. */
async function requestsSince({ sandbox }: Processes, after: number): Promise<MarketRequest[]> {
  const answer = await sandbox.control('GET', `requests?vendor=ads&after=${after}`)
  return (await answer.json()) as MarketRequest[]
}

const lastRequest = async (world: Processes) => (await requestsSince(world, 0)).at(-1)?.id ?? 0

const keywordChanges = async (world: Processes, after: number) =>
  (await requestsSince(world, after)).filter(one => one.method === 'PUT' && one.path.includes('/sp/keywords')).length

// Calls of one person are limited, so that what takes a while is asked for less often.
async function waitFor(isThere: () => Promise<boolean>, everyMs: number): Promise<void> {
  while (!(await isThere())) await sleep(everyMs)
}

async function imported(person: Seeded): Promise<number> {
  const began = performance.now()
  for (;;) {
    const items = await person.call<{ status: string; displayName: string }[]>('GET', '/seeding-status/active')
    const failed = items.find(item => item.status === 'FAILED')
    if (failed) throw new Error(`The import failed: ${failed.displayName}`)
    if (items.length && items.every(item => item.status === 'COMPLETED')) return (performance.now() - began) / 1000
    if (performance.now() - began > importTakesMs) throw new Error('The import took more than half an hour.')
    await sleep(500)
  }
}

async function raiseBids(person: Seeded, round: number): Promise<{ groupId: string; ms: number }> {
  const live = await liveCampaigns(person)
  const keywords: Keyword[] = []
  for (let page = round * 5; keywords.length < rows; page++) {
    const list = await person.call<{ content: Keyword[] }>('GET', `${keywordsPath}&size=200&page=${page}`)
    if (!list.content.length) throw new Error('There are too few keywords.')
    keywords.push(...list.content.filter(({ bid, campaignId }) => bid !== null && live.has(campaignId)))
  }
  const items = keywords.slice(0, rows).map(({ id, version, bid }) => ({
    entity: 'target',
    id,
    version,
    set: { bid: Math.round((bid ?? 0) * 110) / 100 },
  }))
  const began = performance.now()
  const groupId = randomUUID()
  const { outcomes } = await person.call<{ outcomes: { status: string; message: string | null }[] }>(
    'POST',
    `${bulkEndpoints.bulk.path}?groupId=${groupId}`,
    items,
  )
  const unchanged = outcomes.filter(({ status }) => status !== 'CHANGED')
  const [first] = unchanged
  if (first) throw new Error(`${unchanged.length} of ${rows} bids were not changed: ${first.status} ${first.message}`)
  await settled(person, groupId)
  return { groupId, ms: performance.now() - began }
}

/** A keyword of an archived campaign cannot be changed. */
async function liveCampaigns(person: Seeded): Promise<Set<number>> {
  const campaigns = await person.call<{ id: number }[]>('GET', structureEndpoints.pick.path)
  return new Set(campaigns.map(({ id }) => id))
}

async function settled(person: Seeded, groupId: string): Promise<void> {
  for (;;) {
    const group = await person.call<{ total: number; accepted: number; rejected: number }>(
      'GET',
      `/changes/groups/${groupId}?size=1`,
    )
    if (group.rejected) throw new Error(`The marketplace rejected ${group.rejected} of ${group.total} changes.`)
    if (group.accepted === group.total) return
    await sleep(100)
  }
}

async function measureExport(world: Processes, person: Seeded): Promise<Figure[]> {
  const { accessToken } = await sessionOf(world, person)
  const figures: Figure[] = []
  for (const format of ['csv', 'xlsx']) {
    const memory = () => gauge(world.product.url, 'process_resident_memory_bytes')
    const beforeBytes = await memory()
    let mostBytes = beforeBytes
    const watch = setInterval(() => void memory().then(now => (mostBytes = Math.max(mostBytes, now))), 250)
    const began = performance.now()
    const answer = await fetch(`${world.product.url}/api${exportEndpoints.keywords.path}?format=${format}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    if (!answer.ok || !answer.body) throw new Error(`The export answered ${answer.status}`)
    let bytes = 0
    let firstMs = 0
    for await (const part of answer.body) {
      firstMs ||= performance.now() - began
      bytes += (part as Uint8Array).byteLength
    }
    clearInterval(watch)
    const megabytes = `${(bytes / 1e6).toFixed(0)} MB`
    figures.push(
      figureOf(`all keywords as ${format.toUpperCase()}`, 's', [(performance.now() - began) / 1000], {
        note: megabytes,
      }),
      figureOf('· first byte', 's', [firstMs / 1000]),
      figureOf('· most memory of the process', 'MB', [mostBytes / 1e6], {
        note: `${(beforeBytes / 1e6).toFixed(0)} MB before`,
      }),
    )
  }
  return figures
}
