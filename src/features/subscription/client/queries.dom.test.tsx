import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#client/api/api-error.ts'
import { setSession } from '#client/api/session/session.ts'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { createQueryClient } from '#client/api/query-client.ts'
import { cancelSubscription } from './mutations.ts'
import { subscriptionQueries } from './queries.ts'
import { waitUntil } from '../../../../tests/support/wait-until.ts'

let answer: () => Response
const urls: string[] = []
const ended = {
  hasAccess: false,
  requiresUpgrade: true,
  hasActiveSubscription: false,
  status: 'canceled',
  isTrialActive: false,
  isTrialExpired: true,
  trialDaysRemaining: 0,
  trialStartDate: null,
  trialEndDate: null,
  planId: 2,
  planName: 'Growth',
  cancelAtPeriodEnd: false,
  periodEndDate: null,
  isOwn: true,
  isMerchantTrialUsed: false,
  isBilled: false,
  hasCard: null,
  hasOpenInvoice: false,
  paymentError: null,
  graceEndDate: null,
  overLimits: [],
}

beforeEach(() => {
  localStorage.clear()
  setSession({ accessToken: 'access', refreshToken: 'refresh' })
  urls.length = 0
  vi.stubGlobal('fetch', (url: string) => {
    urls.push(url)
    return Promise.resolve(answer())
  })
})
const current = () => new QueryClient().fetchQuery({ ...subscriptionQueries.current(), retryDelay: 0 })

test('no subscription is null and no failure', async () => {
  answer = () => Response.json({ errorCode: 'NOT_FOUND', message: 'none' }, { status: 404 })
  expect(await current()).toBeNull()
})

test.each([
  [500, 3],
  [403, 1],
])('an answer %i is asked for %i times', async (status, times) => {
  answer = () => Response.json({ errorCode: 'INTERNAL', message: 'oh' }, { status })
  await expect(current()).rejects.toThrow('oh')
  expect(urls).toHaveLength(times)
})

test.each([
  [true, 'Subscription will be canceled at the end of the current period'],
  [false, 'Subscription has been canceled immediately'],
])('canceling with cancelAtPeriodEnd %s says so and is remembered', async (atEnd, message) => {
  answer = () => Response.json(ended)
  const client = createQueryClient()
  const options = cancelSubscription(client)
  await client.getMutationCache().build(client, options).execute(atEnd)
  expect(urls).toEqual([`/api/subscriptions/cancel?cancelAtPeriodEnd=${atEnd}`])
  expect(currentToasts().at(-1)).toMatchObject({ title: 'Subscription canceled', message })
  expect(client.getQueryData(subscriptionQueries.current().queryKey)).toEqual(ended)
})

test('a call that needs a subscription which has ended asks for the subscription again', async () => {
  const client = createQueryClient()
  answer = () => Response.json({ ...ended, hasAccess: true })
  await client.fetchQuery(subscriptionQueries.current())
  answer = () => Response.json(ended)
  const refused = new ApiError(402, { errorCode: 'SUBSCRIPTION_REQUIRED', message: '', details: [], requestId: '' })
  const figures = { queryKey: ['figures'], queryFn: () => Promise.reject(refused), meta: { silent: true } }
  await expect(client.fetchQuery(figures)).rejects.toThrow()
  await waitUntil(() => expect(client.getQueryData(subscriptionQueries.current().queryKey)).toEqual(ended))
})

test('a failed cancellation is reported', async () => {
  answer = () => Response.json({ errorCode: 'INTERNAL', message: '' }, { status: 500 })
  const client = createQueryClient()
  const mutation = client.getMutationCache().build(client, cancelSubscription(client))
  await expect(mutation.execute(true)).rejects.toThrow()
  expect(currentToasts().at(-1)).toMatchObject({
    title: 'Cancellation failed',
    message: 'Failed to cancel subscription',
  })
})
