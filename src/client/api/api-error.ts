import type { ErrorCode, Problem } from '#shared/errors.ts'

/** The server refused: the status and the body that says why. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly problem: Problem
  /** What the body held beside the problem, for instance `current` of a version conflict. */
  readonly extra: Record<string, unknown>
  constructor(status: number, problem: Problem, extra: Record<string, unknown> = {}) {
    super(problem.message)
    this.status = status
    this.problem = problem
    this.extra = extra
  }
  get code(): ErrorCode {
    return this.problem.errorCode
  }
}

/** The server answered with something that the contract does not allow. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError'
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
  }
}

/** No answer of ours came: no network, not within the time allowed, or something between us and the server failed. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly timedOut: boolean
  /** What something in between answered, such as the page of a proxy. */
  readonly status: number | undefined
  constructor(timedOut: boolean, cause: unknown, status?: number) {
    super(
      timedOut
        ? 'Tideline took too long to answer. Please try again.'
        : 'Tideline could not be reached. Please check your connection.',
      { cause },
    )
    this.timedOut = timedOut
    this.status = status
  }
}

/** True for the answer that there is no such thing, which is often knowledge rather than a failure. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404

export function failureMessage(error: unknown, fallback = 'Something went wrong. Please try again.'): string {
  return error instanceof ApiError || error instanceof NetworkError || error instanceof ShapeError
    ? error.message || fallback
    : fallback
}
