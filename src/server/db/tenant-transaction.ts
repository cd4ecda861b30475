import { AsyncLocalStorage } from 'node:async_hooks'
import { raiseStatement } from './tenant-version.ts'

/** How a transaction begins and commits; each may be several statements, sent together. */
export interface TransactionStatements {
  begin: string
  commit: string
}

export const plain: TransactionStatements = { begin: 'begin', commit: 'commit' }
const requested = new AsyncLocalStorage<{ statements: TransactionStatements | null }>()

/** Merchants as the setting has them. BigInt lets numbers through only: a statement that begins cannot have parameters. */
export const listOf = (merchantIds: readonly number[]): string => merchantIds.map(id => BigInt(id)).join(',')

/**
 * Runs `start`, which opens a transaction that sees only these merchants' rows. If it has written, its commit raises their
 * versions.
 */
export function startWithin<T>(merchantIds: readonly number[], access: 'read' | 'write', start: () => Promise<T>) {
  const merchants = listOf(merchantIds)
  const settings = `select set_config('role', 'tideline_app', true), set_config('tideline.merchants', '${merchants}', true)`
  const statements: TransactionStatements =
    access === 'read'
      ? { begin: `begin read only; ${settings}`, commit: 'commit' }
      : { begin: `begin; ${settings}`, commit: `${raiseStatement}; commit` }
  return requested.run({ statements }, start)
}

/** The statements for the transaction that is being opened. They are used once, so that a nested one gets its own. */
export function takeStatements(): TransactionStatements {
  const request = requested.getStore()
  const statements = request?.statements ?? plain
  if (request) request.statements = null
  return statements
}
