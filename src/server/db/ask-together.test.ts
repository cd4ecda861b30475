import { expect, test } from 'vitest'
import { askTogether } from './ask-together.ts'

const asked: string[][] = []
let answers: (() => void)[] = []
const ask = askTogether(async (keys: readonly string[]) => {
  asked.push([...keys])
  await new Promise<void>(resolve => answers.push(resolve))
  if (keys.includes('broken')) throw new Error('no answer')
  return new Map(keys.filter(key => key !== 'nobody').map(key => [key, key.toUpperCase()]))
})
const answer = async () => {
  for (const next of answers.splice(0)) next()
  await new Promise(resolve => setImmediate(resolve))
}

test('callers who come while questions are under way share the next one, each key once', async () => {
  const found = Promise.all(['a', 'b', 'c', 'd', 'c', 'nobody'].map(ask))
  expect(asked).toEqual([['a'], ['b']])
  await answer()
  expect(asked[2]).toEqual(['c', 'd', 'nobody'])
  await answer()
  expect(await found).toEqual(['A', 'B', 'C', 'D', 'C', undefined])
})

test('a question that fails fails for those who asked it, and for nobody after', async () => {
  answers = []
  const failed = expect(ask('broken')).rejects.toThrow('no answer')
  await answer()
  await failed
  const next = ask('e')
  await answer()
  expect(await next).toBe('E')
})
