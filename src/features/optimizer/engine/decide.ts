import { planBids, toBidDecision } from './bids.ts'
import { findHalt, frozenUntilOf, takeRaisesBack } from './breakers.ts'
import { decideBudgets, decidePlaces, placeRestDays } from './budgets.ts'
import { estimate } from './estimate.ts'
import type { Decision } from './decisions.ts'
import type { Facts } from './facts.ts'
import type { Memory, Settings } from './settings.ts'
import { decideHours } from './hours.ts'
import { launchPhase } from './launch.ts'
import { countStayed, rememberBids, sayLeftAlone } from './stays.ts'
import { isRested } from './days.ts'
import { wantsOf } from './money.ts'
import { steer } from './steer.ts'
import { decideTerms } from './terms.ts'

/** When so many of the bids want the same full step, the seller is asked first: it is rarely the words. */
const oneWay = { share: 0.4, leastTargets: 10 }

/** What the engine answers when the same facts, settings and memory are decided on: a number of its own rules. */
export const engineVersion = 9

export interface Outcome {
  decisions: Decision[]
  /** What to remember if all decisions are carried out. Those that were not are taken out by `remember`. */
  memory: Memory
}

/**
 * What to change in a group of campaigns today, with the evidence of each change, and one row that says so where there is
 * nothing to change. Pure: no clock, no dice, no I/O; the same for real runs, shadow, preview and bench. `today` is the
 * profile's own day, `now` the moment.
 */
export function decide(
  facts: Facts,
  setByUser: Settings,
  remembered: Memory,
  { now, today }: { now: Date; today: string },
): Outcome {
  const { settings, memory, rows: launches } = launchPhase(facts, setByUser, remembered, today)
  const estimates = estimate(facts, today)
  // What the aim of before would want: by it a halt is found, and whether bids can follow a launch.
  const probe = steer(facts, settings, { ...memory, steeredOn: today }, estimates, today, { isAtLimit: false })
  const halt = findHalt(facts, memory, estimates, { ...probe, targetAcos: settings.targetAcos }, now, today)
  if (halt?.stops === 'everything')
    return { decisions: [nothing(halt.cause, halt.evidence, today, 'breaker')], memory: remembered }
  const isFrozen = halt !== null || (memory.frozenUntil !== undefined && memory.frozenUntil > today)
  const context = { today, mayRaise: !isFrozen }
  const before = settings.strategy === 'LAUNCH' ? planBids(facts, settings, memory, estimates, probe, context) : []
  const isAtLimit = before.filter(one => one.isAtStepLimit).length > before.length / 2
  const aim = steer(facts, settings, memory, estimates, today, { isAtLimit })
  const plans = planBids(facts, settings, memory, estimates, aim, context)
  const isOneWay = pullsOneWay(plans)
  const backs = halt?.cause === 'SPEND_BROKE_OUT' ? takeRaisesBack(facts, memory, halt, today) : []
  const takenBack = new Set(backs.map(one => one.entityId))
  const bids = plans
    .filter(({ after, target }) => after !== null && !takenBack.has(target.id))
    .map(plan => toBidDecision(plan, memory, today))
    .map(one => (isOneWay ? { ...one, asks: true } : one))
  const isDue = (on: string | undefined, days?: number): boolean => isRested(on, today, days)
  // What is left of a launch's money is known better each day.
  const budgets =
    isDue(memory.budgetsOn) || settings.strategy === 'LAUNCH' ? decideBudgets(facts, settings, aim, today) : []
  const terms = isDue(memory.termsOn) ? decideTerms(facts, settings, estimates, aim, today) : []
  const places = isDue(memory.placesOn, placeRestDays) && !isFrozen ? decidePlaces(facts, today) : []
  const breaker = halt && !backs.length ? [nothing(halt.cause, halt.evidence, today, 'breaker')] : []
  const hours = isFrozen ? [] : decideHours(facts, memory, today)
  const { rows: leftAlone, leftAlone: saidToBeLeft } = sayLeftAlone(facts, memory, today)
  const changes = [...launches, ...breaker, ...backs, ...bids, ...budgets, ...terms, ...places, ...hours]
  const { multiplier, moneyFactor, forecastAcos } = aim
  const still = {
    multiplier,
    moneyFactor,
    forecastAcos,
    targetAcos: settings.targetAcos,
    stayed: countStayed(facts, settings, memory, plans, today),
  }
  return {
    decisions: [...(changes.length ? changes : [nothing('NOTHING_TO_DO', still, today, 'none')]), ...leftAlone],
    memory: {
      ...memory,
      multiplier,
      moneyFactor,
      moneyFactors: Object.fromEntries([...aim.fundings].map(([id, own]) => [id, own.moneyFactor])),
      ...(aim.isSteered && { steeredOn: today, wants: wantsOf(facts, settings, memory, today) }),
      ...(forecastAcos !== null && { forecastAcos }),
      ...(budgets.length > 0 && { budgetsOn: today }),
      ...(terms.length > 0 && { termsOn: today }),
      ...(places.length > 0 && { placesOn: today }),
      ...(hours.length > 0 && { hoursOn: today }),
      ...((memory.leftAlone || Object.keys(saidToBeLeft).length > 0) && { leftAlone: saidToBeLeft }),
      ...(halt && { frozenUntil: frozenUntilOf(today) }),
      targets: rememberBids(memory, [...bids, ...backs], today),
    },
  }
}

/**
 * What to remember where some decisions were not carried out: as if they had not been made. `before` is what the engine
 * remembered when it decided.
 */
export function remember(
  before: Memory,
  { decisions, memory }: Outcome,
  isDone: (decision: Decision) => boolean,
): Memory {
  const targets = { ...memory.targets }
  for (const decision of decisions) {
    const { kind, entityId } = decision
    if ((kind !== 'bid' && kind !== 'breaker') || isDone(decision)) continue
    const was = before.targets?.[entityId]
    if (was) targets[entityId] = was
    else delete targets[entityId]
  }
  return { ...memory, targets }
}

function pullsOneWay(plans: ReturnType<typeof planBids>): boolean {
  if (plans.length < oneWay.leastTargets) return false
  const atLimit = plans.filter(one => one.isAtStepLimit)
  return ([1, -1] as const).some(
    direction => atLimit.filter(one => Math.sign(one.distance) === direction).length > oneWay.share * plans.length,
  )
}

const nothing = (
  cause: Decision['cause'],
  evidence: Decision['evidence'],
  today: string,
  kind: 'none' | 'breaker',
): Decision => ({
  kind,
  groupId: `${kind} ${today}`,
  entity: 'group',
  entityId: '',
  before: null,
  after: null,
  cause,
  asks: false,
  evidence,
  forecast: null,
})
