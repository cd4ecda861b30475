import { expect, it } from 'vitest'
import { buildUrl, newIdempotencyKey } from './build-request.ts'

it('fills path parameters, encoded', () => {
  expect(buildUrl({ path: '/campaigns/:id/keywords/:text' }, { params: { id: 7, text: 'a/b c' } })).toBe(
    '/api/campaigns/7/keywords/a%2Fb%20c',
  )
})
it('refuses a path whose parameter is missing', () => {
  expect(() => buildUrl({ path: '/campaigns/:id' }, {})).toThrow('/campaigns/:id needs id')
})
it('leaves out absent query values, keeps false and 0, and repeats the key of a list', () => {
  const query = { page: 0, on: false, search: undefined, state: null, ids: [1, 2] }
  expect(buildUrl({ path: '/campaigns' }, { query })).toBe('/api/campaigns?page=0&on=false&ids=1&ids=2')
})
it('makes a new key each time', () => {
  expect(newIdempotencyKey()).toMatch(/^[0-9a-f]{32}$/)
  expect(newIdempotencyKey()).not.toBe(newIdempotencyKey())
})
