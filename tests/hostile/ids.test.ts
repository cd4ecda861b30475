import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#shared/define-endpoint.ts'
import { routes } from '../../src/main/api.ts'
import { openProductScene, type ProductScene } from '../support/product-scene.ts'
import { type GoodRequest, goodRequests } from './good-requests.ts'
import { hostileIds, hostileValues } from './hostile-values.ts'

let scene: ProductScene
beforeAll(async () => {
  scene = await openProductScene({ login: 'seller@sandbox.test', sellerId: 'A4DRIFTWOODUSX', country: 'US' })
})
afterAll(() => scene.close())

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
// After these most calls answer that there is no merchant or no subscription, and go no further.
const last = ['DELETE /profile/merchant/:id', 'POST /subscriptions/cancel']
const endpoints = routes
  .map(route => route.endpoint)
  .toSorted((a, b) => last.indexOf(nameOf(a)) - last.indexOf(nameOf(b)))
const entriesOf = (schema: unknown): string[] =>
  Object.keys((schema as { entries?: Record<string, unknown> } | undefined)?.entries ?? {})

function addressOf(endpoint: Endpoint, { params = {}, query = {} }: GoodRequest): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? '1'))
  const search = new URLSearchParams(query).toString()
  return search ? `${path}?${search}` : path
}

async function send(endpoint: Endpoint, request: GoodRequest) {
  const address = addressOf(endpoint, request)
  const { status, body } = await scene.call(endpoint.method as 'GET', address, request.body)
  // What the emulated marketplace refuses is reported as such; every other 5xx is a defect of ours.
  const isOurs = status >= 500 && !String(body?.errorCode).startsWith('UPSTREAM')
  return isOurs ? [`${status} ${endpoint.method} ${address} ${JSON.stringify(request.body)?.slice(0, 300) ?? ''}`] : []
}

async function sendAll(endpoint: Endpoint, requests: readonly GoodRequest[]): Promise<string[]> {
  const failures: string[] = []
  for (const request of requests) failures.push(...(await send(endpoint, request)))
  return failures
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** The value with one leaf after another (and every list and object) replaced by each hostile value, or renamed. */
function* spoilt(value: unknown): Generator<unknown> {
  yield* hostileValues
  if (typeof value !== 'object' || value === null) return
  for (const [name, one] of Object.entries(value)) {
    for (const wrong of spoilt(one))
      if (Array.isArray(value)) yield value.with(Number(name), wrong)
      else yield { ...value, [name]: wrong }
  }
  if (!Array.isArray(value)) for (const name of ['toString', 'constructor', '']) yield { ...value, [name]: 1 }
}

test('every call with a body has a request to start from, and no request is without a call', () => {
  const missing = endpoints.filter(endpoint => endpoint.body && !goodRequests[nameOf(endpoint)]?.body)
  expect(missing.map(nameOf)).toEqual([])
  const names = new Set(endpoints.map(nameOf))
  expect(Object.keys(goodRequests).filter(name => !names.has(name))).toEqual([])
})

test.each(endpoints.map(endpoint => [nameOf(endpoint), endpoint] as const))(
  '%s never fails over a hostile id or value',
  async (name, endpoint) => {
    const good = goodRequests[name] ?? {}
    const inPath = entriesOf(endpoint.params).flatMap(param =>
      hostileIds.map(id => ({ ...good, params: { ...good.params, [param]: id } })),
    )
    const names = new Set([...entriesOf(endpoint.query), ...Object.keys(good.query ?? {}), 'toString'])
    const inQuery = [...names].flatMap(key => hostileIds.map(id => ({ ...good, query: { ...good.query, [key]: id } })))
    const inBody = good.body ? [...spoilt(good.body)].filter(isObject).map(body => ({ ...good, body })) : []
    expect(await sendAll(endpoint, [...inPath, ...inQuery, ...inBody])).toEqual([])
  },
)
