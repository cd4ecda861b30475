import pg from 'pg'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PGliteDialect, sql } from 'kysely'
import { isLossState } from './connection-loss.ts'
import { parsers } from './parsers.ts'
import { PGliteThread } from './pglite-thread.ts'
import type { PGliteStart } from './pglite-worker.ts'
import type { Db, Tables } from './tables.ts'
import { TenantDialect } from './tenant-driver.ts'
import { type Spread, startWithin } from './tenant-transaction.ts'
import { keepVersionsApart } from './tenant-version.ts'

const reconnectMs = 1000
/** Detects a dead connection within minutes instead of hours. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/** What a listener may want to learn about its connection. The embedded database has none to lose. */
export interface ListenOptions {
  /** Called at once when the connection is lost. */
  onLoss?: () => void
  /** Called when it was opened again: notifications may have been missed. */
  onGap?: () => void
}

export interface Listening {
  /** Resolves when every notification of what was committed before the call has been delivered. */
  ping: () => Promise<void>
  /** Notifies the channel over the same connection; resolves when the listener has been called with it. */
  notify: (payload: string) => Promise<void>
  /** Replaces a connection that no longer answers. */
  reconnect: () => void
  stop: () => Promise<void>
}

/**
 * Calls `listener` with each payload notified on the channel, over a connection of its own. A lost connection is opened
 * again. Rejects if the first connection cannot be opened.
 */
export async function listenOnServer(
  connectionString: string,
  channel: string,
  listener: (payload: string) => void,
  { onLoss, onGap }: ListenOptions = {},
): Promise<Listening> {
  let stopped = false
  let isFirst = true
  let retry: NodeJS.Timeout | undefined
  // Set while it is still connecting, so that stopping ends it too.
  let client: pg.Client
  const open = async (): Promise<void> => {
    const next = new pg.Client({ connectionString, ...keepAlive, connectionTimeoutMillis: 10_000 })
    client = next
    next.on('error', () => undefined)
    next.on('notification', message => message.channel === channel && listener(message.payload ?? ''))
    next.on('end', () => {
      if (stopped) return
      onLoss?.()
      retry = setTimeout(() => void open().catch(() => undefined), reconnectMs).unref()
    })
    try {
      await next.connect()
      // Its own notifications need not survive a crash.
      await next.query(`set synchronous_commit = off; listen ${pg.escapeIdentifier(channel)}`)
      if (!isFirst) onGap?.()
      isFirst = false
    } catch (error) {
      // A connection that does not listen would stay open and never be replaced.
      await next.end()
      throw error
    }
  }
  // The library wants one statement at a time.
  let previous: Promise<unknown> = Promise.resolve()
  const inTurn = async (text: string, values: string[] = []): Promise<void> => {
    const run = () => client.query(text, values)
    const done = previous.then(run, run)
    previous = done
    await done
  }
  const listening: Listening = {
    // A session delivers what was committed before a statement no later than it answers the statement.
    ping: () => inTurn('select 1'),
    notify: payload => inTurn('select pg_notify($1, $2)', [channel, payload]),
    reconnect: () => client.connection.stream.destroy(),
    stop: async () => {
      stopped = true
      clearTimeout(retry)
      await client.end()
    },
  }
  await open().catch(async (error: unknown) => {
    await listening.stop()
    throw error
  })
  return listening
}

export interface Database {
  kind: 'embedded' | 'server'
  /**
   * Runs statements as the owner of the tables, without a tenant: for accounts, reference tables and jobs. Jobs that use
   * it for a tenant's rows must name the merchant in each statement.
   */
  system: Db
  /**
   * One transaction that sees only the rows of these merchants: its role is bound by row-level security until it ends.
   * Statements name the merchant all the same, because it selects the partition. If it writes, the merchants' version
   * increases.
   */
  tenant<T>(merchantIds: number | readonly number[], run: (tx: Db) => Promise<T>): Promise<T>
  /** The same for reads only. On a server each of them sees what was saved when it began, as in a transaction. */
  reading<T>(merchantIds: number | readonly number[], run: (tx: Db) => Promise<T>): Promise<T>
  /** One transaction without a tenant. */
  transaction<T>(run: (tx: Db) => Promise<T>): Promise<T>
  /** Calls `listener` with each payload. */
  listen(channel: string, listener: (payload: string) => void, options?: ListenOptions): Promise<Listening>
  /** From now on, every write that was saved waits for this before it resolves. */
  afterWrites(wait: () => Promise<void>): void
  /** How the job queue connects. */
  raw: { pglite: PGliteThread } | { connectionString: string }
  /** True when a statement is answered in time. */
  ping(): Promise<boolean>
  close(): Promise<void>
}

function databaseOf<R extends Pick<Database, 'kind' | 'raw' | 'reading' | 'listen' | 'afterWrites' | 'close'>>(
  system: Kysely<Tables>,
  spread: Spread,
  rest: R,
) {
  const handle: Pick<Database, 'system' | 'tenant' | 'transaction' | 'ping'> = {
    system,
    tenant: (merchantIds, run) =>
      startWithin([merchantIds].flat(), { access: 'write', spread }, () => system.transaction().execute(run)),
    transaction: run => system.transaction().execute(run),
    ping: () => {
      const late = new Promise<false>(resolve => setTimeout(() => resolve(false), 2000).unref())
      const answered = sql`select 1`.execute(system).then(
        () => true,
        () => false,
      )
      return Promise.race([late, answered])
    },
  }
  return { ...handle, ...rest }
}

/** All reads of a reading in one transaction. */
const readingOnce =
  (system: Kysely<Tables>, spread: Spread): Database['reading'] =>
  (merchantIds, run) =>
    startWithin([merchantIds].flat(), { access: 'read', spread }, () => system.transaction().execute(run))

/** Opens the embedded database in a folder, or in memory. Rejects with DatabaseInUse if another process has the folder open. */
export async function openEmbedded(options: PGliteStart = {}): Promise<Database & { raw: { pglite: PGliteThread } }> {
  const pglite = new PGliteThread(options)
  await pglite.waitReady
  // The dialect expects a PGlite; the thread implements the part that Kysely calls.
  const system = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite: pglite as never }) })
  return databaseOf(system, 'one', {
    kind: 'embedded',
    raw: { pglite },
    reading: readingOnce(system, 'one'),
    listen: async (channel, listener) => {
      const stop = await pglite.listen(channel, listener)
      return {
        ping: async () => undefined,
        notify: async payload => listener(payload),
        reconnect: () => undefined,
        stop,
      }
    },
    // Its one session delivers notifications before it answers the statement that commits them.
    afterWrites: () => undefined,
    close: () => pglite.close(),
  })
}

export interface ServerOptions {
  /** Maximum number of connections; 10 by default. */
  poolSize?: number
  /** How long to wait for a server that is still starting; 0 by default. */
  waitMs?: number
  /** Called while waiting, immediately and then every ten seconds, with the reason. */
  onWait?: (reason: string) => void
  /** How long a statement may take; a minute by default, 0 for any time. */
  statementTimeoutMs?: number
}

/** Connects to a PostgreSQL server. Rejects if it does not start in time, or at once if waiting does not help. */
export async function openServer(connectionString: string, options: ServerOptions = {}): Promise<Database> {
  const getTypeParser = ((oid, format) =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser
  const pool = new pg.Pool({
    connectionString,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 10_000,
    ...keepAlive,
    types: { getTypeParser },
    // Statements that do not depend on each other are sent without waiting for answers.
    pipeline: true,
    // A process that hangs must not hold its locks for ever. What the planner sorts because it expects few rows, as the days of
    // a filtered chart, has room in memory.
    options: `-c jit=off -c work_mem=16MB -c statement_timeout=${options.statementTimeoutMs ?? 60_000} -c idle_in_transaction_session_timeout=60000`,
  })
  // The pool replaces a lost idle connection; without a listener the event would end the process.
  pool.on('error', () => undefined)
  await waitForServer(connectionString, options)
  let afterWrite = async (): Promise<void> => undefined
  const dialect = new TenantDialect({ pool, afterWrite: () => afterWrite() })
  const system = new Kysely<Tables>({ dialect })
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(system)
  const spread = rows.length ? 'cluster' : 'one'
  if (spread === 'cluster') keepVersionsApart(system)
  return databaseOf(system, spread, {
    kind: 'server',
    raw: { connectionString },
    // The settings of a read that is sent with it do not reach the workers.
    reading:
      spread === 'cluster'
        ? readingOnce(system, spread)
        : (merchantIds, run) => dialect.reading(system, [merchantIds].flat(), run),
    listen: (channel, listener, listenOptions) => listenOnServer(connectionString, channel, listener, listenOptions),
    afterWrites: wait => {
      afterWrite = wait
    },
    close: () => system.destroy(),
  })
}

const retryMs = 500
const announceMs = 10_000
const connectMs = 10_000

/** Waits until the server accepts connections. Rejects after `waitMs`, or at once if waiting does not help. */
async function waitForServer(connectionString: string, { waitMs = 0, onWait }: ServerOptions): Promise<void> {
  const startedAt = Date.now()
  let announcedAt = -Infinity
  for (;;) {
    const attempt = await connectOnce(connectionString)
    if (attempt === null) return
    const now = Date.now()
    if (!attempt.isTemporary || now - startedAt >= waitMs) throw attempt.error
    if (now - announcedAt >= announceMs) {
      announcedAt = now
      onWait?.(reasonOf(attempt.error))
    }
    await sleep(retryMs)
  }
}

interface FailedAttempt {
  error: Error & { code?: string }
  isTemporary: boolean
}

async function connectOnce(connectionString: string): Promise<FailedAttempt | null> {
  const startedAt = performance.now()
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectMs })
  let isClosed = false
  client.on('error', () => undefined)
  client.on('end', () => {
    isClosed = true
  })
  try {
    await client.connect()
    return null
  } catch (error) {
    // If the server closes the connection, its end event comes after the failure.
    await turn()
    const failure: FailedAttempt['error'] = error instanceof Error ? error : new Error(String(error))
    // The library sets no code for these two.
    if (failure.code === undefined && performance.now() - startedAt >= connectMs) failure.code = 'ETIMEDOUT'
    else if (failure.code === undefined && isClosed) failure.code = 'ECONNRESET'
    return { error: failure, isTemporary: isTemporary(failure) }
  } finally {
    await client.end().catch(() => undefined)
  }
}

function isTemporary(failure: FailedAttempt['error']): boolean {
  if (failure instanceof pg.DatabaseError) return isLossState(failure.code)
  // An unknown host is more likely misspelled than late.
  return failure.code !== undefined && failure.code !== 'ENOTFOUND'
}

// If a host has several addresses, each has failed for its own reason and the outer error names none.
function reasonOf(failure: Error): string {
  const first: unknown = failure instanceof AggregateError ? failure.errors[0] : undefined
  return first instanceof Error ? first.message : failure.message
}
