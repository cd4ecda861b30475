import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorWording } from '../core/error-wording.ts'
import { AdsFailure, familyFailure, gatewayFailure, pathBelowHost } from './ads-failure.ts'

const send = (reply: FastifyReply, { status, body }: AdsFailure): FastifyReply => reply.code(status).send(body)

/** Some calls have their own fields for every error, whichever part of the service raises it. */
function worded({ url }: FastifyRequest, failure: AdsFailure): AdsFailure {
  const path = pathBelowHost(url)
  const { status, body, message } = failure
  if (/^\/(exports\/|\w+\/export$)/.test(path)) return new AdsFailure(status, { ...body, message })
  if (body.requestId !== undefined) return failure
  if (path.startsWith('/recommendations/')) return familyFailure({ url }, status, message)
  // It has fewer statuses than its siblings, too.
  if (path.endsWith('/initialBudgetRecommendation')) return familyFailure({ url }, status === 415 ? 415 : 400, message)
  return failure
}

/**
 * Answers errors in the wording of the called family: thrown failures, unknown paths and methods, errors of
 * the server itself, and anything else as the marketplace's internal error.
 */
export function handleFailures(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => {
    const path = pathBelowHost(request.url)
    const text = path.startsWith('/v2/')
      ? 'Method Not Found'
      : `Could not find resource for full path: https://${request.host}${path}`
    return send(reply, gatewayFailure(404, 'NOT_FOUND', text))
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof AdsFailure) return send(reply, worded(request, error))
    const status = error.statusCode ?? 500
    return send(reply, familyFailure(request, status, status < 500 ? error.message : 'Internal Server Error'))
  })
}

const texts: Record<number, string> = {
  400: 'Invalid request',
  403: 'Access denied',
  404: 'The resource was not found',
  422: 'The request could not be processed',
  429: 'Too Many Requests',
}

const ofFamily = (request: FastifyRequest, status: number): AdsFailure =>
  familyFailure(request, status, texts[status] ?? 'Internal Server Error')
// Tokens are looked at by the gateway, before any family.
const unauthorized = (details: string): AdsFailure => gatewayFailure(401, 'UNAUTHORIZED', details)
const expiredToken = () => unauthorized('HTTP 401 Unauthorized: the access token is invalid or has expired')

export const adsErrorWording: ErrorWording = {
  statesRetryAfter: true,
  throttled: request => ofFamily(request, 429),
  failed: (request, status) =>
    status === 401 ? unauthorized('Not authorized to access this resource') : ofFamily(request, status),
  expiredToken,
  revokedGrant(request, revoke) {
    const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (token) revoke(token)
    return expiredToken()
  },
}
