import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAuthScene } from '../../../../tests/support/auth-scene.ts'
import type { LoginSession } from '../user-contract.ts'
import { deviceOf } from './sessions.ts'

let scene: Awaited<ReturnType<typeof startAuthScene>>
beforeAll(async () => {
  scene = await startAuthScene()
})
afterAll(() => scene.close())

const listed = async (token: string) =>
  (await scene.call('/user/sessions', undefined, { token, method: 'GET' })).json() as LoginSession[]
const statusOf = async (token: string) => (await scene.call('/user', undefined, { token, method: 'GET' })).statusCode

test('a program is named by its browser and its system, and never by what it does not say', () => {
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
  const android =
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'
  expect(deviceOf(phone)).toBe('Safari on iPhone')
  expect(deviceOf(android)).toBe('Chrome on Android')
  expect(deviceOf('')).toBeNull()
  expect(deviceOf('something else')).toBeNull()
})

test('the log-ins of a user are listed, and one or all of them can be ended', async () => {
  const email = await scene.newcomer()
  const [first, second, third] = [await scene.login(email), await scene.login(email), await scene.login(email)]
  const stranger = await scene.login(await scene.newcomer())
  const before = await listed(first.accessToken)
  expect(before.map(({ isCurrent }) => isCurrent)).toEqual([true, false, false])
  const other = before[1]?.id ?? ''
  const end = (token: string) => scene.call(`/user/sessions/${other}`, undefined, { token, method: 'DELETE' })
  expect((await end(stranger.accessToken)).statusCode).toBe(404)
  expect(await listed(first.accessToken)).toHaveLength(3)
  expect((await end(first.accessToken)).statusCode).toBe(204)
  expect(await listed(first.accessToken)).toHaveLength(2)
  expect([await statusOf(second.accessToken), await statusOf(third.accessToken)].toSorted((a, b) => a - b)).toEqual([
    200, 401,
  ])
  await scene.call('/user/sessions/end', { keepThis: true }, { token: first.accessToken })
  expect(await listed(first.accessToken)).toHaveLength(1)
  await scene.call('/user/sessions/end', { keepThis: false }, { token: first.accessToken })
  expect(await statusOf(first.accessToken)).toBe(401)
  expect(await statusOf(stranger.accessToken)).toBe(200)
})

test('a renewal is a use', async () => {
  const { accessToken, refreshToken } = await scene.login(await scene.newcomer())
  const [before] = await listed(accessToken)
  scene.passTime(600_000)
  const next = (await scene.call('/auth/refresh', { refreshToken })).json() as { accessToken: string }
  const [after] = await listed(next.accessToken)
  expect(Date.parse(after?.lastUsedAt ?? '') - Date.parse(before?.lastUsedAt ?? '')).toBeGreaterThanOrEqual(600_000)
})
