import { Answers, type AnswersDump } from './answers.ts'
import { Standings, type StandingsDump } from './standings.ts'

export interface MemoryDump {
  standings: StandingsDump
  answers: AnswersDump
}

/**
 * What the market has learnt from what happened and no ledger holds. All else follows from the seed, the hour and the store.
 * It stays small: a few numbers for each listing, and for each search in which an account takes much from its rivals.
 */
export class Memory {
  readonly standings = new Standings()
  readonly answers = new Answers()

  dump(): MemoryDump {
    return { standings: this.standings.dump(), answers: this.answers.dump() }
  }

  /** A market saved before it had a memory begins with an empty one. */
  restore(dump: MemoryDump | undefined): void {
    this.standings.restore(dump?.standings ?? [])
    this.answers.restore(dump?.answers ?? [])
  }
}
