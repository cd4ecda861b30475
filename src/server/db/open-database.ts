import { Kysely, PGliteDialect, sql } from 'kysely'
import pg from 'pg'
import { watchClient } from './connection-loss.ts'
import { keepAlive, listenOnServer } from './listen-on-server.ts'
import { parsers } from './parsers.ts'
import { PGliteThread } from './pglite-thread.ts'
import type { Db, Tables } from './tables.ts'
import { TenantDialect, tenantStatements, withStatements } from './tenant-transaction.ts'
import { waitForServer, type WaitOptions } from './wait-for-server.ts'

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
  /** The same, read-only. */
  reading<T>(merchantIds: number | readonly number[], run: (tx: Db) => Promise<T>): Promise<T>
  /** One transaction without a tenant. */
  transaction<T>(run: (tx: Db) => Promise<T>): Promise<T>
  /**
   * Calls `listener` with each payload notified on the channel from now on, and `onGap` after notifications may have been
   * missed. Returns a function that stops listening.
   */
  listen(channel: string, listener: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>
  /** How the job queue connects. */
  raw: { pglite: PGliteThread } | { connectionString: string }
  /** True when a statement is answered in time. */
  ping(): Promise<boolean>
  close(): Promise<void>
}

function withHandle(
  kind: Database['kind'],
  system: Kysely<Tables>,
): Pick<Database, 'kind' | 'system' | 'tenant' | 'reading' | 'transaction' | 'ping'> {
  return {
    kind,
    system,
    tenant: (merchantIds, run) =>
      withStatements(tenantStatements([merchantIds].flat(), 'write'), () => system.transaction().execute(run)),
    reading: (merchantIds, run) =>
      withStatements(tenantStatements([merchantIds].flat(), 'read'), () => system.transaction().execute(run)),
    transaction: run => system.transaction().execute(run),
    ping: async () => {
      const late = new Promise<false>(resolve => setTimeout(() => resolve(false), 2000).unref())
      return Promise.race([
        late,
        sql`select 1`.execute(system).then(
          () => true,
          () => false,
        ),
      ])
    },
  }
}

/** Opens the embedded database in a folder, or in memory. Rejects with DatabaseInUse if another process has the folder open. */
export async function openEmbedded(
  options: { dataDir?: string; template?: Uint8Array } = {},
): Promise<Database & { raw: { pglite: PGliteThread } }> {
  const pglite = new PGliteThread(options)
  await pglite.waitReady
  // The dialect expects a PGlite; the thread implements the part that Kysely calls.
  const system = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite: pglite as never }) })
  return {
    ...withHandle('embedded', system),
    raw: { pglite },
    listen: (channel, listener) => pglite.listen(channel, listener),
    close: () => pglite.close(),
  }
}

export interface ServerOptions extends WaitOptions {
  /** Maximum number of connections; 10 by default. */
  poolSize?: number
}

/**
 * Connects to a PostgreSQL server. Rejects if it does not start in time, and immediately if waiting would not help: a
 * wrong password, an unknown database or host.
 */
export async function openServer(connectionString: string, options: ServerOptions = {}): Promise<Database> {
  const getTypeParser = ((oid, format) =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser
  const pool = new pg.Pool({
    connectionString,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 10_000,
    ...keepAlive,
    types: { getTypeParser },
    options: '-c jit=off -c statement_timeout=60000',
  })
  // The pool replaces a lost idle connection; without a listener the event would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', watchClient)
  await waitForServer(connectionString, options)
  const system = new Kysely<Tables>({ dialect: new TenantDialect({ pool }) })
  await sql`select 1`.execute(system)
  return {
    ...withHandle('server', system),
    raw: { connectionString },
    listen: (channel, listener, onGap) => listenOnServer(connectionString, channel, listener, onGap),
    close: () => system.destroy(),
  }
}
