import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { homePaths } from '#features/home/paths.ts'
import { addDays } from '#shared/time.ts'
import { emptyDatabase, openMigrated } from './load/bench-database.ts'
import { type Figure, figureOf } from './figure.ts'
import { type Answer, callsPerSecond, createLoadClient, loggedIn } from './load/http-load.ts'
import { campaignListPath } from './load/screen-calls.ts'
import { benchAccount, seed } from './load/seed.ts'
import { startServer } from './load/server-process.ts'
import { atEnd } from './stops.ts'

const rounds = 5
const roundMs = 1200
const atOnce = 8
// With the days before them they stay within the history, so that every card is known.
const rangeDays = [30, 7, 14, 21, 45]

const baselineNote =
  'the same rows from the same database: three statements for the list, two for the cards, at once, as the owner of the tables; no cache, log-in, checks, age of the figures or bands'

interface Contestant {
  name: string
  call: (n: number) => Promise<Answer>
  status?: number
  goal?: number
}

/**
 * The product beside the simplest program that answers the same (load/baseline-program.ts), on the same PostgreSQL: how many
 * times as many calls a second. Every round measures all of them, so that a busy machine is busy for all. Throws if the
 * two answer different figures.
 */
export async function measureBaseline(): Promise<Figure[]> {
  const env = { ...(await emptyDatabase('PostgreSQL')), JOBS: 'off', CLIENT: 'off' }
  const db = await openMigrated(env)
  const { lastDay } = await seed(db.system)
  await db.close()
  const base = createLoadClient(await startBaseline(env), undefined, '')
  const uncachedServer = await startServer({ ...env, ANSWERS_KEPT_MB: '0' })
  const cachedServer = await startServer(env)
  const uncached = await loggedIn(uncachedServer.url, benchAccount)
  const cached = await loggedIn(cachedServer.url, benchAccount)
  const pathOf = {
    list: (n: number) => campaignListPath(lastDay, n % 10),
    cards: (n: number) => {
      const dateFrom = addDays(lastDay, 1 - (rangeDays[n % rangeDays.length] ?? 1))
      return `${homePaths.cards}?dateFrom=${dateFrom}&dateTo=${lastDay}`
    },
  }
  const basePathOf = {
    list: (n: number) => withAccount(pathOf.list(n), '/campaigns'),
    cards: (n: number) => withAccount(pathOf.cards(n), '/cards'),
  }
  const figures: Figure[] = []
  for (const what of ['list', 'cards'] as const) {
    for (let n = 0; n < 10; n++) {
      const [own, plain] = [await uncached.get(pathOf[what](n)), await base.get(basePathOf[what](n))]
      if (own.status !== 200 || plain.status !== 200) throw new Error(`${own.body} ${plain.body}`)
      requireSame[what](own.body, plain.body)
    }
    const { etag = '' } = await cached.get(pathOf[what](0))
    figures.push(
      ...(await compare(what, { name: 'baseline', call: n => base.get(basePathOf[what](n)) }, [
        { name: 'not cached', goal: 2, call: n => uncached.get(pathOf[what](n)) },
        { name: 'cached', goal: 8, call: n => cached.get(pathOf[what](n)) },
        {
          name: 'unchanged (304)',
          goal: 15,
          status: 304,
          call: () => cached.get(pathOf[what](0), { 'if-none-match': etag }),
        },
      ])),
    )
  }
  for (const client of [base, uncached, cached]) client.close()
  return figures
}

// The big merchant is the first of the database.
const withAccount = (path: string, name: string) =>
  `${name}?merchantId=1&profileId=1&marketplaceId=1&${path.split('?')[1]}`

async function startBaseline(env: Record<string, string>): Promise<string> {
  const file = fileURLToPath(new URL('load/baseline-program.ts', import.meta.url))
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  atEnd(async () => {
    if (child.kill('SIGTERM')) await once(child, 'exit')
  })
  const [{ address }] = (await once(child, 'message')) as [{ address: string }]
  return address
}

async function compare(what: string, baseline: Contestant, others: readonly Contestant[]): Promise<Figure[]> {
  const rates = new Map<Contestant, number[]>([baseline, ...others].map(one => [one, []]))
  const rate = async ({ call, status = 200 }: Contestant, ms: number) =>
    (await callsPerSecond(call, { status, ms, concurrency: atOnce })).perSecond
  for (const one of rates.keys()) await rate(one, 500)
  for (let round = 0; round < rounds; round++)
    for (const [one, measured] of rates) measured.push(await rate(one, roundMs))
  const base = rates.get(baseline) ?? []
  return [
    figureOf(`${what}: ${baseline.name}`, '/s', base, { note: baselineNote }),
    ...others.flatMap(one => {
      const measured = rates.get(one) ?? []
      const ratios = measured.map((perSecond, round) => perSecond / (base[round] ?? 0))
      return [
        figureOf(`${what}: ${one.name}, to the baseline`, '×', ratios, { goal: { atLeast: one.goal ?? 1 } }),
        figureOf(`· calls a second`, '/s', measured),
      ]
    }),
  ]
}

type Row = Record<string, unknown>
interface Page {
  content: Row[]
  totals: Row
  page: { totalElements: number }
}

const requireSame = {
  list(own: string, base: string): void {
    const [ours, theirs] = [JSON.parse(own) as Page, JSON.parse(base) as Page]
    requireEqual('rows of the page', ours.content.length, theirs.content.length)
    for (const [n, row] of theirs.content.entries()) requireEqualRow(ours.content[n] ?? {}, row)
    requireEqualRow(ours.totals, theirs.totals)
    requireEqual('rows of all pages', ours.page.totalElements, theirs.page.totalElements)
  },
  cards(own: string, base: string): void {
    const ours = (JSON.parse(own) as { cards: Row[] }).cards
    const theirs = JSON.parse(base) as Row[]
    for (const card of theirs) requireEqualRow(ours.find(({ metric }) => metric === card.metric) ?? {}, card)
    requireEqual('cards', ours.length, theirs.length)
  },
}

function requireEqualRow(own: Row, base: Row): void {
  for (const [name, value] of Object.entries(base)) requireEqual(name, own[name], value)
}

/** The baseline adds in floats, so that its last digits differ. */
const rounded = (value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(10)) : Array.isArray(value) ? value.map(rounded) : value
function requireEqual(what: string, own: unknown, base: unknown): void {
  const [ours, theirs] = [rounded(own), rounded(base)].map(value => JSON.stringify(value))
  if (ours !== theirs) throw new Error(`The product and the baseline differ in ${what}: ${ours} and ${theirs}.`)
}
