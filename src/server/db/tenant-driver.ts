import {
  AbortedTransactionError,
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import {
  ConnectionLost,
  databaseUnavailable,
  isDatabaseUnavailable,
  isLossState,
  noteSaved,
  outcomeUnknown,
} from './connection-loss.ts'
import { createNaming } from './prepared.ts'
import { prepareForTenants, readAsTenant } from './tenant-query.ts'
import type { Tables } from './tables.ts'
import { listOf, plain, takeStatements, type TransactionStatements } from './tenant-transaction.ts'

// What a statement says it did is about its last part: one that begins with other parts may have written in them.
const mayChange = (text: string, command: string, rowCount: number): boolean =>
  command === 'SELECT' ? /\b(?:insert|update|delete|merge)\b/i.test(text) : rowCount > 0 || /^\s*with\b/i.test(text)

/** A statement without its texts and what is in parentheses. */
function outermost(text: string): string {
  let [before, now] = ['', text.replace(/'[^']*'/g, '')]
  while (now !== before) [before, now] = [now, now.replace(/\([^()]*\)/g, '')]
  return now
}

// The coordinator would copy the rows of an INSERT … SELECT to the workers with COPY, which row-level security refuses, unless
// they are asked back.
function withRows(text: string): string {
  if (!/\binsert\s+into\b/i.test(text)) return text
  const outer = outermost(text)
  const isCopied = /^\s*(?:with|insert)\b/i.test(outer) && /\binsert\s+into\b[^]*\bselect\b/i.test(outer)
  return isCopied && !/\b(?:returning|on\s+conflict)\b/i.test(outer) ? `${text} returning true` : text
}

// Outside a transaction, only these statements certainly change nothing.
const isRead = (text: string): boolean => /^\s*(?:select|rollback)\b/i.test(text)

interface Config {
  pool: pg.Pool
  /** Every write that was saved waits for this before it resolves. */
  afterWrite: () => Promise<void>
}

/** One connection of the pool. Says what losing it means: a transaction is rolled back, a single statement may have been executed. */
class TenantConnection implements DatabaseConnection {
  readonly client: pg.PoolClient
  readonly #afterWrite: Config['afterWrite']
  readonly #nameOf: ReturnType<typeof createNaming>
  #isLost = false
  /** True when it must not be used again. */
  isDiscarded = false
  /** The transaction that is open, null outside one. */
  transaction: TransactionStatements | null = null
  /** False while no statement of the open transaction can have changed a row; outside one each statement is its own. */
  hasChanged = true

  constructor(client: pg.PoolClient, afterWrite: Config['afterWrite']) {
    this.client = client
    this.#afterWrite = afterWrite
    this.#nameOf = createNaming(client)
    const markLost = () => {
      this.#isLost = true
    }
    // The pool listens to idle clients only, and Node throws an error event without a listener.
    client.on('error', markLost)
    client.on('end', markLost)
    prepareForTenants(client).catch(() => client.connection.stream.destroy())
  }

  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const named = this.#nameOf(text)
    // Only a tenant's transaction on a cluster has another way to end.
    const isSpread = this.transaction?.commitUnchanged !== undefined
    const result = await this.client
      .query(named ?? (isSpread ? withRows(text) : text), [...parameters])
      .catch((error: unknown) => this.#fail(error, this.transaction !== null || isRead(text)))
    if (!this.transaction && !isRead(text)) {
      if (this.hasChanged) noteSaved()
      await this.#afterWrite()
    }
    const { command, rowCount, rows } = result
    if (command === 'ROLLBACK' || command === 'COMMIT') return { rows: [{ command }] as R[] }
    const isWrite = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE'
    if (!this.hasChanged) this.hasChanged = mayChange(text, command, rowCount ?? 0)
    return { ...(isWrite && { numAffectedRows: BigInt(rowCount ?? 0) }), rows: (rows as R[] | undefined) ?? [] }
  }

  /** A statement that only reads, as these merchants, outside a transaction. */
  async read<R>({ sql: text, parameters }: CompiledQuery, merchants: string): Promise<QueryResult<R>> {
    const statement = { ...(this.#nameOf(text) ?? { text }), values: parameters }
    const { stream } = this.client.connection
    // Statements of the same moment go out together.
    stream.cork()
    process.nextTick(() => stream.uncork())
    return readAsTenant(this.client, merchants, statement).catch((error: unknown) => this.#fail(error, true))
  }

  #fail(error: unknown, isRolledBack: boolean): never {
    const isLoss = error instanceof pg.DatabaseError ? isLossState(error.code) : this.#isLost
    // The pool would learn of it a little later, and give it to the next call.
    if (isLoss) this.isDiscarded = true
    if (isLoss) throw (isRolledBack ? databaseUnavailable : outcomeUnknown)(new ConnectionLost(error))
    // Where it was thrown is the socket; where it was called from tells more.
    if (error instanceof Error) error.stack += (new Error().stack ?? '').replace(/^.*/, '')
    throw error
  }

  // oxlint-disable-next-line require-yield -- nothing of ours reads row by row
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('rows are read page by page')
  }
}

class TenantDriver implements Driver {
  readonly #config: Config
  readonly #connections = new WeakMap<pg.PoolClient, TenantConnection>()

  constructor(config: Config) {
    this.#config = config
  }

  init(): Promise<void> {
    return Promise.resolve()
  }

  destroy(): Promise<void> {
    return this.#config.pool.end()
  }

  async acquireConnection(): Promise<TenantConnection> {
    // Nothing has been sent yet, so nothing can have happened. A server that gives a lasting reason must be repaired.
    const client = await this.#config.pool.connect().catch((error: unknown) => {
      throw error instanceof pg.DatabaseError && !isLossState(error.code) ? error : databaseUnavailable(error)
    })
    const connection = this.#connections.get(client) ?? new TenantConnection(client, this.#config.afterWrite)
    this.#connections.set(client, connection)
    return connection
  }

  async releaseConnection(connection: TenantConnection): Promise<void> {
    connection.client.release(connection.isDiscarded)
  }

  async beginTransaction(connection: TenantConnection): Promise<void> {
    const statements = takeStatements()
    connection.transaction = statements
    connection.hasChanged = false
    try {
      await connection.executeQuery(CompiledQuery.raw(statements.begin))
    } catch (error) {
      // The transaction may have begun before the failure, and the connection must not return to the pool inside it.
      await this.rollbackTransaction(connection)
      throw error
    }
  }

  async commitTransaction(connection: TenantConnection): Promise<void> {
    const { commit, commitUnchanged = commit } = connection.transaction ?? plain
    // If the connection breaks from here on, nobody knows whether the transaction was committed.
    connection.transaction = null
    // If the transaction has failed already, a commit alone rolls back; of several statements the first fails.
    const { rows } = await connection.executeQuery<{ command?: string }>(
      CompiledQuery.raw(connection.hasChanged ? commit : commitUnchanged),
    )
    connection.hasChanged = true
    if (rows[0]?.command === 'ROLLBACK') throw new AbortedTransactionError()
  }

  async rollbackTransaction(connection: TenantConnection): Promise<void> {
    connection.transaction = null
    connection.hasChanged = true
    // Losing the connection has rolled the transaction back; the caller must learn of the first failure.
    await connection.executeQuery(CompiledQuery.raw('rollback')).catch((error: unknown) => {
      connection.isDiscarded = true
      if (!isDatabaseUnavailable(error)) throw error
    })
  }
}

/** PostgreSQL through the pg library; transactions begin and commit with the requested statements. */
export class TenantDialect extends PostgresDialect {
  readonly #driver: TenantDriver

  constructor(config: Config) {
    super(config)
    this.#driver = new TenantDriver(config)
  }

  override createDriver(): Driver {
    return this.#driver
  }

  /** Runs reads that see only these merchants' rows, on one connection; they may be sent at once. Each is a transaction of its own. */
  async reading<T>(
    system: Kysely<Tables>,
    merchantIds: readonly number[],
    run: (db: Kysely<Tables>) => Promise<T>,
  ): Promise<T> {
    const merchants = listOf(merchantIds)
    const connection = await this.#driver.acquireConnection()
    let isOver = false
    const reader: DatabaseConnection = {
      executeQuery: query => {
        // By now somebody else's transaction may be open on the connection.
        if (isOver) throw new Error('a read was sent after its reading had ended')
        return connection.read(query, merchants)
      },
      streamQuery: () => connection.streamQuery(),
    }
    const executor = system.getExecutor().withConnectionProvider({ provideConnection: send => send(reader) })
    try {
      return await run(
        new Kysely<Tables>({ config: { dialect: this }, dialect: this, driver: this.#driver as never, executor }),
      )
    } finally {
      isOver = true
      await this.#driver.releaseConnection(connection)
    }
  }
}
