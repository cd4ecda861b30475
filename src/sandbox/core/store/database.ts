import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { StoredEntry } from './changes.ts'
import type { CollectionName } from './collections.ts'
import type { Drift } from '../../market/market.ts'

/** The state of a world at one moment, apart from its entries and the states of its rooms. */
export interface Checkpoint {
  scenario: string
  seed: number
  startsAt: string
  drift?: Drift
  offsetMs: number
  /** Set after a reset: the entries are those of the scenario, made for this moment. */
  madeAt?: string
  logins?: unknown
  market?: unknown
}
export type SavedStates = Record<string, unknown>

export interface StoredChange {
  at: number
  entries: StoredEntry[]
}

const VERSION = 1
const schema = `
  CREATE TABLE checkpoint (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL);
  CREATE TABLE entries (collection TEXT NOT NULL, key NOT NULL, value TEXT NOT NULL);
  CREATE TABLE changes (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, entries TEXT NOT NULL);
  CREATE TABLE states (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE UNIQUE INDEX entries_by_key ON entries (collection, key);
  PRAGMA user_version = ${VERSION};`

/**
 * A world on disk: its entries as of the last checkpoint, and each change since then with its time, so that the market can
 * repeat those hours. A write is committed before its method returns and outlives a kill of the process. Throws when the
 * folder cannot be written or the file is no database of this program.
 */
export class WorldDatabase {
  private readonly db: DatabaseSync

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    const path = join(folder, 'world.db')
    this.db = new DatabaseSync(path)
    try {
      this.db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
      const { user_version: version } = this.db.prepare('PRAGMA user_version').get() as { user_version: number }
      if (version === 0) this.transaction(() => this.db.exec(schema))
      else if (version !== VERSION) throw new Error(`it has version ${version}`)
    } catch (error) {
      this.db.close()
      throw new Error(`${path} cannot be read; move it away to start over.`, { cause: error })
    }
  }

  /** The last checkpoint; null in a new folder. */
  readCheckpoint(): Checkpoint | null {
    const row = this.db.prepare('SELECT value FROM checkpoint').get()
    return row ? (JSON.parse(row.value as string) as Checkpoint) : null
  }

  /** Calls `visit` with each entry as of the checkpoint, in order of creation. */
  readEntries(visit: (entry: StoredEntry) => void): void {
    const statement = this.db.prepare('SELECT collection, key, value FROM entries ORDER BY rowid')
    statement.setReturnArrays(true)
    for (const row of statement.iterate() as Iterable<unknown>) {
      const [collection, key, value] = row as [CollectionName, string | number, string]
      visit([collection, key, JSON.parse(value)])
    }
  }

  readChanges(): StoredChange[] {
    const rows = this.db.prepare('SELECT at, entries FROM changes ORDER BY id').all()
    return rows.map(({ at, entries }) => ({
      at: at as number,
      entries: JSON.parse(entries as string) as StoredEntry[],
    }))
  }

  readStates(): SavedStates {
    const rows = this.db.prepare('SELECT name, value FROM states').all()
    return Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value as string) as unknown]))
  }

  /** Records a change; returns how many characters it takes. */
  addChange({ at, entries }: StoredChange): number {
    const text = JSON.stringify(entries)
    this.db.prepare('INSERT INTO changes (at, entries) VALUES (?, ?)').run(at, text)
    return text.length
  }

  writeState(name: string, state: unknown): void {
    this.db
      .prepare('INSERT INTO states VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value')
      .run(name, JSON.stringify(state ?? null))
  }

  /**
   * Replaces the checkpoint and the states, writes these entries, and forgets the changes, all or nothing. `fresh`: no
   * entry from before remains.
   */
  writeCheckpoint(
    checkpoint: Checkpoint,
    states: SavedStates,
    { entries, fresh }: { entries: Iterable<StoredEntry>; fresh: boolean },
  ): void {
    this.transaction(() => {
      this.db.exec(`DELETE FROM checkpoint; DELETE FROM changes; DELETE FROM states`)
      this.db.prepare('INSERT INTO checkpoint VALUES (1, ?)').run(JSON.stringify(checkpoint))
      for (const [name, state] of Object.entries(states)) this.writeState(name, state)
      // Half a million entries are indexed faster once they are all there.
      if (fresh) this.db.exec('DELETE FROM entries; DROP INDEX entries_by_key')
      this.writeEntries(entries, fresh)
      if (fresh) this.db.exec('CREATE UNIQUE INDEX entries_by_key ON entries (collection, key)')
    })
  }

  private writeEntries(entries: Iterable<StoredEntry>, fresh: boolean): void {
    const replace = fresh ? '' : ' ON CONFLICT DO UPDATE SET value = excluded.value'
    const write = this.db.prepare(`INSERT INTO entries VALUES (?, ?, ?)${replace}`)
    const remove = this.db.prepare('DELETE FROM entries WHERE collection = ? AND key = ?')
    for (const [collection, key, value] of entries)
      if (value === null) remove.run(collection, key)
      else write.run(collection, key, JSON.stringify(value))
  }

  close(): void {
    this.db.close()
  }

  private transaction(write: () => void): void {
    this.db.exec('BEGIN IMMEDIATE')
    try {
      write()
      this.db.exec('COMMIT')
    } catch (error) {
      this.db.exec('ROLLBACK')
      throw error
    }
  }
}
