import type { StoredEntry } from './changes.ts'
import type { StoreDump } from './collections.ts'

/** The state of a world on disk. */
export interface Snapshot {
  version: 1
  scenario: string
  seed: number
  startsAt: string
  offsetMs: number
  /** Absent after a reset: then the scenario, made again for `madeAt`, has them. */
  store?: StoreDump
  market?: unknown
  madeAt?: string
  kept: Record<string, unknown>
}

/** What changed after the snapshot, in one step. */
export interface JournalLine {
  at: number
  store?: StoredEntry[]
  kept?: { name: string; state: unknown }
}
