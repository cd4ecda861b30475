import { kinds, type NotificationKind } from '#features/notifications/contract.ts'
import { type Figure, quantile } from '../figure.ts'
import type { Truth } from './truth.ts'

/** An alert as a user was notified of it. */
export interface Raised {
  kind: NotificationKind
  /** The marketplace's ids of the accounts that it may be about; null where it is about none. */
  profileIds: readonly number[] | null
  campaignId: string | null
  at: number
  title: string
}

export interface Verdict {
  /** Alerts that a truth demands; those that one merely allows, which count neither way; and those without a truth. */
  right: Raised[]
  allowed: Raised[]
  wrong: Raised[]
  /** Truths that demand an alert and got one, and those that got none. */
  found: Truth[]
  missed: Truth[]
  /** From when a truth was beyond doubt until the alert, in hours. */
  delays: { kind: NotificationKind; hours: number }[]
}

const HOUR_MS = 3_600_000

const isOf = (truth: Truth, alert: Raised): boolean =>
  truth.kinds.includes(alert.kind) &&
  (alert.profileIds === null || alert.profileIds.includes(truth.profileId)) &&
  (truth.campaignIds === null || alert.campaignId === null || truth.campaignIds.includes(alert.campaignId)) &&
  truth.from <= alert.at &&
  alert.at <= truth.to

/** Compares what was raised with what was true. */
export function judge(truths: readonly Truth[], raised: readonly Raised[]): Verdict {
  const demanded = truths.filter(({ certainty }) => certainty === 'MUST').map(truth => withItsBeginning(truth, truths))
  const alertsOf = (truth: Truth): Raised[] =>
    raised.filter(alert => isOf(truth, alert)).toSorted((a, b) => a.at - b.at)
  const isRight = (alert: Raised): boolean => demanded.some(({ whole }) => isOf(whole, alert))
  const isAllowed = (alert: Raised): boolean => truths.some(truth => isOf(truth, alert))
  const found = demanded.filter(({ whole }) => alertsOf(whole).length > 0)
  return {
    right: raised.filter(isRight),
    allowed: raised.filter(alert => !isRight(alert) && isAllowed(alert)),
    wrong: raised.filter(alert => !isRight(alert) && !isAllowed(alert)),
    found: found.map(({ truth }) => truth),
    missed: demanded.filter(one => !found.includes(one)).map(({ truth }) => truth),
    delays: found.flatMap(({ truth, whole }) =>
      alertsOf(whole)
        .slice(0, 1)
        .map(({ kind, at }) => ({ kind, hours: Math.max(0, at - truth.from) / HOUR_MS })),
    ),
  }
}

/** A truth from when on an alert was allowed: an alert that comes before it is beyond doubt has found it, too. */
function withItsBeginning(truth: Truth, truths: readonly Truth[]): { truth: Truth; whole: Truth } {
  const starts = truths
    .filter(
      one =>
        one.certainty === 'MAY' &&
        one.from <= truth.from &&
        one.to >= truth.from &&
        one.kinds.join() === truth.kinds.join() &&
        one.campaignIds?.join() === truth.campaignIds?.join() &&
        one.profileId === truth.profileId,
    )
    .map(one => one.from)
  return { truth, whole: { ...truth, from: Math.min(truth.from, ...starts) } }
}

/** Precision and recall overall and by kind. A kind of which nothing was true and nothing was raised has no figure. */
export function figuresOf(verdicts: readonly Verdict[]): Figure[] {
  const all = <K extends keyof Verdict>(part: K) => verdicts.flatMap(one => one[part] as Verdict[K][number][])
  const [right, allowed, wrong, found, missed] = [
    all('right'),
    all('allowed'),
    all('wrong'),
    all('found'),
    all('missed'),
  ]
  const kindOf = (truth: Truth): NotificationKind => truth.kinds[0] as NotificationKind
  // News that always comes would only flatter the sum.
  const decides = (alert: Raised): boolean => kinds[alert.kind].isDecision
  const needsDecision = (truth: Truth): boolean => kinds[kindOf(truth)].isDecision
  const share = (name: string, part: readonly unknown[], rest: readonly unknown[], atLeast?: number): Figure[] => {
    const count = part.length + rest.length
    if (count === 0) return []
    return [{ name, unit: '', value: part.length / count, count, ...(atLeast && { goal: { atLeast } }) }]
  }
  const judged = new Set([...[...right, ...wrong].map(({ kind }) => kind), ...[...found, ...missed].map(kindOf)])
  return [
    ...share('all: precision', right.filter(decides), wrong.filter(decides), 0.95),
    ...share('all: recall', found.filter(needsDecision), missed.filter(needsDecision), 0.9),
    { name: 'neither demanded nor wrong', unit: 'alerts', value: allowed.length, count: allowed.length },
    ...[...judged].toSorted().flatMap(kind => {
      const isOfKind = (alert: Raised): boolean => alert.kind === kind
      const isTruthOfKind = (truth: Truth): boolean => kindOf(truth) === kind
      return [
        ...share(`${kind}: precision`, right.filter(isOfKind), wrong.filter(isOfKind)),
        ...share(`${kind}: recall`, found.filter(isTruthOfKind), missed.filter(isTruthOfKind)),
      ]
    }),
  ]
}

/** Prints every alert that was wrong and every truth that was missed. */
export function print(seed: number, { right, allowed, wrong, found, missed }: Verdict): void {
  console.log(
    `seed ${seed}: ${right.length} right, ${allowed.length} allowed, ${wrong.length} wrong, ${found.length} found, ${missed.length} missed`,
  )
  const moment = (at: number): string => new Date(at).toISOString().slice(0, 16)
  for (const { kind, at, profileIds, campaignId, title } of wrong)
    console.log(`  wrong: ${kind} ${moment(at)} ${profileIds?.join()} ${campaignId ?? ''} ${title}`)
  for (const { kinds, from, to, profileId, campaignIds, because } of missed)
    console.log(
      `  missed: ${kinds[0]} ${moment(from)}–${moment(to)} ${profileId} ${campaignIds?.join() ?? ''} ${because}`,
    )
}

/** How long after a truth was beyond doubt its alert came, by kind. */
export function delaysOf(verdicts: readonly Verdict[]): Figure[] {
  const delays = Map.groupBy(
    verdicts.flatMap(one => one.delays),
    ({ kind }) => kind,
  )
  return [...delays].map(([kind, own]) => {
    const hours = own.map(one => one.hours)
    return { name: `${kind}: after it was beyond doubt`, unit: 'h', value: quantile(hours, 0.5), count: hours.length }
  })
}
