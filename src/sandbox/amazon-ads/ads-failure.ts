import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { VendorVoice } from '../core/vendor-voice.ts'
import type { World } from '../core/world.ts'
import { plainText } from './plain-text.ts'

/** A whole request refused. `body` is the vendor's own wording, which differs by family of calls. */
export class AdsFailure extends Error {
  readonly status: number
  readonly body: Record<string, unknown>

  constructor(status: number, body: Record<string, unknown>) {
    super(plainText(body.message ?? body.details ?? body.detail ?? status))
    this.status = status
    this.body = body
  }
}

/** As the gateway before all families says it. */
export const gatewayFailure = (status: number, code: string, details: string): AdsFailure =>
  new AdsFailure(status, { code, details, requestId: randomUUID() })

/** As Sponsored Products v3 refuses a whole request. */
export const invalidArgument = (message: string): AdsFailure =>
  new AdsFailure(400, { code: 'INVALID_ARGUMENT', message })

/** A value outside its list, in the wording that real callers have seen; case counts. */
export const badEnum = (value: unknown, at: string, allowed: readonly string[]): AdsFailure =>
  invalidArgument(
    `1 validation error detected: Value '${shown(value)}' at '${at}' failed to satisfy constraint: Member must satisfy enum value set: [${allowed.join(', ')}]`,
  )

const shown = (value: unknown): string => (Array.isArray(value) ? `[${value.join(', ')}]` : String(value))

/** As reporting refuses. */
export const reportingFailure = (status: number, detail: string): AdsFailure =>
  new AdsFailure(status, { code: String(status), detail })

/** Answers thrown failures in their own words, and anything else as the marketplace's internal error. */
export const handleFailures = (app: FastifyInstance): void => {
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof AdsFailure) return reply.code(error.status).send(error.body)
    const status = (error as { statusCode?: number }).statusCode ?? 500
    const message = error instanceof Error ? error.message : 'Internal error'
    return reply.code(status).send({ code: status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL_ERROR', message })
  })
}

const said = (status: number, code: string, text: string) => ({
  status,
  body: { code, message: text, details: text, detail: text, requestId: randomUUID() },
})

/** How the advertising API words the failures that are ordered by a fault: all families' fields at once. */
export const adsVoice = (world: World): VendorVoice => ({
  throttled: () => said(429, 'THROTTLED', 'Too Many Requests'),
  failed: status => said(status, status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL_ERROR', `Request failed with ${status}`),
  expiredToken: () => said(401, 'UNAUTHORIZED', 'Not authorized to access this resource: the access token has expired'),
  revokedGrant(request) {
    const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (token) world.lwa.revoke(token)
    return said(401, 'UNAUTHORIZED', 'Not authorized to access this resource')
  },
})
