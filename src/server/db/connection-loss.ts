import pg from 'pg'
import { AppError } from '#shared/errors.ts'

/** The connection broke while a statement was waiting for its answer: the statement may have been carried out. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('the connection to the database was lost', { cause })
    this.name = 'ConnectionLost'
  }
}

// Shutdown, crash, start-up, idle session ended, too many connections; class 08 is the connection itself.
const lossStates = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '53300'])
/** True for an SQLSTATE with which a server says that it ends the connection, or does not take one for now. */
export const isLossState = (state: string | undefined): boolean =>
  state !== undefined && (lossStates.has(state) || state.startsWith('08'))

/**
 * Keeps a lost connection from ending the process: the pool listens only to clients that lie idle, and an error event that
 * nobody listens to is thrown. The client's queries then fail with ConnectionLost when the connection broke under them.
 */
export const watchClient = (client: pg.PoolClient): void => {
  let isLost = false
  const note = () => {
    isLost = true
  }
  client.on('error', note)
  client.on('end', note)
  const watched = (...args: unknown[]): unknown => {
    // oxlint-disable-next-line typescript/unbound-method -- it is bound to the client right here
    const answer: unknown = Reflect.apply(pg.Client.prototype.query, client, args)
    if (!(answer instanceof Promise)) return answer
    return answer.catch((error: unknown) => {
      const isLoss = error instanceof pg.DatabaseError ? isLossState(error.code) : isLost
      throw isLoss ? new ConnectionLost(error) : error
    })
  }
  client.query = watched as pg.PoolClient['query']
}

const retryAfterSeconds = 2

/** Nothing of the statement or transaction was kept: the caller may try again. */
export const databaseUnavailable = (cause: unknown): AppError =>
  new AppError('UNAVAILABLE', 'Tideline is not available for a moment. Please try again.', { cause, retryAfterSeconds })

/** The connection was lost before the database confirmed what it was asked to keep: nobody knows whether it was kept. */
export const outcomeUnknown = (cause: unknown): AppError =>
  new AppError(
    'OUTCOME_UNKNOWN',
    'The connection to our database was lost while saving. Check whether your change is there before you try again.',
    { cause, retryAfterSeconds },
  )

/** True where the database was lost before it confirmed what it was asked to keep. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'OUTCOME_UNKNOWN'

/** True for what a statement fails with when there is no connection, or no longer one. */
export const isDatabaseAway = (error: unknown): boolean =>
  isOutcomeUnknown(error) || (error instanceof AppError && error.code === 'UNAVAILABLE')

/** True when an attempt to connect failed for no reason that the server gave, or for one that passes. */
export const isConnectFailure = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || isLossState(error.code)
