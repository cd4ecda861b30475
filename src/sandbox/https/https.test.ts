import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { request, type RequestOptions } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../start-sandbox.ts'
import { rewriteVendorUrl } from './vendor-hosts.ts'

let sandbox: Sandbox
let data: string
let ca: string
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'emulator-https-'))
  sandbox = await startSandbox({ scenario: 'new-seller', httpsPort: 0, data })
  ca = await readFile(sandbox.https?.authorityFile ?? '', 'utf8')
})
afterAll(async () => {
  await sandbox.close()
  await rm(data, { recursive: true, force: true })
})

interface Answer {
  status: number
  body: string
}
/** A call to a vendor's host that is led to this machine, as by the hosts file. */
function call(host: string, path: string, options: RequestOptions = {}, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(sandbox.https?.url ?? '')
    const outgoing = request({ host: 'localhost', port, path, servername: host, ca, ...options }, answer => {
      let text = ''
      answer.on('data', chunk => (text += String(chunk)))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text }))
    })
    outgoing.setHeader('host', host)
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

describe('HTTPS', () => {
  test('is answered under the vendors’ hosts, on the vendors’ own paths', async () => {
    const seller = await call('sellingpartnerapi-na.amazon.com', '/sellers/v1/marketplaceParticipations')
    expect([seller.status, seller.body]).toEqual([403, expect.stringContaining('Unauthorized')])
    const ads = await call('advertising-api-eu.amazon.com', '/v2/profiles')
    expect(ads.status).toBe(401)
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const token = await call('api.amazon.com', '/auth/o2/token', form, 'grant_type=refresh_token&refresh_token=x')
    expect(token.body).toContain('invalid_client')
    const [vendor] = (await (await sandbox.control('GET', 'requests?vendor=sp')).json()) as { path: string }[]
    expect(vendor?.path).toBe('/sp/na/sellers/v1/marketplaceParticipations')
  })

  test('is answered under localhost as well, and links lead there', async () => {
    expect((await call('localhost', '/healthz')).status).toBe(200)
    expect(sandbox.world.config.publicUrl).toBe(sandbox.https?.url)
  })

  test('is trusted only by who trusts the authority, and only for names that the emulator answers for', async () => {
    await expect(call('localhost', '/healthz', { ca: '' })).rejects.toThrow(/certificate/)
    await expect(call('elsewhere.test', '/healthz')).rejects.toThrow(/altnames/)
  })

  test('keeps its authority in the data folder, the key for its owner alone', async () => {
    expect((await stat(join(data, 'https', 'ca-key.pem'))).mode & 0o777).toBe(0o600)
    await sandbox.close()
    sandbox = await startSandbox({ scenario: 'new-seller', httpsPort: 0, data })
    expect(await readFile(join(data, 'https', 'ca.pem'), 'utf8')).toBe(ca)
    expect((await call('localhost', '/healthz')).status).toBe(200)
  })
})

test('a vendor’s host maps to its part of the emulator, and pages there redirect correctly', () => {
  expect(rewriteVendorUrl('sandbox.sellingpartnerapi-fe.amazon.com:443', '/x?y')).toBe('/sp/fe/x?y')
  expect(rewriteVendorUrl('Sellercentral-europe.amazon.com', '/apps/authorize/consent')).toBe(
    '/sellercentral/apps/authorize/consent',
  )
  expect(rewriteVendorUrl('www.amazon.com', '/lwa/ap/oa')).toBe('/lwa/ap/oa')
  expect(rewriteVendorUrl('localhost:8081', '/ads/na/v2/profiles')).toBe('/ads/na/v2/profiles')
  expect(rewriteVendorUrl(undefined, '/mail')).toBe('/mail')
})
