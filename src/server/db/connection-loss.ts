import pg from 'pg'
import { AppError } from '#shared/errors.ts'

/** The connection broke before a statement was answered. The statement may have been executed. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('the connection to the database was lost', { cause })
    this.name = 'ConnectionLost'
  }
}

// Shutdown, crash, start-up, idle session ended, too many connections. Class 08 is about the connection itself.
const lossStates = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '53300'])
/** True for an SQLSTATE by which a server ends a connection, or refuses one for the moment. */
export function isLossState(state: string | undefined): boolean {
  return state !== undefined && (lossStates.has(state) || state.startsWith('08'))
}

/**
 * Keeps a lost connection from ending the process: the pool listens to idle clients only, and Node throws an error event
 * without a listener. If the connection breaks during a query, the query fails with ConnectionLost.
 */
export function watchClient(client: pg.PoolClient): void {
  let isLost = false
  const markLost = () => {
    isLost = true
  }
  client.on('error', markLost)
  client.on('end', markLost)
  const watchedQuery = (...args: unknown[]): unknown => {
    // oxlint-disable-next-line typescript/unbound-method -- it is bound to the client right here
    const result: unknown = Reflect.apply(pg.Client.prototype.query, client, args)
    if (!(result instanceof Promise)) return result
    return result.catch((error: unknown) => {
      const isLoss = error instanceof pg.DatabaseError ? isLossState(error.code) : isLost
      throw isLoss ? new ConnectionLost(error) : error
    })
  }
  client.query = watchedQuery as pg.PoolClient['query']
}

const retryAfterSeconds = 2

/** Nothing was saved: the caller may try again. */
export function databaseUnavailable(cause: unknown): AppError {
  return new AppError('UNAVAILABLE', 'Tideline is not available for a moment. Please try again.', {
    cause,
    retryAfterSeconds,
  })
}

/** The connection was lost before the database confirmed a write: nobody knows whether it was saved. */
export function outcomeUnknown(cause: unknown): AppError {
  return new AppError(
    'OUTCOME_UNKNOWN',
    'The connection to our database was lost while saving. Check whether your change is there before you try again.',
    { cause, retryAfterSeconds },
  )
}

/** True for an error of `outcomeUnknown`. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof AppError && error.code === 'OUTCOME_UNKNOWN'
}

/** True for an error of a statement that had no connection, or lost it. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isOutcomeUnknown(error) || (error instanceof AppError && error.code === 'UNAVAILABLE')
}

/** True when an attempt to connect failed without a reason from the server, or for a temporary one. */
export function isConnectFailure(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || isLossState(error.code)
}
