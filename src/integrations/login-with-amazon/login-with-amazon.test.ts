import { afterEach, expect, it } from 'vitest'
import { AmbiguousOutcome, UpstreamUnavailable } from '#server/http-client/upstream-errors.ts'
import { type Answer, json, silentLog, startScriptedHost } from '../../../tests/support/scripted-host.ts'
import { ClientRejected, createLoginWithAmazon, GrantRevoked } from './index.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function scene(...answers: Answer[]) {
  const host = await startScriptedHost(...answers)
  closers.push(host.close)
  const login = createLoginWithAmazon({
    authorizeUrls: {
      NA: 'https://www.amazon.com/ap/oa',
      EU: 'https://eu.account.amazon.com/ap/oa',
      FE: 'https://apac.account.amazon.com/ap/oa',
    },
    tokenUrl: `${host.url}/auth/o2/token`,
    clientId: 'client',
    clientSecret: 'secret',
    clock: { now: () => new Date('2026-11-21T10:00:00Z') },
    log: silentLog,
    policy: { firstDelayMs: 1, maxDelayMs: 2, timeoutMs: 1500 },
  })
  return { host, login }
}

const grant = json({ access_token: 'Atza|1', refresh_token: 'Atzr|1', token_type: 'bearer', expires_in: 3600 })
const invalidGrant = json(
  {
    error: 'invalid_grant',
    error_description:
      "The request has an invalid grant parameter : refresh_token. User may have revoked or didn't grant the permission.",
  },
  400,
)

it('sends the browser to the consent page of its region', async () => {
  const { login } = await scene(grant)
  const url = new URL(login.authorizeUrl({ region: 'EU', state: 's&t', redirectUri: 'https://app.example/back?x=1' }))
  expect(url.origin + url.pathname).toBe('https://eu.account.amazon.com/ap/oa')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'client',
    scope: 'advertising::campaign_management',
    response_type: 'code',
    redirect_uri: 'https://app.example/back?x=1',
    state: 's&t',
  })
})

it('redeems a code for tokens that end when they say', async () => {
  const { host, login } = await scene(grant)
  expect(await login.exchangeCode({ code: 'c', redirectUri: 'https://app.example/back' })).toEqual({
    accessToken: 'Atza|1',
    refreshToken: 'Atzr|1',
    expiresAt: new Date('2026-11-21T11:00:00Z'),
  })
  expect(Object.fromEntries(new URLSearchParams(host.seen[0]?.body))).toEqual({
    grant_type: 'authorization_code',
    code: 'c',
    redirect_uri: 'https://app.example/back',
    client_id: 'client',
    client_secret: 'secret',
  })
})

it('keeps the old refresh token where the answer has none', async () => {
  const { login } = await scene(json({ access_token: 'Atza|2', token_type: 'bearer', expires_in: 3600 }))
  expect((await login.refresh('Atzr|old')).refreshToken).toBe('Atzr|old')
})

it('distinguishes a revoked permission from a rejected client', async () => {
  const { host, login } = await scene(
    invalidGrant,
    json({ error: 'invalid_client', error_description: 'Client authentication failed' }, 401),
  )
  await expect(login.refresh('Atzr|1')).rejects.toBeInstanceOf(GrantRevoked)
  await expect(login.refresh('Atzr|1')).rejects.toBeInstanceOf(ClientRejected)
  expect(host.seen).toHaveLength(2)
})

it('repeats a refresh, never the redeeming of a code', async () => {
  const down = json({}, 503)
  const { host, login } = await scene(down, grant, down, grant)
  expect((await login.refresh('Atzr|1')).accessToken).toBe('Atza|1')
  await expect(login.exchangeCode({ code: 'c' })).rejects.toBeInstanceOf(AmbiguousOutcome)
  expect(host.seen).toHaveLength(3)
})

it('never tells a secret in an error', async () => {
  const { host, login } = await scene(grant)
  await host.close()
  const error = await login.refresh('Atzr|very-secret').catch((e: unknown) => e)
  expect(error).toBeInstanceOf(UpstreamUnavailable)
  expect(JSON.stringify(error) + String(error)).not.toMatch(/very-secret|client_secret/)
})
