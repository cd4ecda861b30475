import { beforeAll, describe, expect, test } from 'vitest'
import { drawAccount } from '#sandbox/scenarios/messy-account.ts'
import {
  bidsOutOfBounds,
  budgetsAbove,
  changedTooSoon,
  differsAfterStop,
  differsAgain,
  leftAfterUndo,
} from '../bench/optimizer/hard-rules.ts'
import { engine, type EngineRun, settingsOf } from '../bench/optimizer/managers.ts'
import { unreliable } from '../bench/optimizer/special-runs.ts'
import { copyWorld, openWorld, play, type World } from '../bench/optimizer/world.ts'

// A small account for 40 days, with faults on a tenth of all writes. The bench plays more accounts, and longer.
describe('an account that the optimizer manages', () => {
  let before: World
  let after: World
  let run: EngineRun
  beforeAll(() => {
    before = openWorld(drawAccount(8, 1))
    after = copyWorld(before)
    const settings = settingsOf(before, 'PROFIT')
    const dearest = Math.max(...[...before.store.keywords.values()].map(one => one.bidMicros ?? 0))
    run = engine({ ...settings, highestBidMicros: Math.round(dearest / 20_000) * 10_000 }, unreliable(8))
    play(after, run, 40)
  })

  test('is changed, and never beyond a cap, the budget or three days of rest', () => {
    expect(run.rows.filter(one => one.decision.kind === 'bid').length).toBeGreaterThan(20)
    expect(run.rows.some(one => one.decision.kind === 'budget')).toBe(true)
    expect(bidsOutOfBounds(run, before)).toEqual([])
    expect(budgetsAbove(run, after)).toEqual([])
    expect(changedTooSoon(run)).toEqual([])
  })

  test('is as on the first day once everything is undone', () => {
    expect(leftAfterUndo(run, before, after)).toEqual([])
  })

  test('gets the same decisions from the same facts, and after a stop and a start', () => {
    expect(differsAgain(run, after)).toEqual([])
    expect(differsAfterStop(before, 12)).toEqual([])
  })
})
