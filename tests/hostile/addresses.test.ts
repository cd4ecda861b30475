import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildServer } from '#server/http/build-server.ts'
import { routes } from '../../src/main/api.ts'
import { testServices } from '../support/services.ts'

const secret = 'nobody may read this'
let services: Awaited<ReturnType<typeof testServices>>
let app: Awaited<ReturnType<typeof buildServer>>
let folder: string
let port: number
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tideline-addresses-'))
  const staticRoot = join(folder, 'client')
  await mkdir(join(staticRoot, 'assets'), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), secret)
  await writeFile(join(staticRoot, 'index.html'), '<title>Tideline</title>')
  await writeFile(join(staticRoot, 'assets', 'app-1.js'), 'app()')
  services = await testServices()
  const authenticate = async () => null
  app = await buildServer({ services, routes, authenticate, staticRoot, checkResponses: true, version: '1.0.0' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await app.close()
  await services.close()
  await rm(folder, { recursive: true })
})

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}
// Over a socket, for clients of a higher level put an address in order before they send it.
function send(path: string, method = 'GET') {
  return new Promise<Answer>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method }, answer => {
      let body = ''
      answer.on('data', chunk => (body += chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
    })
    sent.on('error', reject).end()
  })
}
function isProblem({ body }: Answer) {
  const { errorCode, message, requestId } = JSON.parse(body)
  expect([typeof errorCode, typeof message, typeof requestId]).toEqual(['string', 'string', 'string'])
}

const oddAddresses = [
  '//x',
  '//',
  '///x/..',
  '/%00',
  '/a%00b',
  '/%2e%2e/secret.txt',
  '/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
  '/..%2fsecret.txt',
  '/../secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/%00',
  '/assets/',
  '/assets',
  '/%',
  '/%zz',
  '/%c0%af',
  '/%e0%80%af..%e0%80%afsecret.txt',
  '/\\..\\secret.txt',
  '/%5c..%5csecret.txt',
  '/.env',
  '/a;b=c',
  '/%0d%0aset-cookie:x=1',
  `/${'x'.repeat(6000)}`,
  `/${'x/'.repeat(3000)}`,
  `/${'%41'.repeat(2000)}`,
  '/?%',
  '/?a=%00&a=%ff',
  'http://other.example//x',
  'http://[::1',
]

const named = (path: string) => [path.length > 60 ? `${path.slice(0, 20)}… (${path.length})` : path, path] as const

test.each(oddAddresses.flatMap(path => (['GET', 'HEAD'] as const).map(method => [method, ...named(path)] as const)))(
  '%s %s is a page or a problem of the caller, never of ours',
  async (method, _name, path) => {
    const answer = await send(path, method)
    expect([200, 400, 403, 404, 414]).toContain(answer.status)
    expect(answer.body).not.toContain(secret)
    if (method === 'GET' && answer.status !== 200) isProblem(answer)
    if (method === 'GET' && answer.status === 200) expect(answer.body).toContain('<title>Tideline</title>')
  },
)

test.each(
  [
    '/api',
    '/api/',
    '/api/nothing',
    '/api//user',
    '/api/%00',
    '/api/%2e%2e/index.html',
    '/api/..%2findex.html',
    '/api/%zz',
    '/api/user/',
    '/api/nothing.html',
    `/api/${'x'.repeat(6000)}`,
    `/api/campaigns/${'1'.repeat(600)}`,
    '/%61pi/nothing',
  ].map(named),
)('an unknown call %s is a problem in JSON that nobody keeps, by every method', async (_name, path) => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND', 'TRACE']) {
    const answer = await send(path, method)
    expect([method, answer.status]).toEqual([method, expect.toBeOneOf([400, 404, 414])])
    expect([method, answer.headers['content-type']]).toEqual([method, expect.stringContaining('application/json')])
    expect([method, answer.headers['cache-control']]).toEqual([method, 'no-store'])
    if (method !== 'HEAD') isProblem(answer)
  }
})

test('an address that is a call by another method is a problem in JSON as well', async () => {
  const answer = await send('/api/auth/login')
  expect(answer.status).toBe(404)
  isProblem(answer)
})

test('an error is kept by nobody, and what anybody may read is asked about again', async () => {
  const refused = await send('/api/user')
  expect([refused.status, refused.headers['cache-control']]).toEqual([401, 'no-store'])
  const plans = await send('/api/subscriptions/plans')
  expect([plans.status, plans.headers['cache-control']]).toEqual([200, 'no-cache'])
})
