import { AsyncLocalStorage } from 'node:async_hooks'
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

const calls = new AsyncLocalStorage<{ hasSaved: boolean }>()

/** Notes that the call that is being answered has saved something. */
export function noteSaved(): void {
  const call = calls.getStore()
  if (call) call.hasSaved = true
}

/**
 * Does the work of a call. If the connection is lost after a part of it was saved, the error is OUTCOME_UNKNOWN, so that nobody
 * does that part a second time.
 */
export function notingSaves<T>(work: () => Promise<T>): Promise<T> {
  const call = { hasSaved: false }
  return calls.run(call, work).catch((error: unknown) => {
    throw call.hasSaved && isDatabaseUnavailable(error) && !isOutcomeUnknown(error) ? outcomeUnknown(error) : error
  })
}
