import { decide } from '#features/optimizer/engine/decide.ts'
import type { Decision } from '#features/optimizer/engine/decisions.ts'
import type { TargetFacts } from '#features/optimizer/engine/facts.ts'
import type { Memory } from '#features/optimizer/engine/settings.ts'
import type { Store } from '#sandbox/core/model/store.ts'
import { addDays, daysBetween } from '#shared/time.ts'
import { type Figure, quantile } from '../figure.ts'
import { type AppliedRow, undoRow } from './apply.ts'
import { gatherFacts, limitsOf } from './facts.ts'
import { engine, type EngineRun, settingsOf } from './managers.ts'
import type { Result } from './runs.ts'
import { copyWorld, momentOf, play, type World } from './world.ts'

// What may not happen once. Each answers with what was found against it.

const changes = ({ decided }: EngineRun): AppliedRow[] =>
  decided.flatMap(({ day, decisions }) => decisions.map(decision => ({ day, decision })))

/** Bids below the marketplace's least or above its most or the seller's highest. */
export function bidsOutOfBounds(run: EngineRun, world: World): string[] {
  const { minBidMicros, maxBidMicros } = limitsOf(world.account)
  const top = Math.min(maxBidMicros, run.settings.highestBidMicros ?? Infinity)
  return changes(run).flatMap(({ day, decision: { kind, entityId, after } }) =>
    ['bid', 'harvest', 'breaker'].includes(kind) &&
    after !== null &&
    (Number(after) < minBidMicros || Number(after) > top)
      ? [`${day} ${kind} ${entityId} ${after}`]
      : [],
  )
}

/** Days after which the budgets together were above the seller's. */
export const budgetsAbove = ({ settings }: EngineRun, { budgets, day0 }: World): string[] =>
  [...budgets].flatMap(([day, byCampaign]) => {
    const total = [...byCampaign.values()].reduce((sum, one) => sum + one, 0)
    return day >= day0 && total > settings.budgetMicros ? [`${day} ${total}`] : []
  })

/** Bids that were changed again within three days. A breaker may revert one at once. */
export function changedTooSoon(run: EngineRun): string[] {
  const last = new Map<string, string>()
  return changes(run).flatMap(({ day, decision }) => {
    if (decision.kind !== 'bid' || decision.after === null) return []
    const before = last.get(decision.entityId)
    last.set(decision.entityId, day)
    return before !== undefined && daysBetween(before, day) < 3 ? [`${decision.entityId} ${before} ${day}`] : []
  })
}

const entitiesOf = ({ campaigns, keywords, targets, negativeKeywords, negativeTargets }: Store) => ({
  campaigns,
  keywords,
  targets,
  negativeKeywords,
  negativeTargets,
})

/** Undoes all rows, the last first, and names the entities that are not as they were on the first day. */
export function leftAfterUndo({ rows }: EngineRun, before: World, after: World): string[] {
  const { store } = copyWorld(after)
  const at = momentOf(after, addDays(after.day0, 1000)).getTime()
  const refused = rows.toReversed().filter(row => !undoRow(store, row, at))
  const was = entitiesOf(before.store)
  return [
    ...refused.map(({ day, decision }) => `${day} ${decision.entityId} is not as it was set`),
    ...Object.entries(entitiesOf(store)).flatMap(([name, collection]) =>
      [...collection].flatMap(([id, one]) => {
        const old = (was[name as keyof typeof was] as Map<string, object>).get(id)
        const written = (entity: object): string => JSON.stringify({ ...entity, updatedAt: 0 })
        if (old) return written(old) === written(one) ? [] : [`${name} ${id} ${written(one)}`]
        return one.state === 'ENABLED' ? [`${name} ${id} still serves`] : []
      }),
    ),
  ]
}

/** Runs half, writes everything down, and continues from what was written: the decisions that differ from an unbroken run. */
export function differsAfterStop(world: World, days: number): string[] {
  const settings = settingsOf(world, 'PROFIT')
  const whole = engine(settings)
  play(copyWorld(world), whole, days)
  const half = Math.floor(days / 2)
  const first = engine(settings)
  const stopped = copyWorld(world)
  play(stopped, first, half)
  const memory = JSON.parse(JSON.stringify(first.memory)) as Memory
  const second = engine(JSON.parse(JSON.stringify(settings)), () => 'arrives', memory)
  play(copyWorld(stopped), second, days - half, half)
  const again = [...first.decided, ...second.decided]
  return whole.decided.flatMap(({ day, decisions }, i) =>
    JSON.stringify(decisions) === JSON.stringify(again[i]?.decisions) ? [] : [day],
  )
}

/** Takes the same facts apart and together again and decides twice: the rows that differ. */
export function differsAgain({ settings, memory }: EngineRun, world: World): string[] {
  const today = addDays(world.day0, 90)
  const at = momentOf(world, today)
  const facts = gatherFacts(world, today, at)
  const moment = { now: at, today }
  const copies = JSON.parse(JSON.stringify({ facts, settings, memory }))
  const once = JSON.stringify(decide(facts, settings, memory, moment))
  return once === JSON.stringify(decide(copies.facts, copies.settings, copies.memory, moment)) ? [] : [today]
}

/** How long 500 targets take, in ms: those of an account, several times over. The median of five times. */
export function timeOf500({ settings, memory }: EngineRun, world: World): number {
  const today = addDays(world.day0, 90)
  const at = momentOf(world, today)
  const facts = gatherFacts(world, today, at)
  const times = Math.ceil(500 / facts.targets.length)
  const each = <T extends { id: string }>(all: readonly T[], copy: (one: T, n: number) => T): T[] =>
    Array.from({ length: times }, (_, n) => all.map(one => copy(one, n))).flat()
  const targets: TargetFacts[] = each(facts.targets, (one, n) => ({ ...one, id: `${one.id} ${n}` })).slice(0, 500)
  const terms = Array.from({ length: times }, (_, n) =>
    facts.terms.map(one => ({ ...one, targetId: `${one.targetId} ${n}` })),
  ).flat()
  const taken = Array.from({ length: 5 }, () => {
    const begun = performance.now()
    decide({ ...facts, targets, terms }, settings, { ...memory, targets: {} }, { now: at, today })
    return performance.now() - begun
  })
  return quantile(taken, 0.5)
}

const isChange = ({ after }: Decision): boolean => after !== null

export function hardRuleFigures(results: readonly Result[]): Figure[] {
  const found = (name: string, of: (result: Result) => string[]): Figure => {
    const all = results.flatMap(result => of(result).map(one => `${result.account}/${result.seed}: ${one}`))
    const note = all[0]
    return { name, unit: '', value: all.length, count: results.length, goal: { atMost: 0 }, ...(note && { note }) }
  }
  const runs = ({ profitRun, reachRun }: Result): EngineRun[] => [profitRun, reachRun]
  const decided = results.reduce(
    (sum, one) => sum + changes(one.profitRun).filter(row => isChange(row.decision)).length,
    0,
  )
  const times = results.slice(0, 12).map(one => timeOf500(one.profitRun, one.after))
  return [
    { name: 'changes that were checked', unit: '', value: decided, count: results.length },
    found('bids below the least or above a cap', one => runs(one).flatMap(run => bidsOutOfBounds(run, one.before))),
    found("days with budgets above the seller's", one => budgetsAbove(one.profitRun, one.after)),
    found('targets changed twice in 3 days', one => runs(one).flatMap(changedTooSoon)),
    found('decisions that the same facts do not give again', one => differsAgain(one.profitRun, one.after)),
    found('entities that undo of everything leaves changed', one =>
      leftAfterUndo(one.profitRun, one.before, one.after),
    ),
    {
      name: 'days that a stop and start decides otherwise',
      unit: '',
      value: results.slice(0, 3).flatMap(one => differsAfterStop(one.before, 40)).length,
      count: Math.min(3, results.length),
      goal: { atMost: 0 },
    },
    {
      name: '500 targets decided in',
      unit: 'ms',
      value: Math.max(...times),
      count: times.length,
      goal: { atMost: 300 },
    },
  ]
}
