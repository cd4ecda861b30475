import type { Decision } from '#features/optimizer/engine/decisions.ts'
import { calibrate } from '#features/optimizer/proof/calibration.ts'
import { type Receipt, receiptOf } from '#features/optimizer/proof/receipts.ts'
import { drawAccount } from '#sandbox/scenarios/messy-account.ts'
import { addDays } from '#shared/time.ts'
import type { Figure } from './figure.ts'
import { gatherFacts } from './optimizer/facts.ts'
import { engine, settingsOf } from './optimizer/managers.ts'
import { momentOf, openWorld } from './optimizer/world.ts'

const accounts = Array.from({ length: 24 }, (_, i) => i + 1)
const seeds = [4, 5, 6]
const playedDays = 70

/**
 * How many of the bands hold that the engine gives its changes of bids: all changes of messy accounts in their markets, each
 * held against the 14 days after it. Other accounts' markets than those that the doubts of forecasts were chosen by.
 */
export async function measureOptimizerProof(): Promise<Figure[]> {
  const receipts: Receipt[] = []
  for (const account of accounts) {
    for (const seed of seeds) receipts.push(...judgedChanges(account, seed))
    await new Promise(resolve => setImmediate(resolve))
  }
  const judged = receipts.filter(one => one.verdict !== 'TOO_EARLY')
  // As one month of one group.
  const { share } = calibrate(
    '2000-01',
    judged.map(one => ({ ...one, to: '2000-01-31' })),
    [],
  )
  const orders = judged.flatMap(({ figures }) => figures.filter(one => one.figure === 'ORDERS' && one.actual !== null))
  const held = orders.filter(({ low, high, actual }) => actual !== null && low <= actual && actual <= high).length
  const decidedBy = (figure: Receipt['decidedBy']) => judged.filter(one => one.decidedBy === figure).length
  const percent = (part: number, of: number): number => (100 * part) / Math.max(1, of)
  return [
    {
      name: '80 % bands of receipts that hold: clicks and their price both',
      goal: { between: [72, 88] },
      unit: '%',
      value: 100 * (share?.middle ?? 0),
      count: judged.length,
      note: `of ${accounts.length * seeds.length} worlds; missed by clicks ${percent(decidedBy('CLICKS'), judged.length).toFixed(1)} %, by price ${percent(decidedBy('CPC'), judged.length).toFixed(1)} %`,
    },
    {
      name: '80 % bands of orders that hold',
      goal: { between: [72, 92] },
      unit: '%',
      value: percent(held, orders.length),
      count: orders.length,
    },
    {
      name: 'changes with clicks enough to be judged',
      unit: '%',
      value: percent(judged.length, receipts.length),
      count: receipts.length,
    },
  ]
}

/** A receipt for each changed bid of an account under the strategy Profit, once its days have settled. */
function judgedChanges(account: number, seed: number): Receipt[] {
  const world = openWorld(drawAccount(account, seed))
  const { market, reports, budgets, store, day0 } = world
  const run = engine(settingsOf(world, 'PROFIT'))
  const read = (today: string): Date => {
    const at = momentOf(world, today)
    market.advance(at)
    reports.read(market, at, world.firstDay)
    return at
  }
  for (let day = 0; day < playedDays; day++) {
    const today = addDays(day0, day)
    run.act(world, today, read(today))
    market.invalidate(world.account.profile.profileId)
    budgets.set(today, new Map([...store.campaigns].map(([id, one]) => [id, one.budgetMicros])))
  }
  const end = addDays(day0, playedDays)
  const figures = new Map(gatherFacts(world, end, read(end)).targets.map(one => [one.id, one.days]))
  const changes = run.decided.flatMap(({ day, decisions }) =>
    decisions.filter(isBid).map(decision => ({ day, decision })),
  )
  return changes.flatMap(({ day, decision: { entityId, after, forecast } }) => {
    const days = figures.get(entityId)
    if (!forecast || !days) return []
    const later = changes
      .filter(one => one.decision.entityId === entityId && one.day > day)
      .map(one => ({ on: one.day, multiple: Number(one.decision.after) / Number(after) }))
    const receipt = receiptOf({ forecast, changedOn: day, later, days, windowDays: 7, today: end })
    return receipt.tooEarly === 'NOT_SETTLED' ? [] : [receipt]
  })
}

const isBid = ({ kind, entity, after }: Decision): boolean =>
  (kind === 'bid' || kind === 'breaker') && entity === 'target' && typeof after === 'number'
