import { randomUUID } from 'node:crypto'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorWording } from '../core/error-wording.ts'

/** Any JSON value as text: a string as it is, anything else as JSON; nothing is empty. */
export const plainText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

/** An error that fails a whole request. `body` is the vendor's wording, which differs by API family. */
export class AdsFailure extends Error {
  readonly status: number
  readonly body: Record<string, unknown>

  constructor(status: number, body: Record<string, unknown>) {
    super(plainText(body.message ?? body.details ?? body.detail ?? status))
    this.status = status
    this.body = body
  }
}

/** An error of the gateway in front of all families. */
export const gatewayFailure = (status: number, code: string, details: string): AdsFailure =>
  new AdsFailure(status, { code, details, requestId: randomUUID() })

/** The gateway's error for a request that the older families cannot take. */
export const badRequest = (details: string): AdsFailure => gatewayFailure(400, 'INVALID_ARGUMENT', details)
/** Their framework's error for JSON that it cannot read. */
export const unprocessable = (details = 'A JSON parsing error was encountered'): AdsFailure =>
  gatewayFailure(422, 'UNPROCESSABLE_ENTITY', details)

/** An error of Sponsored Products v3 for a whole request. */
export const invalidArgument = (message: string): AdsFailure =>
  new AdsFailure(400, { code: 'INVALID_ARGUMENT', message })

/** A value outside its list, in the wording that real callers have seen; case counts. */
export function badEnum(value: unknown, at: string, allowed: readonly string[]): AdsFailure {
  const shown = Array.isArray(value) ? `[${value.join(', ')}]` : String(value)
  return invalidArgument(
    `1 validation error detected: Value '${shown}' at '${at}' failed to satisfy constraint: Member must satisfy enum value set: [${allowed.join(', ')}]`,
  )
}

export const reportingFailure = (status: number, detail: string): AdsFailure =>
  new AdsFailure(status, { code: String(status), detail })

const words: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHORIZED',
  403: 'ACCESS_DENIED',
  404: 'NOT_FOUND',
  406: 'NOT_ACCEPTABLE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_ENTITY',
  429: 'THROTTLED',
}
const wordOf = (status: number): string => words[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL_ERROR')

type Shape = (status: number, text: string) => Record<string, unknown>
const numberAndDetails: Shape = (status, details) => ({ code: String(status), details })

// The first pattern that matches the path below the region counts; the last is the gateway's.
const shapes: readonly [RegExp, Shape][] = [
  [/^\/reporting\//, (status, detail) => ({ code: String(status), detail })],
  [/^\/(exports\/|\w+\/export$)|^\/sp\/campaigns\/initialBudgetRecommendation$/, (_status, message) => ({ message })],
  [/^\/(history|testAccounts|eligibility\/|product\/|\w+\/localize)/, numberAndDetails],
  [/^\/\w+\/(\w+\/)?budget\/usage$|^\/sp\/campaigns\/budgetRecommendations$/, numberAndDetails],
  [/^\/sp\/targets\/(\w+\/recommendations|categor|products\/count)|^\/sb\/targets\/categories$/, numberAndDetails],
  [/^\/recommendations\//, (status, message) => ({ code: String(status), message })],
  [/^\/(sp|portfolios|sb\/v4|streams)\b/, (status, message) => ({ code: wordOf(status), message })],
  [/^/, (status, details) => ({ code: wordOf(status), details })],
]

export const pathBelowHost = (url: string): string => (url.split('?')[0] ?? '').replace(/^\/ads\/\w+/, '')

/** An error of a whole request in the wording of the API family behind its path. */
export function familyFailure({ url }: { url: string }, status: number, text: string): AdsFailure {
  const path = pathBelowHost(url)
  const [, shape] = shapes.find(([fits]) => fits.test(path)) as (typeof shapes)[number]
  return new AdsFailure(status, shape(status, text))
}

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
