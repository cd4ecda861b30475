import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { setSession } from '#client/api/session/session.ts'
import { accountQueries } from './queries.ts'

// The network is the outside; what comes back is set here.
let answer: () => Response
let requestCount = 0
const client = () => new QueryClient({ defaultOptions: { queries: { retry: false } } })
const us = { id: 1, amazonId: 'ATVPDKIKX0DER', name: 'United States', key: 'US', currency: 'USD' }

beforeEach(() => {
  localStorage.clear()
  setSession({ accessToken: 'access', refreshToken: 'refresh' })
  requestCount = 0
  vi.stubGlobal('fetch', () => {
    requestCount += 1
    return Promise.resolve(answer())
  })
})

const marketplace = () => client().fetchQuery({ ...accountQueries.currentMarketplace(), retryDelay: 0 })

test('the current marketplace is the object that the server answers', async () => {
  answer = () => Response.json(us)
  expect(await marketplace()).toEqual(us)
})

test('no current marketplace, and no current merchant, is null and no failure', async () => {
  answer = () => Response.json({ errorCode: 'NOT_FOUND', message: 'none' }, { status: 404 })
  expect(await marketplace()).toBeNull()
  expect(await client().fetchQuery(accountQueries.currentMerchant())).toBeNull()
})

test.each([
  ['a JSON text', () => Response.json('proxy is down')],
  ['plain text', () => new Response('proxy is down')],
])('the text %s in place of the marketplace is reported as it is', async (_name, text) => {
  answer = text
  await expect(marketplace()).rejects.toThrow('API returned error: proxy is down')
})

test('a marketplace of another shape is reported as such', async () => {
  answer = () => Response.json({ ...us, id: 'one' })
  await expect(marketplace()).rejects.toThrow('Invalid current marketplace response')
})

test('the current marketplace is asked for at most three times', async () => {
  answer = () => Response.json({ errorCode: 'INTERNAL', message: 'oh' }, { status: 500 })
  await expect(marketplace()).rejects.toThrow('oh')
  expect(requestCount).toBe(3)
})

test.each([[{}], [[{ id: 1 }]], ['text']])('merchants of another shape are reported as such: %j', async body => {
  answer = () => Response.json(body)
  await expect(client().fetchQuery(accountQueries.merchants())).rejects.toThrow('Invalid merchants response')
})
