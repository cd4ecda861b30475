import { expect, test } from 'vitest'
import { createBatchLoader } from './batch-loader.ts'

const batches: string[][] = []
let pending: (() => void)[] = []
const load = createBatchLoader(async (keys: readonly string[]) => {
  batches.push([...keys])
  await new Promise<void>(resolve => pending.push(resolve))
  if (keys.includes('broken')) throw new Error('no answer')
  return new Map(keys.filter(key => key !== 'missing').map(key => [key, key.toUpperCase()]))
})
async function answer() {
  for (const resolve of pending.splice(0)) resolve()
  await new Promise(resolve => setImmediate(resolve))
}

test('callers that arrive while queries are running share the next one, each key once', async () => {
  const results = Promise.all(['a', 'b', 'c', 'd', 'c', 'missing'].map(load))
  expect(batches).toEqual([['a'], ['b']])
  await answer()
  expect(batches[2]).toEqual(['c', 'd', 'missing'])
  await answer()
  expect(await results).toEqual(['A', 'B', 'C', 'D', 'C', undefined])
})

test('a failed query rejects its own callers and nobody after them', async () => {
  pending = []
  const failed = expect(load('broken')).rejects.toThrow('no answer')
  await answer()
  await failed
  const next = load('e')
  await answer()
  expect(await next).toBe('E')
})
