import { AsyncLocalStorage } from 'node:async_hooks'
import { raiseIfWritten, raiseVersions } from './tenant-version.ts'

/** How a transaction begins and commits; each may be several statements, sent together. */
export interface TransactionStatements {
  begin: string
  commit: string
  /** Instead of `commit` where no statement changed a row. */
  commitUnchanged?: string
}

export const plain: TransactionStatements = { begin: 'begin', commit: 'commit' }
const requested = new AsyncLocalStorage<{ statements: TransactionStatements | null }>()

/** Merchants as the setting has them. BigInt lets numbers through only: a statement that begins cannot have parameters. */
export const listOf = (merchantIds: readonly number[]): string => merchantIds.map(id => BigInt(id)).join(',')

const onOne = (merchants: string): string =>
  `select set_config('role', 'tideline_app', true), set_config('tideline.merchants', '${merchants}', true)`

// On a cluster the workers' rows are guarded on the workers, and only a SET statement of its own text reaches them, hence the
// block. Not for the whole session, because what the job queue sets must stay where it is.
const onCluster = (merchants: string): string => `do $$ begin
  set local citus.propagate_set_commands = 'local'; set local role tideline_app; set local tideline.merchants = '${merchants}'; end $$`

/** One server, or a coordinator that spreads the tables over others. */
export type Spread = 'one' | 'cluster'

/**
 * Runs `start`, which opens a transaction that sees only these merchants' rows. If it has written, its commit raises their
 * versions.
 */
export function startWithin<T>(
  merchantIds: readonly number[],
  { access, spread }: { access: 'read' | 'write'; spread: Spread },
  start: () => Promise<T>,
) {
  const settings = (spread === 'one' ? onOne : onCluster)(listOf(merchantIds))
  const statements: TransactionStatements =
    access === 'read'
      ? { begin: `begin read only; ${settings}`, commit: 'commit' }
      : { begin: `begin; ${settings}`, ...commits[spread] }
  return requested.run({ statements }, start)
}

// The coordinator has no transaction id of its own where only workers wrote, so the connection notes what changed rows.
const commits = {
  one: { commit: `${raiseIfWritten}; commit` },
  cluster: { commit: `${raiseVersions}; commit`, commitUnchanged: 'commit' },
}

/** The statements for the transaction that is being opened. They are used once, so that a nested one gets its own. */
export function takeStatements(): TransactionStatements {
  const request = requested.getStore()
  const statements = request?.statements ?? plain
  if (request) request.statements = null
  return statements
}
