import { sql } from 'kysely'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthScene, goodPassword, startAuthScene } from '../../../../tests/support/auth-scene.ts'
import { demoteUser, promoteUser } from './user.ts'
import { signingKey } from './authenticate.ts'
import { createAuthenticator } from './authenticate.ts'

let scene: AuthScene
beforeAll(async () => {
  scene = await startAuthScene()
})
afterAll(() => scene.close())

const [second, minute, day] = [1000, 60_000, 86_400_000]
const statusOf = async (token: string) =>
  (await scene.call('/user/short', undefined, { token, method: 'GET' })).statusCode
const refresh = (refreshToken: string) => scene.call('/auth/refresh', { refreshToken })
async function pairOf(refreshToken: string) {
  const answer = await refresh(refreshToken)
  expect(answer.statusCode).toBe(200)
  return answer.json<{ accessToken: string; refreshToken: string }>()
}

describe('logging in', () => {
  test('answers both tokens and the address, whatever its case', async () => {
    const email = await scene.newcomer()
    const result = await scene.login(` ${email.toUpperCase()} `)
    expect(result).toEqual({
      isFirst: true,
      locale: 'en-US',
      timezone: 'UTC',
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      email,
    })
    expect(Buffer.from(result.refreshToken, 'base64url')).toHaveLength(32)
    expect(await statusOf(result.accessToken)).toBe(200)
  })

  test('takes a password by every one of its characters', async () => {
    const password = 'Abc def1!é'
    const email = await scene.newcomer({ password })
    await scene.login(email, password)
    for (const wrong of [`${password} `, 'Abc def1!e', 'abc def1!é', 'Abc def1!'])
      expect((await scene.call('/auth/login', { email, password: wrong })).statusCode).toBe(401)
  })

  test('does not cut a password of 100 characters off', async () => {
    const password = `Ab1!${'x'.repeat(95)}`
    const email = await scene.newcomer({ password: `${password}y` })
    expect((await scene.call('/auth/login', { email, password: `${password}z` })).statusCode).toBe(401)
    await scene.login(email, `${password}y`)
  })

  test('answers the same for a wrong password as for an unknown address', async () => {
    const email = await scene.newcomer()
    const answers = await Promise.all(
      [email, 'nobody@people.test'].map(address =>
        scene.call('/auth/login', { email: address, password: 'Wrong=7tides' }, { ip: '10.0.0.2' }),
      ),
    )
    const [registered, unknown] = answers.map(a => ({ status: a.statusCode, ...a.json(), requestId: '' }))
    expect(registered).toEqual(unknown)
    expect(registered).toMatchObject({ status: 401, errorCode: 'INVALID_CREDENTIALS' })
  })

  test('is refused to a suspended account, whose session ends at once', async () => {
    const email = await scene.newcomer()
    const { accessToken, refreshToken } = await scene.login(email)
    await scene.services.db.system
      .updateTable('account')
      .set({ status: 'SUSPENDED' })
      .where('email', '=', email)
      .execute()
    expect(await statusOf(accessToken)).toBe(401)
    expect((await refresh(refreshToken)).statusCode).toBe(401)
    expect((await scene.call('/auth/login', { email, password: goodPassword })).json()).toMatchObject({
      errorCode: 'INVALID_CREDENTIALS',
    })
  })
})

describe('guessing passwords', () => {
  const guess = (email: string, ip: string, password = 'Wrong=7tides') =>
    scene.call('/auth/login', { email, password }, { ip })

  test('is stopped after ten wrong ones, with how long to wait, and only where it came from', async () => {
    const email = await scene.newcomer()
    const answers = []
    for (let i = 0; i < 12; i++) answers.push(await guess(email, '10.3.0.1'))
    expect(answers.map(a => a.statusCode)).toEqual([...Array(10).fill(401), 429, 429])
    expect(answers[11]?.json()).toMatchObject({ errorCode: 'RATE_LIMITED' })
    expect(Number(answers[11]?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await guess(email, '10.3.0.1', goodPassword)).statusCode).toBe(429)
    expect((await guess(email, '10.3.0.2', goodPassword)).statusCode).toBe(200)
  })

  test('is not helped by a forwarded address that no proxy of ours wrote', async () => {
    const email = await scene.newcomer()
    const statuses = []
    for (let i = 0; i < 11; i++) {
      const answer = await scene.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        remoteAddress: '10.3.1.1',
        headers: { 'x-forwarded-for': `10.200.0.${i}` },
        payload: { email, password: 'Wrong=7tides' },
      })
      statuses.push(answer.statusCode)
    }
    expect(statuses.at(-1)).toBe(429)
  })

  test('of many accounts from one place is stopped after a hundred', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 110 }, async (_, i) => (await guess(`nobody${i}@people.test`, '10.3.2.1')).statusCode),
    )
    expect(statuses.filter(s => s === 401)).toHaveLength(100)
    expect(statuses.filter(s => s === 429)).toHaveLength(10)
  })

  test('is forgotten once the right one was found', async () => {
    const email = await scene.newcomer()
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 9; i++) expect((await guess(email, '10.3.3.1')).statusCode).toBe(401)
      expect((await guess(email, '10.3.3.1', goodPassword)).statusCode).toBe(200)
    }
  })
})

describe('an access token', () => {
  test('is refused when it is not ours, of another kind, or for another audience', async () => {
    const { accessToken, refreshToken } = await scene.login(await scene.newcomer())
    const [header = '', payload = '', signature = ''] = accessToken.split('.')
    const { sub, sid } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string; sid: string }
    const forge = (change: {
      key?: Uint8Array
      typ?: string
      alg?: string
      aud?: string
      iss?: string
      sid?: string
    }) =>
      new SignJWT({ sid: change.sid ?? sid })
        .setProtectedHeader({ alg: change.alg ?? 'HS256', typ: change.typ ?? 'at+jwt' })
        .setSubject(sub)
        .setIssuer(change.iss ?? 'tideline')
        .setAudience(change.aud ?? 'tideline-api')
        .setExpirationTime(new Date(scene.services.clock.now().getTime() + minute))
        .sign(change.key ?? signingKey(scene.services.config))
    expect(await statusOf(await forge({}))).toBe(200)
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
    const bad = [
      `${none}.${payload}.`,
      `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      refreshToken,
      await forge({ key: new Uint8Array(64).fill(7) }),
      await forge({ aud: 'another-api' }),
      await forge({ iss: 'another' }),
      await forge({ typ: 'JWT' }),
      await forge({ alg: 'HS512' }),
      await forge({ sid: crypto.randomUUID() }),
      'nonsense',
    ]
    expect(await Promise.all(bad.map(statusOf))).toEqual(bad.map(() => 401))
  })

  test('ends after fifteen minutes', async () => {
    const { accessToken } = await scene.login(await scene.newcomer())
    scene.passTime(14 * minute)
    expect(await statusOf(accessToken)).toBe(200)
    scene.passTime(minute + second)
    expect(await statusOf(accessToken)).toBe(401)
  })

  test('carries no rights: those are read at each request', async () => {
    const email = await scene.newcomer()
    const { accessToken } = await scene.login(email)
    const authenticate = createAuthenticator(scene.services, {
      columns: sql<{ locale: string }>`a.locale`,
      toMore: more => more,
      keysOf: () => [],
    })
    const rights = async () => (await authenticate(accessToken))?.authorities
    expect(await rights()).toEqual(['ACCOUNT_MANAGER'])
    await promoteUser(scene.services, email, 'ADMIN')
    expect((await rights())?.toSorted()).toEqual(['ACCOUNT_MANAGER', 'ADMIN', 'CAMPAIGN_MANAGER'])
    await demoteUser(scene.services, email, 'ADMIN')
    expect(await rights()).toEqual(['ACCOUNT_MANAGER'])
  })
})

describe('a refresh token', () => {
  test('gives a new pair, and the pair after that', async () => {
    const first = await scene.login(await scene.newcomer())
    const next = await pairOf(first.refreshToken)
    expect(next.refreshToken).not.toBe(first.refreshToken)
    expect(await statusOf(next.accessToken)).toBe(200)
    scene.passTime(15 * minute)
    expect(await statusOf((await pairOf(next.refreshToken)).accessToken)).toBe(200)
  })

  test('brought by ten at once gives all of them the same successor', async () => {
    const { refreshToken } = await scene.login(await scene.newcomer())
    const pairs = await Promise.all(Array.from({ length: 10 }, () => pairOf(refreshToken)))
    expect(new Set(pairs.map(p => p.refreshToken)).size).toBe(1)
    const { db } = scene.services
    const { hashSecret } = await import('./secret-token.ts')
    const rows = await db.system
      .selectFrom('refresh_token as t')
      .innerJoin('refresh_token as other', 'other.session_id', 't.session_id')
      .select('other.token_hash')
      .where('t.token_hash', '=', hashSecret(refreshToken))
      .execute()
    expect(rows).toHaveLength(2)
    await pairOf(pairs[0]?.refreshToken ?? '')
  })

  test('whose reply was lost answers again what is still unused, for twenty seconds', async () => {
    const { refreshToken } = await scene.login(await scene.newcomer())
    const lost = await pairOf(refreshToken)
    scene.passTime(19 * second)
    expect((await pairOf(refreshToken)).refreshToken).toBe(lost.refreshToken)
    const third = await pairOf(lost.refreshToken)
    expect((await pairOf(lost.refreshToken)).refreshToken).toBe(third.refreshToken)
  })

  test('used again later ends the session with all its tokens', async () => {
    const { refreshToken } = await scene.login(await scene.newcomer())
    const next = await pairOf(refreshToken)
    scene.passTime(20 * second)
    expect((await refresh(refreshToken)).json()).toMatchObject({ errorCode: 'UNAUTHENTICATED' })
    expect((await refresh(next.refreshToken)).statusCode).toBe(401)
    expect(await statusOf(next.accessToken)).toBe(401)
  })

  test('from far back in the chain ends the session too, and no other session', async () => {
    const email = await scene.newcomer()
    const [stolen, elsewhere] = [await scene.login(email), await scene.login(email)]
    const second = await pairOf(stolen.refreshToken)
    scene.passTime(10 * minute)
    const third = await pairOf(second.refreshToken)
    expect((await refresh(stolen.refreshToken)).statusCode).toBe(401)
    expect((await refresh(third.refreshToken)).statusCode).toBe(401)
    expect((await refresh(elsewhere.refreshToken)).statusCode).toBe(200)
  })

  test('is renewed for thirty days at most', async () => {
    let { refreshToken } = await scene.login(await scene.newcomer())
    for (let i = 0; i < 29; i++) {
      scene.passTime(day)
      ;({ refreshToken } = await pairOf(refreshToken))
    }
    scene.passTime(day + second)
    expect((await refresh(refreshToken)).statusCode).toBe(401)
  })

  test.each(['', 'made-up', 'x'.repeat(200)])('that was never issued is refused (%#)', async token => {
    expect([400, 401]).toContain((await refresh(token)).statusCode)
  })
})

describe('logging out', () => {
  test('ends this session at once, and no other', async () => {
    const email = await scene.newcomer()
    const [here, there] = [await scene.login(email), await scene.login(email)]
    const answer = await scene.call('/auth/logout', { refreshToken: here.refreshToken }, { token: here.accessToken })
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect(await statusOf(here.accessToken)).toBe(401)
    expect((await refresh(here.refreshToken)).statusCode).toBe(401)
    expect(await statusOf(there.accessToken)).toBe(200)
  })

  test('tells the streams of the account at once', async () => {
    const email = await scene.newcomer()
    const { accessToken, refreshToken } = await scene.login(email)
    const { system } = scene.services.db
    const { id } = await system.selectFrom('account').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    const eventType = new Promise<string>(resolve => scene.services.events.subscribe(id, event => resolve(event.type)))
    await scene.call('/auth/logout', { refreshToken }, { token: accessToken })
    expect(await eventType).toBe('sessions-ended')
  })

  test('does not end the session of somebody else, whose refresh token was brought', async () => {
    const [mine, theirs] = [await scene.login(await scene.newcomer()), await scene.login(await scene.newcomer())]
    await scene.call('/auth/logout', { refreshToken: theirs.refreshToken }, { token: mine.accessToken })
    expect(await statusOf(theirs.accessToken)).toBe(200)
  })
})
