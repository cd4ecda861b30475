import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { testServices } from '../../../tests/support/services.ts'
import { buildServer } from './build-server.ts'
import { route } from './route.ts'

const open = defineEndpoint({
  method: 'GET',
  path: '/open',
  summary: 'Open',
  access: 'public',
  response: v.object({ ok: v.boolean() }),
})
let services: Awaited<ReturnType<typeof testServices>>
beforeAll(async () => {
  services = await testServices()
})
afterAll(() => services.close())

/** Runs `probe` on a server of a built client of these files. */
async function serving(
  files: Record<string, string>,
  probe: (served: Awaited<ReturnType<typeof buildServer>>, staticRoot: string) => Promise<void>,
) {
  const staticRoot = await mkdtemp(join(tmpdir(), 'tideline-client-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(staticRoot, name), text)
  const served = await buildServer({
    services,
    version: '1.0.0',
    checkResponses: true,
    authenticate: async () => null,
    routes: [route(open, async () => ({ ok: true }))],
    staticRoot,
  })
  await probe(served, staticRoot)
  await served.close()
  await rm(staticRoot, { recursive: true })
}
const page = { 'index.html': '<title>Tideline</title>' }

test('a page address gets the shell as small as the browser can take it, never kept without asking', () =>
  serving({ ...page, 'index.html.br': 'packed' }, async served => {
    const packed = await served.inject({ url: '/home?days=7', headers: { 'accept-encoding': 'gzip, br' } })
    expect(packed.statusCode).toBe(200)
    expect(packed.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
    })
    expect(packed.body).toBe('packed')
    const plain = await served.inject({ url: '/campaigns/12', headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.body).toBe('<title>Tideline</title>')
    expect((await served.inject({ url: '/assets/gone.js' })).statusCode).toBe(404)
  }))

test('a page may run the script that was built into it, and no other, also after it was built again', async () => {
  const pageWith = (script: string) => `<script>${script}</script><title>Tideline</title>`
  const policyFor = (script: string) =>
    `script-src 'self' 'sha256-${createHash('sha256').update(script).digest('base64')}';`
  await serving({ 'index.html': pageWith("alert('early')"), 'icon.svg': '<svg/>' }, async (served, staticRoot) => {
    const policyOf = async (url: string) => (await served.inject(url)).headers['content-security-policy']
    expect(await policyOf('/home')).toContain(policyFor("alert('early')"))
    expect(await policyOf('/icon.svg')).toContain("script-src 'self';")
    await writeFile(join(staticRoot, 'index.html'), pageWith("alert('later')"))
    for (const url of ['/home', '/', '/index.html']) expect(await policyOf(url)).toContain(policyFor("alert('later')"))
  })
})

test('an address may ask for any number of pages and files, but not for any number of calls', () =>
  serving({ ...page, 'icon.svg': '<svg/>' }, async served => {
    const statuses = async (url: string): Promise<number[]> => {
      const seen = new Set<number>()
      for (let i = 0; i < 601; i += 1) seen.add((await served.inject(url)).statusCode)
      return [...seen]
    }
    expect(await statuses('/callback')).toEqual([200])
    expect(await statuses('/icon.svg')).toEqual([200])
    expect(await statuses('/api/open')).toEqual([200, 429])
    for (const same of ['/%61pi/open', 'http://tideline.test/api/open']) expect(await statuses(same)).toEqual([429])
  }))

test('a client of another build learns which one is served, from any answer to a call', () =>
  serving({ ...page, 'version.json': '{"build":"b2"}' }, async served => {
    const newest = async (named?: string) => {
      const headers = named === undefined ? {} : { 'x-build': named }
      return (await served.inject({ url: '/api/open', headers })).headers['x-newest-build']
    }
    expect(await newest('1-b1')).toBe('b2')
    expect(await newest('1-b2')).toBeUndefined()
    // A page that is not from a build, and other programs.
    expect(await newest('1-dev')).toBeUndefined()
    expect(await newest()).toBeUndefined()
    const unknown = await served.inject({ url: '/api/nothing', headers: { 'x-build': '1-b1' } })
    expect([unknown.statusCode, unknown.headers['x-newest-build']]).toEqual([404, 'b2'])
  }))
