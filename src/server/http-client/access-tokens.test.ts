import { expect, it } from 'vitest'
import { createAccessTokens } from '../../../tests/support/access-tokens.ts'
import { withAccessToken } from './access-tokens.ts'
import { UpstreamUnauthorized } from './upstream-errors.ts'

function scene() {
  let now = Date.parse('2026-11-21T10:00:00Z')
  let made = 0
  const tokens = createAccessTokens({
    clock: { now: () => new Date(now) },
    refresh: async () => ({ accessToken: `token-${++made}`, expiresAt: new Date(now + 3_600_000) }),
  })
  return { tokens, made: () => made, pass: (minutes: number) => (now += minutes * 60_000) }
}
const rejected = () => new UpstreamUnauthorized('401', { upstream: 'x', operation: 'y' })

it('one refresh serves twenty callers at once', async () => {
  const { tokens, made } = scene()
  const all = await Promise.all(Array.from({ length: 20 }, () => tokens(1)))
  expect(new Set(all)).toEqual(new Set(['token-1']))
  expect(made()).toBe(1)
})

it('a token is used until five minutes before it expires', async () => {
  const { tokens, pass } = scene()
  await tokens(1)
  pass(54)
  expect(await tokens(1)).toBe('token-1')
  pass(2)
  expect(await tokens(1)).toBe('token-2')
})

it('each connection has its own token', async () => {
  const { tokens } = scene()
  expect(await tokens(1)).not.toBe(await tokens(2))
})

it('a failed refresh is not cached', async () => {
  let fail = true
  const tokens = createAccessTokens({
    clock: { now: () => new Date(0) },
    refresh: () =>
      fail ? Promise.reject(new Error('down')) : Promise.resolve({ accessToken: 'good', expiresAt: new Date(9e9) }),
  })
  await expect(tokens(1)).rejects.toThrow('down')
  fail = false
  expect(await tokens(1)).toBe('good')
})

it('a call is repeated with a new token after a 401', async () => {
  const { tokens } = scene()
  const used: string[] = []
  const result = await withAccessToken(tokens, 1, token => {
    used.push(token)
    return used.length === 1 ? Promise.reject(rejected()) : Promise.resolve('done')
  })
  expect(result).toBe('done')
  expect(used).toEqual(['token-1', 'token-2'])
})

it('a second 401 is thrown', async () => {
  const { tokens, made } = scene()
  await expect(withAccessToken(tokens, 1, () => Promise.reject(rejected()))).rejects.toBeInstanceOf(
    UpstreamUnauthorized,
  )
  expect(made()).toBe(2)
})
