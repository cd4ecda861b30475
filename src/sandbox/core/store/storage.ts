import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/**
 * State on disk: a snapshot, replaced whole and only once the new one is safely written, and beside it a journal of
 * what changed since. A line of the journal is with the operating system before `append` returns, so it outlives a
 * kill of the process.
 */
export interface Storage {
  read(): { snapshot: unknown; lines: unknown[] } | null
  append(line: unknown): void
  replace(snapshot: unknown): void
  /** Bytes of journal since the snapshot. */
  journalBytes(): number
  close(): void
}

/** Storage in a folder, which is made when missing. Throws when it cannot be written. */
export const openStorage = (folder: string): Storage => {
  mkdirSync(folder, { recursive: true })
  const snapshotPath = join(folder, 'world.json')
  let generation = 0
  let journal: number | null = null
  let bytes = 0
  const journalPath = (of: number): string => join(folder, `changes-${of}.ndjson`)
  const openJournal = (): number => (journal ??= openSync(journalPath(generation), 'a'))

  return {
    read() {
      if (!existsSync(snapshotPath)) return null
      const { generation: found, state } = readSnapshot(snapshotPath)
      generation = found
      const path = journalPath(generation)
      return { snapshot: state, lines: existsSync(path) ? linesOf(readFileSync(path, 'utf8')) : [] }
    },
    append(line) {
      const text = `${JSON.stringify(line)}\n`
      bytes += text.length
      writeFileSync(openJournal(), text)
    },
    replace(state) {
      const temporary = `${snapshotPath}.new`
      const file = openSync(temporary, 'w')
      writeFileSync(file, JSON.stringify({ generation: generation + 1, state }))
      fsyncSync(file)
      closeSync(file)
      renameSync(temporary, snapshotPath)
      if (journal !== null) closeSync(journal)
      rmSync(journalPath(generation), { force: true })
      generation++
      journal = null
      bytes = 0
    },
    journalBytes: () => bytes,
    close() {
      if (journal !== null) closeSync(journal)
      journal = null
    },
  }
}

const readSnapshot = (path: string): { generation: number; state: unknown } => {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as { generation: number; state: unknown }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Error(`${path} is damaged; move it away to begin anew.`, { cause: error })
  }
}

// A kill may have cut the last line short; what it said was never confirmed to anybody.
const linesOf = (text: string): unknown[] => {
  const lines = text.split('\n')
  lines.pop()
  return lines.map(line => JSON.parse(line) as unknown)
}
