import { describe, expect, test } from 'vitest'
import { createRandom, normal, poisson } from '#shared/random.ts'
import { drawHoldout, estimateHoldout, mayHoldOut, quarterOf, type TestedTarget } from './holdout.ts'
import { estimateSwitchback, switchbackEnd, type SwitchedDay, switchOn } from './switchback.ts'
import { addDays, daysOf } from '#shared/time.ts'

describe('the draw', () => {
  const targets = Array.from({ length: 207 }, (_, i) => ({ id: `t${i}`, costMicros: ((i * 37) % 211) ** 2 }))

  test('takes 15 % of each stratum of spend, the same ones all quarter and others in the next', () => {
    const drawn = drawHoldout(targets, quarterOf('2026-11-23'))
    expect(quarterOf('2026-11-23')).toBe('2026-Q4')
    expect(drawn).toHaveLength(207)
    for (const own of Map.groupBy(drawn, one => one.stratum).values())
      expect(own.filter(one => one.isHeld).length / own.length).toBeCloseTo(0.15, 1)
    const heldOf = (list: typeof drawn) =>
      list
        .filter(one => one.isHeld)
        .map(one => one.id)
        .toSorted()
    // Neither their order nor the rest of the day matters.
    expect(heldOf(drawHoldout(targets.toReversed(), '2026-Q4'))).toEqual(heldOf(drawn))
    const next = new Set(heldOf(drawHoldout(targets, '2027-Q1')))
    expect(heldOf(drawn).filter(id => next.has(id)).length).toBeLessThan(15)
    const spend = (stratum: number) =>
      drawn.filter(one => one.stratum === stratum).map(one => targets.find(({ id }) => id === one.id)?.costMicros ?? 0)
    expect(Math.min(...spend(0))).toBeGreaterThan(Math.max(...spend(4)))
  })

  test('needs 300 orders in 28 days', () => {
    expect([299, 300].map(mayHoldOut)).toEqual([false, true])
  })
})

/** A test of targets of very different size, whose rates drift by themselves; changed ones earn `gain` more orders per click. */
function played(seed: number, { count = 160, gain = 0, clicks = 60, accounts = 1 }) {
  const random = createRandom(seed)
  let truth = 0
  const targets = Array.from({ length: accounts }, (_, account): TestedTarget[] => {
    const words = Array.from({ length: count / accounts }, (__, i) => {
      const size = clicks * Math.exp(1.2 * normal(random) - 0.7)
      return { id: `${seed} ${account} ${i}`, size, rate: 0.09 * Math.exp(0.5 * normal(random)), costMicros: size }
    })
    const drawn = new Map(drawHoldout(words, '2026-Q4').map(one => [one.id, one]))
    return words.map(({ id, size, rate }) => {
      const { stratum = 0, isHeld = false } = drawn.get(id) ?? {}
      const profit = (volume: number, own: number): number =>
        14 * poisson(size * volume * own, random) - 0.9 * poisson(size * volume, random)
      const drift = Math.exp(0.3 * normal(random))
      const more = isHeld ? 0 : gain * 2 * random()
      truth += 14 * size * drift * rate * more
      return {
        stratum: `${account} ${stratum}`,
        isHeld,
        opportunities: size,
        beforeMicros: profit(1, rate),
        profitMicros: profit(drift, rate * (1 + more)),
      }
    })
  }).flat()
  return { targets, truth }
}

describe('the estimate of a holdout', () => {
  const worlds = 250
  const play = (more: Parameters<typeof played>[1]) =>
    Array.from({ length: worlds }, (_, seed) => {
      const { targets, truth } = played(seed, more)
      return { truth, found: estimateHoldout(targets, seed) }
    })
  const share = <T>(list: readonly T[], is: (one: T) => boolean): number => list.filter(is).length / list.length
  const holds = ({ found, truth }: ReturnType<typeof play>[number]): boolean =>
    found !== null && found.profitMicros.low <= truth && truth <= found.profitMicros.high

  test.each([
    ['160 targets without an effect', {}],
    ['80 targets without an effect', { count: 80, clicks: 120 }],
    ['400 targets of 8 pooled accounts without an effect', { count: 400, accounts: 8, clicks: 25 }],
  ])('of %s holds the truth in 90 to 98 of 100 cases and claims an effect in at most 6', (_, more) => {
    const found = play(more)
    expect(share(found, holds)).toBeGreaterThan(0.9)
    expect(share(found, one => one.found?.verdict !== 'CANNOT_TELL')).toBeLessThanOrEqual(0.06)
  })

  test('finds a large effect, with intervals that hold it, and as a part of what would have been', () => {
    const found = play({ gain: 0.5 })
    expect(share(found, holds)).toBeGreaterThan(0.9)
    expect(share(found, holds)).toBeLessThan(0.99)
    expect(share(found, one => one.found?.verdict === 'BETTER')).toBeGreaterThan(0.5)
    expect(share(found, one => one.found?.verdict === 'WORSE')).toBeLessThan(0.01)
  })

  test('is the same for the same seed, and missing where too few targets are held', () => {
    const { targets } = played(1, { gain: 0.3 })
    expect(estimateHoldout(targets, 7)).toEqual(estimateHoldout(targets, 7))
    expect(estimateHoldout(targets, 8)).not.toEqual(estimateHoldout(targets, 7))
    expect(
      estimateHoldout(
        targets.filter(one => !one.isHeld),
        7,
      ),
    ).toBeNull()
    expect(estimateHoldout([], 7)).toBeNull()
  })
})

describe('a switchback', () => {
  const from = '2026-01-05'
  const days = (
    groups: number,
    pairs: number,
    profitOf: (isOn: boolean, random: () => number) => number,
    seed = 1,
  ): SwitchedDay[] => {
    const random = createRandom(seed)
    return Array.from({ length: groups }, (_, group) =>
      daysOf(from, addDays(switchbackEnd(from, pairs), -1)).map(day => {
        const groupId = `g${seed} ${group}`
        return { groupId, from, day, profit: profitOf(switchOn(groupId, from, day)?.isOn ?? false, random) }
      }),
    ).flat()
  }

  test('switches every two weeks, which first by chance, with three days of washout', () => {
    const plan = daysOf(from, addDays(from, 55)).map(day => switchOn('a', from, day))
    for (const pair of [0, 1]) {
      const own = plan.filter(one => one?.pair === pair)
      expect(own.filter(one => one?.isOn)).toHaveLength(14)
      expect(own.filter(one => one?.isWashout)).toHaveLength(6)
    }
    const first = Array.from({ length: 400 }, (_, i) => switchOn(`g${i}`, from, from)?.isOn)
    expect(first.filter(Boolean).length).toBeGreaterThan(160)
    expect(first.filter(Boolean).length).toBeLessThan(240)
    expect(switchOn('a', from, addDays(from, -1))).toBeNull()
  })

  test('tells by the signs of many accounts, ignores washout and unfinished pairs, and is silent about few', () => {
    const better = days(6, 1, (isOn, random) => (isOn ? 120 : 100) + 5 * random())
    expect(estimateSwitchback(better)).toMatchObject({
      pairs: 6,
      better: 6,
      worse: 0,
      verdict: 'BETTER',
      chance: 2 / 64,
    })
    expect(estimateSwitchback(better).medianShare).toBeCloseTo(0.2, 1)
    expect(estimateSwitchback(days(5, 1, isOn => (isOn ? 120 : 100))).verdict).toBe('CANNOT_TELL')
    const spoiled = better.map(one =>
      switchOn(one.groupId, from, one.day)?.isWashout ? { ...one, profit: -1e6 } : one,
    )
    expect(estimateSwitchback(spoiled)).toEqual(estimateSwitchback(better))
    expect(estimateSwitchback(better.slice(0, -1)).pairs).toBe(5)
    expect(estimateSwitchback([])).toMatchObject({ pairs: 0, verdict: 'CANNOT_TELL', chance: 1 })
  })

  test('claims an effect that is not there in at most 5 of 100 cases', () => {
    const claims = Array.from({ length: 300 }, (_, seed) =>
      estimateSwitchback(days(8, 1, (__, random) => 100 + 60 * normal(random), seed + 10)),
    ).filter(one => one.verdict !== 'CANNOT_TELL')
    expect(claims.length).toBeLessThanOrEqual(15)
  })
})
