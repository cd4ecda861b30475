import type { LocalHour } from '../local-hours.ts'
import type { Query } from '../queries/queries.ts'
import { fraction, mix } from '../random.ts'
import type { Ledger } from '../records/ledger.ts'
import { IMPRESSIONS_PER_SEARCH } from './auction.ts'

/** What rivals hold against an account in one search: how much they have raised, and the share they are used to losing. */
type Answer = [level: number, usualShare: number]
export type AnswersDump = [
  profileId: number,
  account: {
    week: number
    hours: number
    demands: [categoryId: string, sum: number][]
    answers: [text: string, ...Answer][]
  },
][]

/** Share of searches with rivals who watch their share, and the most by which all rivals' bids rise then. */
const WATCHED = 0.45
const MOST = 0.5
/** Shares of impressions, lost by the week, that nobody notices. */
const UNNOTICED = 0.02
const RAISES = 2
const LEVEL_STAYS = 0.8
const GETS_USED = 0.12

/** How strongly rivals answer, 0 for most searches. */
function temperOf({ seed }: Query): number {
  const roll = fraction(mix(seed, 0x74656d))
  return roll < WATCHED ? MOST * (roll / WATCHED) : 0
}

const weekOf = ({ day }: LocalHour): number => Math.floor((day + 3) / 7)

interface Account {
  week: number
  /** The hours of the week so far, by category: each counts as much as it has demand. */
  hours: number
  demands: Map<string, number>
  answers: Map<string, Answer>
}

/** What an account won, and in which searches it takes part. */
interface Won {
  queries: Iterable<Query>
  ledger: Ledger
}

/** Rivals who raise their bids in searches where an account took more from them than they are used to, week by week. */
export class Answers {
  private byProfile = new Map<number, Account>()

  /** Factor on rivals' bids against an account. */
  of(profileId: number): (query: Query) => number {
    return query => {
      const level = this.byProfile.get(profileId)?.answers.get(query.text)?.[0] ?? 0
      return level === 0 ? 1 : 1 + temperOf(query) * level
    }
  }

  /**
   * Counts the demand of an hour. In the first hour of a week, rivals look back on the week before; the first time, they
   * only learn what is usual.
   */
  pass(
    profileId: number,
    { hour, local }: { hour: number; local: LocalHour },
    { demands, look }: { demands: Iterable<[categoryId: string, demand: number]>; look: () => Won },
  ): void {
    const week = weekOf(local)
    let account = this.byProfile.get(profileId)
    if (account && account.week !== week) {
      const answers = answersOf(account, hour, look())
      account = { week, hours: 0, demands: new Map(), answers }
    }
    account ??= { week, hours: 0, demands: new Map(), answers: new Map() }
    this.byProfile.set(profileId, account)
    account.hours++
    for (const [categoryId, demand] of demands)
      account.demands.set(categoryId, (account.demands.get(categoryId) ?? 0) + demand)
  }

  dump(): AnswersDump {
    return [...this.byProfile].map(([profileId, { week, hours, demands, answers }]) => [
      profileId,
      { week, hours, demands: [...demands], answers: [...answers].map(([text, answer]) => [text, ...answer]) },
    ])
  }

  restore(dump: AnswersDump): void {
    this.byProfile = new Map(
      dump.map(([profileId, { week, hours, demands, answers }]) => [
        profileId,
        {
          week,
          hours,
          demands: new Map(demands),
          answers: new Map(answers.map(([text, ...answer]) => [text, answer])),
        },
      ]),
    )
  }
}

/** What rivals hold against an account after a week. */
function answersOf({ hours, demands, answers }: Account, hour: number, { queries, ledger }: Won): Account['answers'] {
  const watched = new Map([...queries].filter(query => temperOf(query) > 0).map(query => [query.text, query]))
  const impressions = ledger.impressionsByTerm(new Set(watched.keys()), hour - hours, hour)
  const next: Account['answers'] = new Map()
  for (const [text, { volume, categoryId }] of watched) {
    const all = volume * (demands.get(categoryId) ?? 0) * IMPRESSIONS_PER_SEARCH
    if (all === 0) continue
    const share = Math.min(1, (impressions.get(text) ?? 0) / all)
    const [level, usual] = answers.get(text) ?? [0, share]
    const raised = LEVEL_STAYS * level + RAISES * Math.max(0, share - usual - UNNOTICED)
    const answer: Answer = [raised < 0.01 ? 0 : Math.min(1, raised), usual + GETS_USED * (share - usual)]
    if (answer[0] > 0 || answer[1] > 0.001) next.set(text, answer)
  }
  return next
}
