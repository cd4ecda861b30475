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
import { type Processes, startProcesses } from '../support/processes.ts'
import { type Figure, figureOf } from './figure.ts'
import { type DatabaseKind, emptyDatabase } from './load/bench-database.ts'
import { atEnd } from './stops.ts'

const account = { login: 'agency@sandbox.test', sellerId: 'A6GRANDBANKUSX' }
const importTakesMs = 1_800_000
const rows = 1000
const rounds = 3

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
  const bulk: number[] = []
  const undo: number[] = []
  const calls: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = await putCalls(world)
    const { groupId, ms } = await raiseBids(person, round)
    bulk.push(ms)
    calls.push((await putCalls(world)) - before)
    const began = performance.now()
    const undone = await person.call<{ groupId: string }>('POST', `/changes/groups/${groupId}/undo`, {})
    await settled(person, undone.groupId)
    undo.push(performance.now() - began)
  }
  return [
    figureOf('import of the account', 's', [seconds], { note: '10,000 campaigns, 250,000 keywords' }),
    figureOf('1,000 bids, to the marketplace’s answer to the last', 'ms', bulk, { goal: { atMost: 30_000 } }),
    figureOf('calls that change keywords for them', '', calls, { goal: { atMost: 1 }, note: 'a call takes 1,000' }),
    figureOf('their undo, likewise', 'ms', undo, { goal: { atMost: 30_000 } }),
    ...(await measureSynchronization(world, person)),
    ...(await measureExport(world, person)),
  ]
}

/** From a change in the marketplace's console, and from a request of a screen, to the new value in the list. */
async function measureSynchronization(world: Processes, person: Seeded): Promise<Figure[]> {
  const list = '/keywords/cm?state=ENABLED&sortBy=id&sortDir=asc&size=1'
  const times: number[] = []
  const calls: number[] = []
  for (let round = 1; round <= rounds; round++) {
    const first = await person.call<{ content: (Keyword & { amazonId: string })[] }>('GET', list)
    const id = first.content[0]?.amazonId
    const value = `${round}.11`
    await world.sandbox.control('POST', 'console', { entity: 'keyword', id, action: 'bid', value })
    // A synchronization may be less than a minute old; then a request changes nothing.
    await waitFor(async () => (await requestSync(person)).isQueued)
    const before = await adsCalls(world)
    const began = performance.now()
    await waitFor(async () => {
      const { content } = await person.call<{ content: Keyword[] }>('GET', list)
      return content[0]?.bid === Number(value)
    })
    times.push(performance.now() - began)
    calls.push((await adsCalls(world)) - before)
  }
  return [
    figureOf('a change in the console, from the request to the list', 'ms', times, { goal: { atMost: 30_000 } }),
    figureOf('calls for it', '', calls, { note: 'the history, and a list of what changed' }),
  ]
}

const requestSync = (person: Seeded) => person.call<{ isQueued: boolean }>('POST', '/campaigns/synchronize')

async function adsCalls({ sandbox }: Processes): Promise<number> {
  const answer = await sandbox.control('GET', 'requests?vendor=ads')
  return ((await answer.json()) as unknown[]).length
}

async function waitFor(isThere: () => Promise<boolean>): Promise<void> {
  while (!(await isThere())) await sleep(50)
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
  const archived = await archivedCampaigns(person)
  const keywords: Keyword[] = []
  for (let page = round * 5; keywords.length < rows; page++) {
    const list = await person.call<{ content: Keyword[] }>(
      'GET',
      `/keywords/cm?state=ENABLED&sortBy=id&sortDir=asc&size=200&page=${page}`,
    )
    if (!list.content.length) throw new Error('There are too few keywords.')
    keywords.push(...list.content.filter(({ bid, campaignId }) => bid !== null && !archived.has(campaignId)))
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
    `/bulk?groupId=${groupId}`,
    items,
  )
  const unchanged = outcomes.filter(({ status }) => status !== 'CHANGED')
  const [first] = unchanged
  if (first) throw new Error(`${unchanged.length} of ${rows} bids were not changed: ${first.status} ${first.message}`)
  await settled(person, groupId)
  return { groupId, ms: performance.now() - began }
}

/** A keyword of an archived campaign is still listed as enabled, and cannot be changed. */
async function archivedCampaigns(person: Seeded): Promise<Set<number>> {
  const ids = new Set<number>()
  for (let page = 0; ; page++) {
    const list = await person.call<{ content: { id: number }[] }>(
      'GET',
      `/campaigns/cm?state=ARCHIVED&sortBy=id&sortDir=asc&size=200&page=${page}`,
    )
    for (const { id } of list.content) ids.add(id)
    if (!list.content.length) return ids
  }
}

async function settled(person: Seeded, groupId: string): Promise<void> {
  for (;;) {
    const group = await person.call<{ total: number; accepted: number; rejected: number }>(
      'GET',
      `/changes/groups/${groupId}?size=1`,
    )
    if (group.rejected) throw new Error(`The marketplace rejected ${group.rejected} of ${group.total} changes.`)
    if (group.accepted === group.total) return
    await sleep(50)
  }
}

async function putCalls({ sandbox }: Processes): Promise<number> {
  const answer = await sandbox.control('GET', 'requests?vendor=ads&path=/sp/keywords')
  return ((await answer.json()) as { method: string }[]).filter(({ method }) => method === 'PUT').length
}

async function measureExport(world: Processes, person: Seeded): Promise<Figure[]> {
  const { accessToken } = await sessionOf(world, person)
  const figures: Figure[] = []
  for (const format of ['csv', 'xlsx']) {
    const began = performance.now()
    const answer = await fetch(`${world.product.url}/api/keywords/cm/export?format=${format}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    if (!answer.ok || !answer.body) throw new Error(`The export answered ${answer.status}`)
    let bytes = 0
    let firstMs = 0
    for await (const part of answer.body) {
      firstMs ||= performance.now() - began
      bytes += (part as Uint8Array).byteLength
    }
    const megabytes = `${(bytes / 1e6).toFixed(0)} MB`
    figures.push(
      figureOf(`all keywords as ${format.toUpperCase()}`, 's', [(performance.now() - began) / 1000], {
        note: megabytes,
      }),
      figureOf('· first byte', 's', [firstMs / 1000]),
    )
  }
  return figures
}
