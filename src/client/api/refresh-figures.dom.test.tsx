import { expect, it } from 'vitest'
import { wantsRefresh } from './query-client.ts'

it('refreshes figures older than 30 s, and nothing else', () => {
  const query = (figures: boolean, dataUpdatedAt: number) => ({ meta: { figures }, state: { dataUpdatedAt } })
  expect(wantsRefresh(query(true, 1000), 31_001)).toBe(true)
  expect(wantsRefresh(query(true, 1000), 31_000)).toBe(false)
  expect(wantsRefresh(query(false, 1000), 99_000)).toBe(false)
  expect(wantsRefresh({ meta: undefined, state: { dataUpdatedAt: 0 } }, 99_000)).toBe(false)
})
