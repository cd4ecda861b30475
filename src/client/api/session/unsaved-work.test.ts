import { afterEach, expect, test, vi } from 'vitest'
import { discardUnsavedWork, registerUnsavedWork, saveUnsavedWork } from './unsaved-work.ts'

afterEach(() => void vi.useRealTimers())

test('work still at risk after saving is reported; a failing or endless save blocks no one', async () => {
  vi.useFakeTimers()
  let saved = false
  let forgotten = 0
  const forget = () => void forgotten++
  const stops = [
    registerUnsavedWork({
      save: async () => void (saved = true),
      atRisk: () => (saved ? null : 'One is lost.'),
      forget,
    }),
    registerUnsavedWork({ save: () => Promise.reject(new Error('no')), atRisk: () => 'Two is lost.', forget }),
    registerUnsavedWork({ save: () => new Promise(() => undefined), atRisk: () => 'Three is lost.', forget }),
  ]
  const warnings = saveUnsavedWork()
  await vi.advanceTimersByTimeAsync(5000)
  expect(await warnings).toEqual(['Two is lost.', 'Three is lost.'])
  discardUnsavedWork()
  stops.forEach(stop => stop())
  discardUnsavedWork()
  expect([forgotten, await saveUnsavedWork()]).toEqual([3, []])
})
