import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, PostgresDialect, type PostgresDialectConfig, PostgresDriver } from 'kysely'
import { raiseStatement } from './tenant-version.ts'

/** What opens and what closes a transaction: each may be several statements, sent as one. */
export interface TransactionWords {
  begin: string
  commit: string
}

const plain: TransactionWords = { begin: 'begin', commit: 'commit' }
const asked = new AsyncLocalStorage<{ words: TransactionWords | null }>()

/**
 * Words for a transaction that sees only these merchants' rows: role and merchants are set with the opening itself. One
 * that may write raises the merchants' version in its last statement, if it wrote at all.
 */
export const tenantWords = (merchantIds: readonly number[], access: 'read' | 'write'): TransactionWords => {
  // Numbers only, since these words can take no parameters.
  const merchants = merchantIds.map(id => BigInt(id)).join(',')
  const settings = `select set_config('role', 'tideline_app', true), set_config('tideline.merchants', '${merchants}', true)`
  return access === 'read'
    ? { begin: `begin read only; ${settings}`, commit: 'commit' }
    : { begin: `begin; ${settings}`, commit: `${raiseStatement}; commit` }
}

/** Runs `start`, which opens a transaction, with these words instead of the plain ones. */
export const withWords = <T>(words: TransactionWords, start: () => Promise<T>): Promise<T> =>
  asked.run({ words }, start)

/** The words for the transaction that is being opened; asked for once, so that one opened within it has its own. */
export const takeWords = (): TransactionWords => {
  const holder = asked.getStore()
  const words = holder?.words ?? plain
  if (holder) holder.words = null
  return words
}

type Connection = Parameters<PostgresDriver['commitTransaction']>[0]

class TenantDriver extends PostgresDriver {
  readonly #commits = new WeakMap<Connection, string>()

  override async beginTransaction(...args: Parameters<PostgresDriver['beginTransaction']>): Promise<void> {
    const [connection] = args
    const words = takeWords()
    if (words === plain) return super.beginTransaction(...args)
    this.#commits.set(connection, words.commit)
    try {
      await connection.executeQuery(CompiledQuery.raw(words.begin))
    } catch (error) {
      // It may have begun before it failed; a connection must not go back to the pool like that.
      await connection.executeQuery(CompiledQuery.raw('rollback'))
      throw error
    }
  }

  override async commitTransaction(connection: Connection): Promise<void> {
    const commit = this.#commits.get(connection)
    this.#commits.delete(connection)
    // Of several statements the first fails where the transaction is broken already, so that nothing passes for saved.
    if (commit === undefined || commit === plain.commit) return super.commitTransaction(connection)
    await connection.executeQuery(CompiledQuery.raw(commit))
  }

  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    this.#commits.delete(connection)
    await super.rollbackTransaction(connection)
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
