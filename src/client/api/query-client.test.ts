import { expect, it } from 'vitest'
import { ApiError, NetworkError, ShapeError } from './api-error.ts'
import { currentToasts } from '#client/ui/shell/toast-store.ts'
import { errorNotice, mayRetry, queryClient } from './query-client.ts'

function refusal(status: number, details: string[] = [], message = 'No.') {
  return new ApiError(status, {
    errorCode: status === 401 ? 'UNAUTHENTICATED' : 'VALIDATION_FAILED',
    message,
    details,
    requestId: 'r',
  })
}

it('shows the details of a rejection under the title Error, joined with commas', () => {
  expect(errorNotice(refusal(400, ['Name is required', 'Budget is required']), undefined)).toEqual({
    title: 'Error',
    message: 'Name is required, Budget is required',
  })
})
it('takes the server’s message where there are no details', () => {
  expect(errorNotice(refusal(409, [], 'It was changed meanwhile.'), {})).toEqual({
    title: 'Error',
    message: 'It was changed meanwhile.',
  })
})
it('uses the title of the query, and its default where the server gave no message', () => {
  const meta = { errorTitle: 'Failed to load plans', errorDefault: 'Failed to fetch subscription plans' }
  expect(errorNotice(refusal(500, [], ''), meta)).toEqual({
    title: 'Failed to load plans',
    message: 'Failed to fetch subscription plans',
  })
  expect(errorNotice(refusal(500, [], 'Plans are closed.'), meta)?.message).toBe('Plans are closed.')
  expect(errorNotice(new TypeError('x'), meta)?.message).toBe('Failed to fetch subscription plans')
})
it('names a failed change by what was to be changed', async () => {
  const change = queryClient.getMutationCache().build<unknown, Error, string, unknown>(queryClient, {
    mutationFn: () => Promise.reject(refusal(422, [], 'No.')),
    meta: { errorTitle: (what: string) => `Failed to create ${what}` },
  })
  await expect(change.execute('negative target')).rejects.toThrow('No.')
  expect(currentToasts().at(-1)).toMatchObject({ title: 'Failed to create negative target', message: 'No.' })
})
it('says nothing for what the screen tells itself, nor for the end of a session', () => {
  expect(errorNotice(refusal(400, ['x']), { silent: true })).toBeUndefined()
  expect(errorNotice(refusal(401), { errorTitle: 'Failed' })).toBeUndefined()
})
it('tries again three times after a failure of the network or the server, never after a refusal or a wrong shape', () => {
  expect([0, 1, 2, 3].map(n => mayRetry(n, new NetworkError(false, null)))).toEqual([true, true, true, false])
  expect(mayRetry(0, refusal(503))).toBe(true)
  expect(mayRetry(0, refusal(404))).toBe(false)
  expect(mayRetry(0, new ShapeError('Invalid users list response'))).toBe(false)
})
it('waits 1 s, doubled each time, at most 30 s', () => {
  const { retryDelay } = queryClient.getDefaultOptions().queries ?? {}
  if (typeof retryDelay !== 'function') throw new Error('the delay is fixed')
  expect([0, 1, 2, 5, 12].map(failures => retryDelay(failures, new NetworkError(false, null)))).toEqual([
    1000, 2000, 4000, 30_000, 30_000,
  ])
})
