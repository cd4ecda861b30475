import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, errorStatus, type Problem } from '#shared/errors.ts'

const ofStatus: Record<number, ConstructorParameters<typeof AppError>[0]> = {
  400: 'VALIDATION_FAILED',
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'RATE_LIMITED',
}

/** Any failure as one the caller may be told; what is nobody's business becomes INTERNAL. */
export const toAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error
  const status = (error as Partial<FastifyError>).statusCode
  const code = status === undefined ? undefined : ofStatus[status]
  if (code) return new AppError(code, (error as Error).message, { cause: error })
  const sqlState = (error as { code?: string }).code
  if (sqlState === '57P01' || sqlState === 'ECONNREFUSED' || sqlState === 'ECONNRESET')
    return new AppError('SHUTTING_DOWN', 'The service is restarting. Please try again.', {
      cause: error,
      retryAfterSeconds: 2,
    })
  return new AppError('INTERNAL', 'Something went wrong on our side. Please try again.', { cause: error })
}

/** Answers with the body every failure has. */
export const sendProblem = (request: FastifyRequest, reply: FastifyReply, error: unknown) => {
  const problem = toAppError(error)
  const status = errorStatus[problem.code]
  if (status >= 500) request.log.error({ err: problem.cause ?? problem, code: problem.code }, 'a request failed')
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(problem.retryAfterSeconds))
  const body: Problem = {
    errorCode: problem.code,
    message: problem.message,
    details: problem.details,
    requestId: request.id,
  }
  return reply.code(status).send({ ...body, ...problem.extra })
}
