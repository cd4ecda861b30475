import { afterEach, expect, it, vi } from 'vitest'
import { createTokenBuckets } from './token-buckets.ts'

afterEach(() => void vi.useRealTimers())

async function takeMany(rate: { rate: number; burst: number }, times: number) {
  const buckets = createTokenBuckets()
  let taken = 0
  for (let i = 0; i < times; i++) if ((await buckets.take('k', rate, 0)) === 0) taken++
  return taken
}

it('gives the burst at once and then says how long to wait', async () => {
  expect(await takeMany({ rate: 0.0167, burst: 15 }, 30)).toBe(15)
  const buckets = createTokenBuckets()
  await buckets.take('k', { rate: 0.5, burst: 1 }, 0)
  const missing = await buckets.take('k', { rate: 0.5, burst: 1 }, 0)
  expect(missing).toBeGreaterThan(0)
  expect(missing).toBeLessThanOrEqual(2000)
})

it('never gives more than the burst at once, whatever the rate', async () => {
  expect(await takeMany({ rate: 2, burst: 2 }, 10)).toBe(2)
  expect(await takeMany({ rate: 5, burst: 10 }, 30)).toBe(10)
  expect(await takeMany({ rate: 0.5, burst: 1 }, 5)).toBe(1)
})

it.each([
  { rate: 10, burst: 20 },
  { rate: 2, burst: 2 },
  { rate: 0.5, burst: 15 },
  { rate: 0.0167, burst: 15 },
])('gives over no stretch of time more than $burst and $rate a second, and in the long run no less', async rate => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const buckets = createTokenBuckets()
  const taken: number[] = []
  const end = Math.max(20, 3 / rate.rate) * 1000
  for (let ms = 0; ms <= end; ms += 50) {
    while ((await buckets.take('k', rate, 0)) === 0) taken.push(ms)
    vi.advanceTimersByTime(50)
  }
  const allowed = (ms: number) => rate.burst + (ms / 1000) * rate.rate
  const excess = taken.flatMap((from, i) => taken.slice(i).map((to, n) => n + 1 - allowed(to - from)))
  expect(Math.max(...excess)).toBeLessThanOrEqual(1e-6)
  expect(taken.length).toBeGreaterThan(allowed(end) - 1 - 1e-6)
})

it('waits for a token within the patience it is given', async () => {
  const buckets = createTokenBuckets()
  const rate = { rate: 20, burst: 20 }
  for (let i = 0; i < 20; i++) await buckets.take('k', rate, 0)
  expect(await buckets.take('k', rate, 5000)).toBe(0)
})

it('keeps keys apart and holds a paused one back', async () => {
  const buckets = createTokenBuckets()
  const rate = { rate: 5, burst: 5 }
  await buckets.pause('k', 60_000)
  expect(await buckets.take('k', rate, 0)).toBeGreaterThan(50_000)
  expect(await buckets.take('other', rate, 0)).toBe(0)
})

it('has one token after a pause of an empty bucket', async () => {
  const buckets = createTokenBuckets()
  const rate = { rate: 0.01, burst: 5 }
  await buckets.pause('k', 10, rate)
  expect(await buckets.take('k', rate, 100)).toBe(0)
  expect(await buckets.take('k', rate, 100)).toBeGreaterThan(50_000)
})
