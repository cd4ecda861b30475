import { setTimeout as sleep } from 'node:timers/promises'
import {
  AmbiguousOutcome,
  UpstreamError,
  UpstreamForbidden,
  UpstreamRejected,
  UpstreamUnauthorized,
} from '#server/http-client/upstream-errors.ts'
import { AppError } from '#shared/errors.ts'

/** Resolves after `ms`; rejects with the signal's reason when it ends first. */
export const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw error
  })

/** The user asked for an undo. */
export class UndoRequested extends Error {}

/** The marketplace does not let us in: only the user can change that. */
export class Blocked extends Error {}

/** The marketplace cannot be worked with for now, and nothing of the last call happened: go on later. */
export class Wait extends Error {
  readonly afterMs: number | undefined
  constructor(afterMs: number | undefined, cause: unknown) {
    super('the marketplace cannot be reached for now', { cause })
    this.afterMs = afterMs
  }
}

/**
 * What a failed call means for a launch. UNCLEAR: it may have happened. REJECTED: it did not happen and is useless to repeat.
 * Otherwise it did not happen, and the launch has to stop. Anything that is not the marketplace's is thrown again: a defect of
 * ours.
 */
export function failureOf(error: unknown): 'UNCLEAR' | 'REJECTED' | Blocked | Wait {
  const code = error instanceof AppError ? error.code : ''
  if (error instanceof AmbiguousOutcome) return 'UNCLEAR'
  if (error instanceof UpstreamRejected) return 'REJECTED'
  if (error instanceof UpstreamUnauthorized || error instanceof UpstreamForbidden || code === 'UPSTREAM_UNAUTHORIZED')
    return new Blocked('the marketplace does not let us in', { cause: error })
  if (error instanceof UpstreamError) return new Wait(error.retryAfterMs, error)
  if (code.startsWith('UPSTREAM_')) return new Wait(undefined, error)
  throw error
}

/** Stops a launch whose question to the marketplace failed: throws Blocked or Wait, or a defect of ours. */
export function stopBy(error: unknown): never {
  const failure = failureOf(error)
  throw typeof failure === 'string' ? new Wait(undefined, error) : failure
}
