import type { BookEntry } from './book-changes.ts'
import type { BooksDump } from './dump-books.ts'

/** The state of a world on disk. */
export interface Snapshot {
  version: 1
  scenario: string
  seed: number
  startsAt: string
  offsetMs: number
  /** Absent after a reset: then the scenario, made again for `madeAt`, has them. */
  books?: BooksDump
  market?: unknown
  madeAt?: string
  kept: Record<string, unknown>
}

/** What changed after the snapshot, in one step. */
export interface JournalLine {
  at: number
  books?: BookEntry[]
  kept?: { name: string; state: unknown }
}
