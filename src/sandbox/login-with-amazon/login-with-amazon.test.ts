import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adsClient, CLIENT, SECRET, startSmallSandbox } from '../../../tests/support/ads-world.ts'
import type { Sandbox } from '../start-sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSmallSandbox()
})
afterAll(() => sandbox.close())

const authorizeRequest = {
  client_id: CLIENT,
  scope: 'advertising::campaign_management',
  response_type: 'code',
  redirect_uri: 'http://product.test/callback?kind=ads',
  state: 'a&b=c',
}
async function answer(fields: object): Promise<URL> {
  const response = await fetch(`${sandbox.url}/lwa/ap/oa`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...authorizeRequest, login: 'owner@sandbox.test', answer: 'allow', ...fields }),
  })
  expect(response.status).toBe(302)
  return new URL(response.headers.get('location') ?? '')
}

async function token(form: Record<string, string>) {
  const response = await fetch(`${sandbox.url}/lwa/auth/o2/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: CLIENT, client_secret: SECRET, ...form }),
  })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}

const exchange = (code: string | null, more: Record<string, string> = {}) =>
  token({ grant_type: 'authorization_code', code: code ?? '', redirect_uri: authorizeRequest.redirect_uri, ...more })

describe('the authorize page', () => {
  test('offers every login and carries the request along', async () => {
    const response = await fetch(`${sandbox.url}/lwa/ap/oa?${new URLSearchParams(authorizeRequest)}`)
    const html = await response.text()
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(html).toContain('value="owner@sandbox.test"')
    expect(html).toContain('name="state" value="a&amp;b=c"')
    expect(html).toMatch(/<button name="answer" value="allow">[\s\S]*<button name="answer" value="refuse">/)
  })

  test('allowing redirects back with code, scope and state; refusing, with access_denied and no code', async () => {
    const back = await answer({})
    expect(back.origin + back.pathname).toBe('http://product.test/callback')
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      kind: 'ads',
      scope: authorizeRequest.scope,
      state: 'a&b=c',
    })
    expect(back.searchParams.get('code')).toBeTruthy()
    const refusal = await answer({ answer: 'refuse' })
    expect(Object.fromEntries(refusal.searchParams)).toMatchObject({ error: 'access_denied', state: 'a&b=c' })
    expect(refusal.searchParams.get('code')).toBeNull()
  })

  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['no scope', { scope: '' }],
    ['a script for an address', { redirect_uri: 'javascript:alert(1)' }],
    ['another response type', { response_type: 'token' }],
  ])('shows an error instead of leading anywhere for %s', async (_, wrong) => {
    const response = await fetch(`${sandbox.url}/lwa/ap/oa?${new URLSearchParams({ ...authorizeRequest, ...wrong })}`)
    expect(response.status).toBe(400)
  })
})

describe('a code', () => {
  test('buys an hour’s access and a refresh token, once', async () => {
    const { searchParams } = await answer({})
    const first = await exchange(searchParams.get('code'))
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('application/json;charset=UTF-8')
    expect(first.headers.get('cache-control')).toContain('no-store')
    expect(first.headers.get('x-amz-rid')).toBeTruthy()
    expect(first.body).toEqual({
      access_token: expect.stringMatching(/^Atza\|/),
      refresh_token: expect.stringMatching(/^Atzr\|/),
      token_type: 'bearer',
      expires_in: 3600,
    })
    expect(await exchange(searchParams.get('code'))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('is worth nothing at another address, after five minutes, or without its verifier', async () => {
    const elsewhere = (await answer({})).searchParams.get('code')
    expect(await exchange(elsewhere, { redirect_uri: 'http://product.test/callback' })).toMatchObject({ status: 400 })
    const verifier = 'v'.repeat(50)
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    expect((await exchange((await answer(pkce)).searchParams.get('code'))).status).toBe(400)
    const right = await exchange((await answer(pkce)).searchParams.get('code'), { code_verifier: verifier })
    expect(right.status).toBe(200)
    const late = (await answer({})).searchParams.get('code')
    sandbox.world.clock.advance(5 * 60_000)
    expect(await exchange(late)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })
})

describe('the token endpoint', () => {
  const post = (type: string, body: string): Promise<Response> =>
    fetch(`${sandbox.url}/lwa/auth/o2/token`, { method: 'POST', headers: { 'content-type': type }, body })

  test('takes JSON as well as a form, as the real one does, and nothing else', async () => {
    const code = (await answer({})).searchParams.get('code')
    const fields = { grant_type: 'authorization_code', code, redirect_uri: authorizeRequest.redirect_uri }
    const form = { ...fields, client_id: CLIENT, client_secret: SECRET }
    expect((await post('application/json', JSON.stringify(form))).status).toBe(200)
    expect((await post('text/plain', JSON.stringify(form))).status).toBe(400)
  })
})

describe('a refresh token', () => {
  test('a refresh token stays the same and gives new access until it is revoked', async () => {
    const bought = await exchange((await answer({})).searchParams.get('code'))
    const refresh = { grant_type: 'refresh_token', refresh_token: String(bought.body.refresh_token) }
    const again = await token(refresh)
    expect(again.body).toMatchObject({ refresh_token: refresh.refresh_token, expires_in: 3600 })
    expect(again.body.access_token).not.toBe(bought.body.access_token)
    expect(await token({ ...refresh, client_secret: 'wrong' })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client', error_description: 'Client authentication failed' },
    })
    sandbox.world.faults.add({ match: { vendor: 'lwa', path: '/auth/o2/token' }, kind: 'revoked-grant' })
    const revoked = {
      status: 400,
      body: {
        error: 'invalid_grant',
        error_description:
          "The request has an invalid grant parameter : refresh_token. User may have revoked or didn't grant the permission.",
      },
    }
    expect(await token(refresh)).toMatchObject(revoked)
    expect(await token(refresh)).toMatchObject(revoked)
    expect(sandbox.world.lwa.check(String(again.body.access_token))).toBeNull()
  })

  test('of an application that acts for itself does not exist', async () => {
    const own = await token({ grant_type: 'client_credentials', scope: 'sellingpartnerapi::notifications' })
    expect(own).toMatchObject({ status: 200, body: { token_type: 'bearer' } })
    expect(own.body).not.toHaveProperty('refresh_token')
    expect(await token({ grant_type: 'password' })).toMatchObject({ body: { error: 'unsupported_grant_type' } })
  })
})

describe('an access token', () => {
  test('ends after an hour of the world’s time', async () => {
    const ads = await adsClient(sandbox)
    expect((await ads.call('GET', '/v2/profiles', null)).status).toBe(200)
    sandbox.world.clock.advance(3_600_000)
    expect((await ads.call('GET', '/v2/profiles', null)).status).toBe(401)
  })

  test('of a Selling Partner consent reaches that seller only, and no advertising', async () => {
    const code = sandbox.world.lwa.issueCode({
      login: 'owner@sandbox.test',
      sellerId: 'A1TESTSELLER',
      scope: 'sellingpartnerapi',
      redirectUri: null,
      clientId: CLIENT,
    })
    const { body } = await token({ grant_type: 'authorization_code', code })
    const access = sandbox.world.lwa.check(String(body.access_token))
    expect(access).toMatchObject({ sellerIds: ['A1TESTSELLER'], scope: 'sellingpartnerapi' })
    const response = await fetch(`${sandbox.url}/ads/na/v2/profiles`, {
      headers: { authorization: `Bearer ${body.access_token}`, 'amazon-advertising-api-clientid': CLIENT },
    })
    expect(response.status).toBe(403)
  })
})
