import { onlineManager, QueryClient, queryOptions } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { onAnswerChange, questionOf } from './guarded.ts'

afterEach(() => onlineManager.setOnline(true))

const client = () => new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } })
const merchants = (queryFn: () => Promise<number[]>) =>
  queryOptions({ queryKey: ['merchants'], queryFn, meta: { persist: 'sync' } })

it('fetches an answer that was never known', async () => {
  expect(await questionOf(merchants(() => Promise.resolve([1])))(client())).toEqual({ state: 'known', value: [1] })
})
it('says that asking failed', async () => {
  expect(await questionOf(merchants(() => Promise.reject(new Error('no'))))(client())).toEqual({ state: 'failed' })
})
it('takes the last known answer at once, however old', async () => {
  const c = client()
  c.setQueryData(['merchants'], [1], { updatedAt: 1 })
  expect(await questionOf(merchants(() => new Promise(() => undefined)))(c)).toEqual({ state: 'known', value: [1] })
})
it('waits again for an invalidated query', async () => {
  const c = client()
  c.setQueryData(['merchants'], [])
  await c.invalidateQueries({ queryKey: ['merchants'] })
  expect(await questionOf(merchants(() => Promise.resolve([1])))(c)).toEqual({ state: 'known', value: [1] })
})
it('without network goes by the last answer, even an invalidated one, and knows nothing where there is none', async () => {
  onlineManager.setOnline(false)
  const c = client()
  const question = questionOf(merchants(() => Promise.reject(new Error('offline'))))
  expect(await question(c)).toEqual({ state: 'unknown' })
  c.setQueryData(['merchants'], [1])
  await c.invalidateQueries({ queryKey: ['merchants'] })
  expect(await question(c)).toEqual({ state: 'known', value: [1] })
})
it('tells when an answer changed, and only then', async () => {
  const c = client()
  let changes = 0
  let answer = [1]
  const stop = onAnswerChange(c, () => {
    changes += 1
  })
  const options = { ...merchants(() => Promise.resolve(answer)), staleTime: 0 }
  await c.fetchQuery(options)
  await c.fetchQuery(options)
  expect(changes).toBe(0)
  answer = []
  await c.fetchQuery(options)
  expect(changes).toBe(1)
  stop()
})
