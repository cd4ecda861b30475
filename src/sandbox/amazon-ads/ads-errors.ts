import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorWording } from '../core/error-wording.ts'
import type { World } from '../core/world.ts'
import { AdsFailure, gatewayFailure } from './ads-failure.ts'
import { failureBody, familyFailure, pathBelowHost } from './failure-shape.ts'

const send = (reply: FastifyReply, { status, body }: AdsFailure): FastifyReply => reply.code(status).send(body)

/** Exports and the account's recommendations promise a `message` with every error, whichever part of the service raises it. */
function worded({ url }: FastifyRequest, failure: AdsFailure): AdsFailure {
  const path = pathBelowHost(url)
  if (path.startsWith('/recommendations/') && failure.body.requestId === undefined)
    return familyFailure({ url }, failure.status, failure.message)
  if (!/^\/(exports\/|\w+\/export$)/.test(path)) return failure
  return new AdsFailure(failure.status, { ...failure.body, message: failure.message })
}

function unknownPath(request: FastifyRequest): AdsFailure {
  return gatewayFailure(
    404,
    'NOT_FOUND',
    pathBelowHost(request.url).startsWith('/v2/')
      ? 'Method Not Found'
      : `Could not find resource for full path: https://${request.host}${pathBelowHost(request.url)}`,
  )
}

/**
 * Answers errors in the wording of the called family: thrown failures, unknown paths and methods, errors of
 * the server itself, and anything else as the marketplace's internal error.
 */
export function handleFailures(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => send(reply, unknownPath(request)))
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof AdsFailure) return send(reply, worded(request, error))
    const status = error.statusCode ?? 500
    return send(reply, familyFailure(request, status, status < 500 ? error.message : 'Internal Server Error'))
  })
}

const texts: Record<number, string> = {
  400: 'Invalid request',
  401: 'Not authorized to access this resource',
  403: 'Access denied',
  404: 'The resource was not found',
  422: 'The request could not be processed',
  429: 'Too Many Requests',
}

/** How the advertising API words injected faults: each family with its own fields. */
export const adsErrorWording = (world: World): ErrorWording => {
  const ofFamily = ({ url }: FastifyRequest, status: number) => ({
    status,
    body: failureBody(pathBelowHost(url), status, texts[status] ?? 'Internal Server Error'),
  })
  // Tokens are looked at by the gateway, before any family.
  const ofGateway = (status: number, code: string, text: string) => ({
    status,
    body: gatewayFailure(status, code, text).body,
  })
  return {
    statesRetryAfter: true,
    throttled: request => ofFamily(request, 429),
    failed(request, status) {
      if (status === 401) return ofGateway(401, 'UNAUTHORIZED', 'Not authorized to access this resource')
      return ofFamily(request, status)
    },
    expiredToken: () =>
      ofGateway(401, 'UNAUTHORIZED', 'HTTP 401 Unauthorized: the access token is invalid or has expired'),
    revokedGrant(request) {
      const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
      if (token) world.lwa.revoke(token)
      return ofGateway(401, 'UNAUTHORIZED', 'HTTP 401 Unauthorized: the access token is invalid or has expired')
    },
  }
}
