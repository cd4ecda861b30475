import { decide, remember } from '#features/optimizer/engine/decide.ts'
import type { Decision } from '#features/optimizer/engine/decisions.ts'
import type { DayFigures } from '#features/optimizer/engine/facts.ts'
import type { Memory, Settings, Strategy } from '#features/optimizer/engine/settings.ts'
import { roundToUnit } from '#shared/money.ts'
import { addDays } from '#shared/time.ts'
import { type AppliedRow, applyDecision, bidOf, setBid } from './apply.ts'
import { gatherFacts, limitsOf } from './facts.ts'
import type { Manager, World } from './world.ts'

/** Bids stay as the seller left them. */
export const nothing = (): Manager => ({ reads: false, act: () => undefined })

interface Sums {
  clicks: number
  cost: number
  sales: number
}
function sumsOf(days: readonly DayFigures[]): Sums {
  const sum = { clicks: 0, cost: 0, sales: 0 }
  for (const one of days) {
    sum.clicks += one.clicks
    sum.cost += one.costMicros
    sum.sales += one.salesMicros
  }
  return sum
}

const leastClicks = 10
const weekDays = 7

/** The figures of each target in the last 30 days, without the last two. */
function monthOf({ reports }: World, today: string): Map<string, Sums> {
  const days = reports.last(addDays(today, -2), 28)
  const ids = new Set(days.flatMap(one => [...one.targets.keys()]))
  return new Map([...ids].map(id => [id, sumsOf(days.flatMap(one => one.targets.get(id) ?? []))]))
}

function weekly(change: (sums: Sums, world: World) => number): () => Manager {
  return () => {
    let turn = 0
    return {
      reads: true,
      act(world, today, at) {
        if (turn++ % weekDays !== 0) return
        const limits = limitsOf(world.account)
        for (const [id, sums] of monthOf(world, today)) {
          const bid = bidOf(world.store, id)
          if (bid === null || sums.clicks < leastClicks) continue
          const next = roundToUnit(bid * change(sums, world), world.account.profile.currency)
          const after = Math.min(limits.maxBidMicros, Math.max(limits.minBidMicros, next))
          if (after !== bid) setBid(world.store, id, after, at.getTime())
        }
      },
    }
  }
}

/** The usual rule, once a week: ACOS too high, bid 10 % lower; well below, 10 % higher. */
export const rules = weekly(({ cost, sales }, { account }) => {
  const ratio = sales > 0 ? cost / sales / account.targetAcos : Infinity
  return ratio > 1.1 ? 0.9 : ratio < 0.9 ? 1.1 : 1
})

/** Four cases, once a week: sales a click times the target, or less without sales, within 25 % of what is bid. */
export const fourCases = weekly(({ clicks, cost, sales }, { account, store }) => {
  const { targetAcos } = account
  const order = [...store.products.values()].reduce((sum, one) => sum + one.priceMicros, 0) / store.products.size
  if (sales === 0) return cost > targetAcos * order ? 0.75 : 1
  const ideal = ((sales / clicks) * targetAcos) / (cost / clicks)
  const acos = cost / sales
  return acos > 1.2 * targetAcos || acos < targetAcos ? Math.min(1.25, Math.max(0.75, ideal)) : 1
})

/** How a write ends: it arrives, is refused for now, or arrives while lists show the old value for a day. */
export type Delivery = (decision: Decision) => 'arrives' | 'refused' | 'shown late'

export interface EngineRun extends Manager {
  memory: Memory
  settings: Settings
  rows: AppliedRow[]
  /** What was decided and carried out each day, with what only says why nothing was done. */
  decided: { day: string; decisions: Decision[] }[]
  slowestMs: number
}

export function settingsOf({ account, budgetMicros }: World, strategy: Strategy): Settings {
  return {
    targetAcos: account.targetAcos,
    strategy,
    highestBidMicros: null,
    budgetMicros,
    untouched: [],
  }
}

/** How each ends. As in the product, a search is kept from its source only once its own keyword is there. */
function deliverAll(decisions: readonly Decision[], delivery: Delivery): Map<Decision, ReturnType<Delivery>> {
  const ends = new Map(decisions.map(decision => [decision, delivery(decision)]))
  const without = new Set(
    decisions.filter(one => one.kind === 'harvest' && ends.get(one) === 'refused').map(one => one.groupId),
  )
  for (const one of decisions) if (one.kind === 'negative' && without.has(one.groupId)) ends.set(one, 'refused')
  return ends
}

/** The engine with a seller who says yes to all it asks. */
export function engine(settings: Settings, delivery: Delivery = () => 'arrives', memory: Memory = {}): EngineRun {
  let late = new Map<string, number>()
  const run: EngineRun = {
    reads: true,
    memory,
    settings,
    rows: [],
    decided: [],
    slowestMs: 0,
    act(world, today, at) {
      const current = gatherFacts(world, today, at)
      const targets = current.targets.map(one => ({ ...one, bidMicros: late.get(one.id) ?? one.bidMicros }))
      const facts = { ...current, targets }
      const begun = performance.now()
      const outcome = decide(facts, settings, run.memory, { now: at, today })
      run.slowestMs = Math.max(run.slowestMs, performance.now() - begun)
      const arrived = deliverAll(outcome.decisions, delivery)
      run.memory = remember(run.memory, outcome, decision => arrived.get(decision) !== 'refused')
      const done = outcome.decisions.filter(decision => arrived.get(decision) !== 'refused')
      run.decided.push({ day: today, decisions: done })
      late = new Map(
        done.flatMap(one =>
          one.kind === 'bid' && arrived.get(one) === 'shown late' ? [[one.entityId, Number(one.before)] as const] : [],
        ),
      )
      run.rows.push(...done.flatMap(one => applyDecision(world.store, one, today, at.getTime())))
    },
  }
  return run
}
