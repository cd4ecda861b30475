import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, PostgresDialect, type PostgresDialectConfig, PostgresDriver } from 'kysely'
import pg from 'pg'
import {
  ConnectionLost,
  databaseUnavailable,
  isDatabaseUnavailable,
  isLossState,
  outcomeUnknown,
} from './connection-loss.ts'
import { raiseStatement } from './tenant-version.ts'

/** How a transaction begins and commits; each may be several statements, sent together. */
export interface TransactionStatements {
  begin: string
  commit: string
  /** False for a read-only transaction. */
  canWrite: boolean
}

const plain: TransactionStatements = { begin: 'begin', commit: 'commit', canWrite: true }
const requested = new AsyncLocalStorage<{ statements: TransactionStatements | null }>()

/**
 * Runs `start`, which opens a transaction that sees only these merchants' rows. If it has written, its commit raises their
 * versions.
 */
export function startWithin<T>(merchantIds: readonly number[], access: 'read' | 'write', start: () => Promise<T>) {
  // BigInt lets numbers through only: these statements cannot have parameters.
  const merchants = merchantIds.map(id => BigInt(id)).join(',')
  const settings = `select set_config('role', 'tideline_app', true), set_config('tideline.merchants', '${merchants}', true)`
  const statements: TransactionStatements =
    access === 'read'
      ? { begin: `begin read only; ${settings}`, commit: 'commit', canWrite: false }
      : { begin: `begin; ${settings}`, commit: `${raiseStatement}; commit`, canWrite: true }
  return requested.run({ statements }, start)
}

/** The statements for the transaction that is being opened. They are used once, so that a nested one gets its own. */
export function takeStatements(): TransactionStatements {
  const request = requested.getStore()
  const statements = request?.statements ?? plain
  if (request) request.statements = null
  return statements
}

type Connection = Parameters<PostgresDriver['commitTransaction']>[0]
type PostgresConnection = Parameters<PostgresDriver['rollbackTransaction']>[0]

// Outside a transaction, only these statements certainly change nothing.
const isRead = (text: string): boolean => /^\s*(?:select|rollback)\b/i.test(text)

interface TenantConfig extends PostgresDialectConfig {
  /** Every write that was saved waits for this before it resolves. */
  afterWrite: () => Promise<void>
}

class TenantDriver extends PostgresDriver {
  readonly #afterWrite: TenantConfig['afterWrite']
  readonly #statements = new WeakMap<Connection, TransactionStatements>()
  readonly #inTransaction = new WeakSet<Connection>()
  readonly #watched = new WeakSet<Connection>()
  /** How a statement is executed without what a caller must learn of it. */
  readonly #executes = new WeakMap<Connection, Connection['executeQuery']>()
  /** The begin of a read-only transaction that is not answered yet. */
  readonly #begun = new WeakMap<Connection, Promise<unknown>>()

  constructor(config: TenantConfig) {
    super(config)
    this.#afterWrite = config.afterWrite
  }

  override async acquireConnection(
    ...args: Parameters<PostgresDriver['acquireConnection']>
  ): ReturnType<PostgresDriver['acquireConnection']> {
    // Nothing has been sent yet, so nothing can have happened. A server that gives a lasting reason must be repaired.
    const connection = await super.acquireConnection(...args).catch((error: unknown) => {
      throw error instanceof pg.DatabaseError && !isLossState(error.code) ? error : databaseUnavailable(error)
    })
    if (!this.#watched.has(connection)) this.#watch(connection)
    return connection
  }

  /** Says what a lost connection means: a transaction is rolled back, a single statement may have been executed. */
  #watch(connection: Connection): void {
    this.#watched.add(connection)
    const execute = connection.executeQuery.bind(connection)
    this.#executes.set(connection, execute)
    connection.executeQuery = async (query, options) => {
      const begun = this.#begun.get(connection)
      this.#begun.delete(connection)
      try {
        // No row is returned before it is certain that its transaction has begun, with its tenant.
        const [result] = await Promise.all([execute<never>(query, options), begun])
        if (!this.#inTransaction.has(connection) && !isRead(query.sql)) await this.#afterWrite()
        return result
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error
        const isRolledBack = this.#inTransaction.has(connection) || isRead(query.sql)
        throw isRolledBack ? databaseUnavailable(error) : outcomeUnknown(error)
      }
    }
  }

  override async beginTransaction(...args: Parameters<PostgresDriver['beginTransaction']>): Promise<void> {
    const connection = args[0] as PostgresConnection
    const statements = takeStatements()
    this.#inTransaction.add(connection)
    try {
      if (statements === plain) return await super.beginTransaction(...args)
      this.#statements.set(connection, statements)
      const begun = connection.executeQuery(CompiledQuery.raw(statements.begin))
      if (statements.canWrite) await begun
      else this.#beginAhead(connection, begun)
    } catch (error) {
      // The transaction may have begun before the failure, and the connection must not return to the pool inside it.
      await this.rollbackTransaction(connection)
      throw error
    }
  }

  /** Sends the first statement right behind the begin, instead of waiting for its answer. */
  #beginAhead(connection: Connection, begun: Promise<unknown>): void {
    this.#begun.set(connection, begun)
    // The first statement fails with it.
    begun.catch(() => undefined)
  }

  override async commitTransaction(connection: Connection): Promise<void> {
    const { commit, canWrite } = this.#statements.get(connection) ?? plain
    this.#statements.delete(connection)
    if (!canWrite) return this.#endReading(connection)
    // If the connection breaks from here on, nobody knows whether the transaction was committed.
    this.#inTransaction.delete(connection)
    // If the transaction has failed already, the first of several statements fails, so that nothing seems to be saved.
    if (commit === plain.commit) await super.commitTransaction(connection)
    else await connection.executeQuery(CompiledQuery.raw(commit))
  }

  /**
   * Nothing depends on how a read-only transaction ends, so nobody waits for it. What the connection is used for next is
   * sent behind it, and a connection that broke fails there.
   */
  #endReading(connection: Connection): void {
    this.#begun.delete(connection)
    const end = this.#executes.get(connection)
    end?.(CompiledQuery.raw(plain.commit)).catch(() => undefined)
    this.#inTransaction.delete(connection)
  }

  override async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    this.#statements.delete(connection)
    this.#inTransaction.delete(connection)
    // Losing the connection has rolled the transaction back; the caller must learn of the first failure.
    await super.rollbackTransaction(connection).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error
    })
  }
}

/** PostgreSQL through the pg library; transactions begin and commit with the requested statements. */
export class TenantDialect extends PostgresDialect {
  readonly #config: TenantConfig

  constructor(config: TenantConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): PostgresDriver {
    return new TenantDriver(this.#config)
  }
}
