import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, PostgresDialect, type PostgresDialectConfig, PostgresDriver } from 'kysely'
import {
  ConnectionLost,
  databaseUnavailable,
  isConnectFailure,
  isDatabaseUnavailable,
  outcomeUnknown,
} from './connection-loss.ts'
import { raiseStatement } from './tenant-version.ts'

/** What opens and what closes a transaction: each may be several statements, sent as one. */
export interface TransactionStatements {
  begin: string
  commit: string
  /** False where the database refuses to write in it. */
  mayWrite: boolean
}

const plain: TransactionStatements = { begin: 'begin', commit: 'commit', mayWrite: true }
const asked = new AsyncLocalStorage<{ words: TransactionStatements | null }>()

/**
 * Words for a transaction that sees only these merchants' rows: role and merchants are set with the opening itself. One
 * that may write raises the merchants' version in its last statement, if it wrote at all.
 */
export function tenantStatements(merchantIds: readonly number[], access: 'read' | 'write'): TransactionStatements {
  // Numbers only, since these words can take no parameters.
  const merchants = merchantIds.map(id => BigInt(id)).join(',')
  const settings = `select set_config('role', 'tideline_app', true), set_config('tideline.merchants', '${merchants}', true)`
  return access === 'read'
    ? { begin: `begin read only; ${settings}`, commit: 'commit', mayWrite: false }
    : { begin: `begin; ${settings}`, commit: `${raiseStatement}; commit`, mayWrite: true }
}

/** Runs `start`, which opens a transaction, with these words instead of the plain ones. */
export const withStatements = <T>(words: TransactionStatements, start: () => Promise<T>): Promise<T> =>
  asked.run({ words }, start)

/** The words for the transaction that is being opened; asked for once, so that one opened within it has its own. */
export function takeStatements(): TransactionStatements {
  const holder = asked.getStore()
  const words = holder?.words ?? plain
  if (holder) holder.words = null
  return words
}

type Connection = Parameters<PostgresDriver['commitTransaction']>[0]
type PostgresConnection = Parameters<PostgresDriver['rollbackTransaction']>[0]

// The only statements outside a transaction that change nothing for certain.
const isRead = (text: string): boolean => /^\s*select\b/i.test(text)

class TenantDriver extends PostgresDriver {
  readonly #words = new WeakMap<Connection, TransactionStatements>()
  readonly #inTransaction = new WeakSet<Connection>()
  readonly #watched = new WeakSet<Connection>()

  override async acquireConnection(
    ...args: Parameters<PostgresDriver['acquireConnection']>
  ): ReturnType<PostgresDriver['acquireConnection']> {
    // Nothing was sent yet, so nothing can have happened.
    const connection = await super.acquireConnection(...args).catch((error: unknown) => {
      throw isConnectFailure(error) ? databaseUnavailable(error) : error
    })
    if (!this.#watched.has(connection)) this.#watch(connection)
    return connection
  }

  /** Gives the loss of a connection its meaning: a statement of its own may have been carried out, one of a transaction is undone. */
  #watch(connection: Connection): void {
    this.#watched.add(connection)
    const execute = connection.executeQuery.bind(connection)
    connection.executeQuery = async (query, options) => {
      try {
        return await execute(query, options)
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error
        const isUndone = this.#inTransaction.has(connection) || isRead(query.sql)
        throw isUndone ? databaseUnavailable(error) : outcomeUnknown(error)
      }
    }
  }

  override async beginTransaction(...args: Parameters<PostgresDriver['beginTransaction']>): Promise<void> {
    const connection = args[0] as PostgresConnection
    const words = takeStatements()
    this.#inTransaction.add(connection)
    try {
      if (words === plain) return await super.beginTransaction(...args)
      this.#words.set(connection, words)
      await connection.executeQuery(CompiledQuery.raw(words.begin))
    } catch (error) {
      // It may have begun before it failed; a connection must not go back to the pool like that.
      await this.rollbackTransaction(connection)
      throw error
    }
  }

  override async commitTransaction(connection: Connection): Promise<void> {
    const { commit, mayWrite } = this.#words.get(connection) ?? plain
    this.#words.delete(connection)
    // If the connection breaks from here on, nobody knows whether the transaction was kept.
    if (mayWrite) this.#inTransaction.delete(connection)
    // Of several statements the first fails where the transaction is broken already, so that nothing passes for saved.
    if (commit === plain.commit) await super.commitTransaction(connection)
    else await connection.executeQuery(CompiledQuery.raw(commit))
    this.#inTransaction.delete(connection)
  }

  override async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    this.#words.delete(connection)
    this.#inTransaction.delete(connection)
    // A lost connection has undone its transaction by itself; what failed first is what the caller must hear of.
    await super.rollbackTransaction(connection).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error
    })
  }
}

/** PostgreSQL by the pg library, with transactions opened and closed by the words that were asked for. */
export class TenantDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig

  constructor(config: PostgresDialectConfig) {
    super(config)
    this.#config = config
  }

  override createDriver(): PostgresDriver {
    return new TenantDriver(this.#config)
  }
}
