import { readConfig } from '#server/config/config.ts'
import type { Actor, Services } from '#server/context.ts'
import { buildServer } from '#server/http/build-server.ts'
import { createLog } from '#server/log/log.ts'
import { bodyLimitOf } from '#shared/define-endpoint.ts'
import { systemClock } from '#shared/time.ts'
import { routes } from '../../src/main/api.ts'
import { type Figure, figureOf } from './figure.ts'
import { hostileBodies } from './load/hostile-bodies.ts'

const runs = 7
const targets = ['/auth/login', '/campaign/margins', '/campaign/create', '/campaign/draft']
// A body of this share of the limit, and one of half as much.
const fillings = [0.45, 0.9] as const

const actor: Actor = {
  accountId: 1,
  sessionId: 'bench',
  email: 'bench@tideline.test',
  authorities: ['ACCOUNT_MANAGER'],
  merchantId: null,
  merchantRole: null,
  marketplaceId: null,
  merchantIds: [],
  hasAccess: true,
  mayConnect: true,
}

/** What hostile bodies of every kind cost the server, up to the largest that an endpoint takes, and how that grows. */
export async function measureHostile(): Promise<Figure[]> {
  const app = await startApp()
  try {
    const figures: Figure[] = []
    for (const path of targets) {
      const endpoint = endpointAt(path)
      const kinds: Figure[][] = []
      for (const { name, bodyOf } of hostileBodies) {
        const [half = '', whole = ''] = fillings.map(share => bodyOf(Math.floor(bodyLimitOf(endpoint) * share)))
        kinds.push(await measureKind(app, { endpoint, name, half, whole }))
      }
      figures.push(...(bodyLimitOf(endpoint) < worthALine ? worstOf(kinds) : kinds.flat()))
    }
    return figures
  } finally {
    await app.close()
  }
}

// Of calls that take little, the kind that takes longest is enough.
const worthALine = 1_000_000
function worstOf(kinds: Figure[][]): Figure[] {
  return kinds
    .toSorted((a, b) => (b[0]?.value ?? 0) - (a[0]?.value ?? 0))
    .slice(0, 1)
    .flat()
}

function endpointAt(path: string) {
  const endpoint = routes.map(route => route.endpoint).find(one => one.path === path && one.body)
  if (!endpoint) throw new Error(`There is no call ${path} with a body.`)
  return endpoint
}

type App = Awaited<ReturnType<typeof buildServer>>

// The real calls with their real schemas; what they do once a body is accepted is not measured here.
async function startApp(): Promise<App> {
  const config = readConfig({ NODE_ENV: 'test' })
  // No stream is opened here, so there is nobody to notify.
  const none = () => () => undefined
  const events = { subscribe: none, onGap: none, publish: async () => undefined, close: async () => undefined }
  const services = { config, log: createLog({ level: 'silent' }), clock: systemClock, events } as unknown as Services
  return buildServer({
    services,
    routes: routes.map(route => ({
      ...route,
      endpoint: { ...route.endpoint, idempotencyKey: false },
      handler: async () => null,
    })),
    authenticate: async () => actor,
    checkResponses: false,
    version: 'bench',
  })
}

interface Kind {
  endpoint: ReturnType<typeof endpointAt>
  name: string
  half: string
  whole: string
}

async function measureKind(app: App, { endpoint, name, half, whole }: Kind): Promise<Figure[]> {
  const [atHalf, atWhole]: [number[], number[]] = [[], []]
  let last = { status: 0, bytes: 0 }
  for (let run = 0; run < runs; run += 1) {
    atHalf.push((await send(app, endpoint, half)).ms)
    const sent = await send(app, endpoint, whole)
    atWhole.push(sent.ms)
    last = sent
  }
  const label = `${endpoint.path} ${name}`
  const note = `${(whole.length / 1000).toFixed(0)} kB → ${last.status}, ${(last.bytes / 1000).toFixed(1)} kB`
  const time = figureOf(label, 'ms', atWhole, { goal: { atMost: 250 }, note })
  // Where it takes next to no time, a ratio is noise.
  if (time.value < 5) return [time]
  const ratios = atWhole.map((ms, i) => ms / (atHalf[i] ?? ms))
  return [time, figureOf('· against half the size', '×', ratios, { goal: { atMost: 3 } })]
}

let calls = 0
async function send(app: App, endpoint: Kind['endpoint'], payload: string) {
  calls += 1
  const began = performance.now()
  const answer = await app.inject({
    method: endpoint.method,
    url: `/api${endpoint.path}`,
    // Each from another address, or the limit on calls would answer.
    remoteAddress: `10.0.${calls >> 8}.${calls & 255}`,
    headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
    payload,
  })
  return { ms: performance.now() - began, status: answer.statusCode, bytes: answer.rawPayload.length }
}
