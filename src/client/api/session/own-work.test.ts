import { afterEach, expect, test, vi } from 'vitest'
import { forgetOwnWork, registerOwnWork, saveOwnWork } from './own-work.ts'

afterEach(() => void vi.useRealTimers())

test('what is still at risk after saving is told; work that fails to save, or never ends, keeps nobody waiting', async () => {
  vi.useFakeTimers()
  let saved = false
  let forgotten = 0
  const forget = () => void forgotten++
  const stops = [
    registerOwnWork({ save: async () => void (saved = true), atRisk: () => (saved ? null : 'One is lost.'), forget }),
    registerOwnWork({ save: () => Promise.reject(new Error('no')), atRisk: () => 'Two is lost.', forget }),
    registerOwnWork({ save: () => new Promise(() => undefined), atRisk: () => 'Three is lost.', forget }),
  ]
  const told = saveOwnWork()
  await vi.advanceTimersByTimeAsync(5000)
  expect(await told).toEqual(['Two is lost.', 'Three is lost.'])
  forgetOwnWork()
  stops.forEach(stop => stop())
  forgetOwnWork()
  expect([forgotten, await saveOwnWork()]).toEqual([3, []])
})
