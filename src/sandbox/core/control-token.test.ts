import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSmallSandbox } from '../../../tests/support/ads-world.ts'
import { type Sandbox, startSandbox } from '../start-sandbox.ts'
import { openControlToken } from './control-token.ts'

let sandbox: Sandbox
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'control-token-'))
  sandbox = await startSmallSandbox()
})
afterAll(async () => {
  await sandbox.close()
  await rm(folder, { recursive: true, force: true })
})

const statusOf = async (path: string, init: RequestInit = {}): Promise<number> =>
  (await fetch(sandbox.url + path, { redirect: 'manual', ...init })).status
const bearer = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } })
/** Asks under any host name, which `fetch` would not send. */
function statusAs(host: string, path: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(sandbox.url)
    request({ host: 'localhost', port, path, headers: { ...headers, host } }, answer => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .once('error', reject)
      .end()
  })
}
function enter(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${sandbox.url}/console/enter`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams(fields),
  })
}

describe('the token', () => {
  test('every control call requires it, wherever the call comes from', async () => {
    const calls = ['state', 'clock', 'faults', 'requests', 'mail', 'push']
    for (const call of calls) {
      expect(await statusOf(`/control/${call}`)).toBe(401)
      expect(await statusOf(`/control/${call}`, bearer('a-guess-of-some-length'))).toBe(401)
      expect(await statusOf(`/control/${call}`, bearer(sandbox.controlToken))).toBe(200)
    }
    for (const call of ['reset', 'clock', 'faults', 'reports', 'limits', 'console', 'push/subscriptions'])
      expect(await statusOf(`/control/${call}`, { method: 'POST' })).toBe(401)
    expect(await statusAs('sandbox.example', '/control/state', { 'x-forwarded-for': '127.0.0.1' })).toBe(401)
  })

  test('the data folder stores it, readable by its owner only, until another is configured', async () => {
    const data = join(folder, 'data')
    const token = openControlToken(undefined, data)
    const path = join(data, 'control-token')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(openControlToken(undefined, data)).toBe(token)
    expect(openControlToken('a-token-of-my-own', data)).toBe('a-token-of-my-own')
    expect((await readFile(path, 'utf8')).trim()).toBe('a-token-of-my-own')
    expect(openControlToken(undefined, data)).toBe('a-token-of-my-own')
    expect(openControlToken(undefined, undefined)).not.toBe(openControlToken(undefined, undefined))
  })

  test('a configured token is used', async () => {
    const other = await startSandbox({ scenario: 'new-seller', controlToken: 'a-token-of-my-own' })
    const state = await fetch(`${other.url}/control/state`, bearer('a-token-of-my-own'))
    await other.close()
    expect(state.status).toBe(200)
  })
})

describe('the console', () => {
  test('shows nothing and changes nothing until a browser has entered', async () => {
    for (const path of ['/', '/console/faults', '/console/requests', '/console/profiles/1']) {
      const page = await fetch(sandbox.url + path)
      expect(page.status).toBe(401)
      expect(await page.text()).toContain(`name="back" value="${path}"`)
    }
    const before = sandbox.world.clock.now().getTime()
    const form = new URLSearchParams({ advance: 'P1D' })
    expect(await statusOf('/console/clock', { method: 'POST', body: form })).toBe(401)
    expect(sandbox.world.clock.now().getTime()).toBe(before)
  })

  test('lets in who has the token, by a cookie that neither scripts nor other sites can use', async () => {
    expect((await enter({ token: 'a-guess-of-some-length' })).status).toBe(403)
    const entered = await enter({ token: sandbox.controlToken, back: '/console/faults' })
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/console/faults'])
    const cookie = entered.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict$/)
    expect(cookie).not.toContain(sandbox.controlToken)
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    expect(await statusOf('/', { headers })).toBe(200)
    expect(await statusOf('/control/state', { headers })).toBe(401)
    const form = { method: 'POST', body: new URLSearchParams({ advance: 'PT1H' }) }
    const foreign = { ...headers, origin: 'http://localhost:1' }
    expect(await statusOf('/console/clock', { ...form, headers: foreign })).toBe(403)
    expect(await statusOf('/console/clock', { ...form, headers: { ...headers, origin: sandbox.url } })).toBe(303)
    const away = await enter({ token: sandbox.controlToken, back: '//elsewhere.test' })
    expect(away.headers.get('location')).toBe('/')
  })

  test('leaves the token out of the journal of requests', async () => {
    await enter({ token: sandbox.controlToken })
    const requests = await (await sandbox.control('GET', 'requests')).text()
    expect(requests).not.toContain(sandbox.controlToken)
  })

  test('and the outbox answer under no name that somebody else points at this machine', async () => {
    for (const path of ['/', '/console/enter', '/mail', '/mail/1'])
      expect(await statusAs('rebound.example:8081', path)).toBe(421)
    for (const host of ['localhost:8081', '127.0.0.1', '[::1]:8081', 'console.localhost'])
      expect(await statusAs(host, '/mail')).toBe(200)
  })
})
