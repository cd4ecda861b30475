import { createHash } from 'node:crypto'
import { chmodSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { makeFolder } from '../config/make-folder.ts'
import type { PGliteCall, PGliteReply, PGliteStart } from './pglite-worker.ts'
import { takeStatements } from './tenant-transaction.ts'

export interface PGliteResult<T> {
  rows: T[]
  affectedRows?: number
  fields: { name: string; dataTypeID: number }[]
}
// Beside this file, as a source or as built.
const workerFile = new URL(`./pglite-worker${extname(import.meta.url)}`, import.meta.url)

interface PendingCall {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** Another process has the data folder open. */
export class DatabaseInUse extends Error {
  constructor(dataDir: string) {
    super(`The database in ${dataDir} is in use by another process.`)
    this.name = 'DatabaseInUse'
  }
}

/** Creates the folder if it is missing, and makes it and all future files in it accessible to this user only. */
function makePrivateFolder(dataDir: string): void {
  process.umask(0o077)
  makeFolder(dataDir)
  chmodSync(dataDir, 0o700)
}

/** Removes the access of other users from the files that an earlier version, or the database itself, created. */
function makeFilesPrivate(dataDir: string): void {
  const isShared = (path: string) => (statSync(path).mode & 0o077) !== 0
  // There are a thousand files, so only this one is checked. It is changed last, so that an interrupted run is repeated.
  if (!isShared(join(dataDir, 'PG_VERSION'))) return
  const entries = readdirSync(dataDir, { recursive: true, withFileTypes: true })
  entries.sort((a, b) => Number(a.name === 'PG_VERSION') - Number(b.name === 'PG_VERSION'))
  for (const entry of entries)
    if (entry.isDirectory() || entry.isFile())
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
}

/**
 * The embedded PostgreSQL in a thread of its own, so that a slow statement never blocks the server's event loop. It has
 * one session: while a transaction runs, everything else waits. Implements the part of PGlite that Kysely's dialect and
 * the job queue use.
 */
export class PGliteThread {
  ready = false
  closed = false
  readonly waitReady: Promise<void>
  #worker: Worker | undefined
  #ended: Promise<void> | undefined
  #nextId = 1
  readonly #pending = new Map<number, PendingCall>()
  #tail: Promise<unknown> = Promise.resolve()
  readonly #listeners = new Map<string, Set<(payload: string) => void>>()
  #lock: Server | undefined

  constructor(options: PGliteStart = {}) {
    this.waitReady = this.#start(options)
    this.waitReady.catch(() => undefined)
  }

  async #start(options: PGliteStart) {
    const { dataDir } = options
    if (dataDir) {
      makePrivateFolder(dataDir)
      this.#lock = await holdLock(dataDir)
    }
    const started = new Promise<unknown>((resolve, reject) => this.#pending.set(0, { resolve, reject }))
    const worker = new Worker(workerFile, { workerData: options })
    worker.on('message', (message: PGliteReply) => this.#receive(message))
    worker.on('error', error => this.#fail(error as Error))
    this.#ended = new Promise(resolve => worker.once('exit', () => resolve()))
    worker.on('exit', code => this.#fail(new Error(`the database's thread ended (${code})`)))
    this.#worker = worker
    await started
    if (dataDir) makeFilesPrivate(dataDir)
    this.ready = true
  }

  #receive(message: PGliteReply) {
    if ('channel' in message) {
      for (const listener of this.#listeners.get(message.channel) ?? []) listener(message.payload)
      return
    }
    const call = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (message.error) call?.reject(Object.assign(new Error(message.error.message), message.error))
    else call?.resolve(message.value)
  }

  #fail(error: Error) {
    this.closed = true
    for (const call of this.#pending.values()) call.reject(error)
    this.#pending.clear()
  }

  #call<T>(op: PGliteCall['op'], ...args: unknown[]): Promise<T> {
    const worker = this.#worker
    if (this.closed || !worker) return Promise.reject(new Error('the database is closed'))
    const id = this.#nextId++
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { resolve: value => resolve(value as T), reject })
      worker.postMessage({ id, op, args } satisfies PGliteCall)
    })
  }

  #exclusive<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(run, run)
    this.#tail = result.catch(() => undefined)
    return result
  }

  async query<T>(sql: string, params: unknown[] = []): Promise<PGliteResult<T>> {
    await this.waitReady
    return this.#exclusive(() => this.#call<PGliteResult<T>>('query', sql, params))
  }

  async exec(sql: string): Promise<PGliteResult<Record<string, unknown>>[]> {
    await this.waitReady
    return this.#exclusive(() => this.#call<PGliteResult<Record<string, unknown>>[]>('exec', sql))
  }

  async transaction<T>(
    run: (tx: Pick<PGliteThread, 'query' | 'exec'> & { rollback(): Promise<void> }) => Promise<T>,
  ): Promise<T> {
    const statements = takeStatements()
    await this.waitReady
    return this.#exclusive(async () => {
      let open = true
      const end = async (how: string) => {
        if (!open) return
        await this.#call('exec', how)
        open = false
      }
      try {
        await this.#call('exec', statements.begin)
        const result = await run({
          query: <R>(sql: string, params: unknown[]) => this.#call<PGliteResult<R>>('query', sql, params),
          exec: sql => this.#call('exec', sql),
          rollback: () => end('rollback'),
        })
        await end(statements.commit)
        return result
      } catch (error) {
        await end('rollback')
        throw error
      }
    })
  }

  async listen(channel: string, listener: (payload: string) => void): Promise<() => Promise<void>> {
    await this.waitReady
    const listeners = this.#listeners.get(channel) ?? new Set()
    this.#listeners.set(channel, listeners.add(listener))
    if (listeners.size === 1) await this.#exclusive(() => this.#call('listen', channel))
    return async () => {
      listeners.delete(listener)
      if (!listeners.size && !this.closed) await this.#exclusive(() => this.#call('unlisten', channel))
    }
  }

  /** The data folder as a tarball, which can be the `template` of another instance. */
  async dump(): Promise<Uint8Array> {
    await this.waitReady
    return this.#exclusive(() => this.#call<Uint8Array>('dump'))
  }

  async close() {
    if (this.closed) return
    await this.waitReady.catch(() => undefined)
    if (!this.closed) await this.#exclusive(() => this.#call('close'))
    this.closed = true
    await this.#ended
    this.#lock?.close()
  }
}

// PGlite does not lock its folder, and two processes would corrupt it. The kernel frees an abstract socket however a
// process ends.
function holdLock(dataDir: string) {
  return new Promise<Server>((resolve, reject) => {
    const name = `tideline-${createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 24)}`
    const path = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : `\0${name}`
    const server = createServer()
    server.once('error', () => reject(new DatabaseInUse(dataDir)))
    server.listen(path, () => resolve(server.unref()))
  })
}
