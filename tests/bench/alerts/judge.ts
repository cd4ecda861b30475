import type { NotificationKind } from '#features/notifications/contract.ts'
import type { Figure } from '../figure.ts'
import type { Truth } from './truth.ts'

/** An alert as a person was told of it. */
export interface Raised {
  kind: NotificationKind
  /** The marketplace's ids of the accounts that it may be about; null where it is about none. */
  profileIds: readonly number[] | null
  campaignId: string | null
  at: number
  title: string
}

export interface Verdict {
  /** Alerts that a truth demands or, at the least, allows. */
  right: Raised[]
  /** Alerts without a truth. */
  wrong: Raised[]
  /** Truths that demand an alert and got one, and those that got none. */
  found: Truth[]
  missed: Truth[]
  /** From when a truth was beyond doubt until it was told, in hours. */
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
  const demanded = truths.filter(({ certainty }) => certainty === 'MUST')
  const told = (truth: Truth): Raised | undefined => {
    // Told a little early, when it may have been told, it is told as well.
    const allowed = truths.filter(
      one =>
        one.certainty === 'MAY' &&
        one.to >= truth.from &&
        one.kinds.join() === truth.kinds.join() &&
        one.campaignIds?.join() === truth.campaignIds?.join() &&
        one.profileId === truth.profileId,
    )
    const from = Math.min(truth.from, ...allowed.map(one => one.from))
    return raised.filter(alert => isOf({ ...truth, from }, alert)).toSorted((a, b) => a.at - b.at)[0]
  }
  const found = demanded.filter(told)
  return {
    right: raised.filter(alert => truths.some(one => isOf(one, alert))),
    wrong: raised.filter(alert => !truths.some(one => isOf(one, alert))),
    found,
    missed: demanded.filter(one => !told(one)),
    delays: found.flatMap(one => {
      const alert = told(one)
      return alert ? [{ kind: alert.kind, hours: Math.max(0, alert.at - one.from) / HOUR_MS }] : []
    }),
  }
}

const share = (part: number, all: number): number => (all === 0 ? 1 : part / all)

/** Precision and recall overall and by kind. A kind of which nothing was true and nothing was told has no figure. */
export function figuresOf(verdicts: readonly Verdict[]): Figure[] {
  const all = {
    right: verdicts.flatMap(one => one.right),
    wrong: verdicts.flatMap(one => one.wrong),
    found: verdicts.flatMap(one => one.found),
    missed: verdicts.flatMap(one => one.missed),
    delays: verdicts.flatMap(one => one.delays),
  }
  const kindOf = (truth: Truth): NotificationKind => truth.kinds[0] as NotificationKind
  const kinds = [
    ...new Set([...all.right, ...all.wrong].map(({ kind }) => kind).concat([...all.found, ...all.missed].map(kindOf))),
  ].toSorted()
  const pair = (
    name: string,
    told: (alert: Raised) => boolean,
    is: (truth: Truth) => boolean,
    goals: { precision?: Figure['goal']; recall?: Figure['goal'] } = {},
  ): Figure[] => {
    const [right, wrong] = [all.right.filter(told).length, all.wrong.filter(told).length]
    const [found, missed] = [all.found.filter(is).length, all.missed.filter(is).length]
    const figure = (what: string, part: number, count: number, goal?: Figure['goal']): Figure[] =>
      count === 0
        ? []
        : [{ name: `${name}: ${what}`, unit: '', value: share(part, count), count, ...(goal && { goal }) }]
    return [
      ...figure('precision', right, right + wrong, goals.precision),
      ...figure('recall', found, found + missed, goals.recall),
    ]
  }
  return [
    ...pair(
      'all',
      () => true,
      () => true,
      { precision: { atLeast: 0.95 }, recall: { atLeast: 0.9 } },
    ),
    ...kinds.flatMap(kind =>
      pair(
        kind,
        alert => alert.kind === kind,
        truth => kindOf(truth) === kind,
      ),
    ),
  ]
}
