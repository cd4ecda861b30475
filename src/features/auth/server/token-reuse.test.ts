import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messagesDuring } from '../../../../tests/support/answers-scene.ts'
import { type AuthScene, startAuthScene } from '../../../../tests/support/auth-scene.ts'

let scene: AuthScene
beforeAll(async () => {
  scene = await startAuthScene()
})
afterAll(() => scene.close())

const statusOf = async (token: string) =>
  (await scene.call('/user/short', undefined, { token, method: 'GET' })).statusCode
const refresh = (refreshToken: string) => scene.call('/auth/refresh', { refreshToken })

describe('a used refresh token', () => {
  const browser = { 'user-agent': 'Browser A', 'x-client': 'laptop' }
  const refreshAs = (refreshToken: string, headers: Record<string, string>, ip = '10.0.0.1') =>
    scene.app.inject({
      method: 'POST',
      url: '/api/auth/refresh',
      payload: { refreshToken },
      headers,
      remoteAddress: ip,
    })
  const used = async (headers: Record<string, string>) => {
    const first = await scene.login(await scene.newcomer())
    const next = (await refreshAs(first.refreshToken, headers)).json<{ accessToken: string; refreshToken: string }>()
    return { first, next }
  }

  test('is answered again to the same client, which may have changed its network', async () => {
    const { first, next } = await used(browser)
    const again = await refreshAs(first.refreshToken, browser, '10.99.0.1')
    expect([again.statusCode, again.json().refreshToken]).toEqual([200, next.refreshToken])
  })

  test.each([
    ['another name', { ...browser, 'x-client': 'phone' }, '10.0.0.1'],
    ['another kind of browser', { ...browser, 'user-agent': 'Browser B' }, '10.0.0.1'],
    ['no name', { 'user-agent': 'Browser A' }, '10.0.0.1'],
  ])('from a client of %s ends the session, even a moment later', async (_what, headers, ip) => {
    const { first, next } = await used(browser)
    expect((await refreshAs(first.refreshToken, headers, ip)).statusCode).toBe(401)
    expect((await refreshAs(next.refreshToken, browser)).statusCode).toBe(401)
    expect(await statusOf(next.accessToken)).toBe(401)
  })

  test('of a client without a name is answered again only where it was used', async () => {
    const unnamed = { 'user-agent': 'Browser A' }
    const { first } = await used(unnamed)
    expect((await refreshAs(first.refreshToken, unnamed)).statusCode).toBe(200)
    expect((await refreshAs(first.refreshToken, unnamed, '10.99.0.1')).statusCode).toBe(401)
  })

  test('is looked up in as many questions to the database, however long the chain behind it', async () => {
    const askedAfter = async (rotations: number) => {
      const { refreshToken } = await scene.login(await scene.newcomer())
      let token = refreshToken
      for (let i = 0; i < rotations; i++) token = (await refresh(token)).json().refreshToken
      const { messages, result } = await messagesDuring(scene.services.db, () => refresh(refreshToken))
      return { messages, status: result.statusCode }
    }
    const [near, far] = [await askedAfter(6), await askedAfter(60)]
    expect([near.status, far.status]).toEqual([200, 401])
    // That the session is ended, and announced, takes a few more.
    expect(far.messages).toBeLessThan(near.messages + 15)
  })
})
