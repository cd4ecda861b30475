import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, errorStatus, type Problem } from '#shared/errors.ts'

const codeOfStatus: Record<number, ConstructorParameters<typeof AppError>[0]> = {
  404: 'NOT_FOUND',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
}

/** Any failure as an error that the caller may see; details of our own become INTERNAL. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const status = (error as Partial<FastifyError>).statusCode
  if (status === 413) return new AppError('PAYLOAD_TOO_LARGE', 'The request is too large.', { cause: error })
  const isClientError = status !== undefined && status >= 400 && status < 500
  const code = isClientError ? (codeOfStatus[status] ?? 'VALIDATION_FAILED') : undefined
  if (code) return new AppError(code, (error as Error).message, { cause: error })
  return new AppError('INTERNAL', 'Something went wrong on our side. Please try again.', { cause: error })
}

// A request must not be answered by a much larger response: neither by many problems nor by long quotes.
const maxTextLength = 300
const maxListBytes = 8 * 1024

const truncate = (text: string): string =>
  text.length > maxTextLength ? `${text.slice(0, maxTextLength).toWellFormed()}…` : text

function fitting<T>(items: readonly T[], cutItem: (item: T) => T): T[] {
  let bytes = 0
  const fits: T[] = []
  for (const item of items) {
    const cut = cutItem(item)
    bytes += Buffer.byteLength(JSON.stringify(cut))
    if (bytes > maxListBytes) break
    fits.push(cut)
  }
  return fits
}

const cutFields = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(fitting(Object.entries(fields), ([name, message]) => [truncate(name), truncate(message)]))

/** Sends the error body that all failures share. Its lists are cut after a few kilobytes. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown) {
  const problem = toAppError(error)
  const status = errorStatus[problem.code]
  if (status >= 500)
    request.log.error({ err: problem.cause ?? problem, code: problem.code, requestId: request.id }, 'a request failed')
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(problem.retryAfterSeconds))
  const body: Problem = {
    errorCode: problem.code,
    message: truncate(problem.message),
    details: fitting(problem.details, truncate),
    requestId: request.id,
  }
  const { fields, ...extra } = problem.extra
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .send({ ...body, ...extra, ...(fields && { fields: cutFields(fields) }) })
}
