import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'

const source = fileURLToPath(new URL('../../..', import.meta.url))
const RETAINED_MS = 24 * 3_600_000

// Any change of the emulator may change what shoppers did.
function programHash(): string {
  const hash = createHash('sha256').update(process.version)
  for (const folder of ['sandbox', 'shared'])
    for (const path of readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' }).sort())
      if (path.endsWith('.ts') && !path.endsWith('.test.ts'))
        hash.update(path).update(readFileSync(join(source, folder, path)))
  return hash.digest('hex').slice(0, 16)
}
let program: string | undefined

/** The dumps of markets at the end of their simulated history, cached in a folder by whatever the history depends on. */
export class Histories {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  private fileOf(key: string): string {
    program ??= programHash()
    return join(this.folder, createHash('sha256').update(`${program} ${key}`).digest('hex').slice(0, 32))
  }

  /** The dump of this key, as a copy of its own; undefined when there is none. */
  read(key: string): unknown {
    try {
      return deserialize(readFileSync(this.fileOf(key)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      return undefined
    }
  }

  /** Caches the dump, for other processes too, and removes those older than a day. */
  write(key: string, dump: unknown): void {
    mkdirSync(this.folder, { recursive: true })
    const file = this.fileOf(key)
    // Renamed when it is whole, because another process may read it.
    const part = `${file}.${process.pid}`
    writeFileSync(part, serialize(dump))
    renameSync(part, file)
    for (const name of readdirSync(this.folder)) {
      const old = join(this.folder, name)
      const { mtimeMs } = statSync(old, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY }
      if (mtimeMs < Date.now() - RETAINED_MS) rmSync(old, { force: true })
    }
  }
}
