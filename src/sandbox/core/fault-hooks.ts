import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Fault, type FaultKind, placeOfPath } from './faults.ts'
import type { JournalEntry } from './request-journal.ts'
import { sendError } from './error-wording.ts'
import type { World } from './world.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The fault that affects this request, if any; rooms read it for the kinds that they carry out. */
    fault: Fault | null
    journalEntry: JournalEntry | null
  }
}

/** The fault of this kind that the request met, for rooms that carry it out themselves; else null. */
export const faultOf = (request: FastifyRequest, kind: FaultKind): Fault | null =>
  request.fault?.kind === kind ? request.fault : null

function garble(payload: unknown): unknown {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return '{"'
  return payload.length > 1 ? payload.slice(0, Math.ceil(payload.length / 2)) : '{"'
}

/** Logs every request except control calls, and applies the injected faults to it. */
export function registerFaults(app: FastifyInstance, world: World): void {
  app.decorateRequest('fault', null)
  app.decorateRequest('journalEntry', null)

  app.addHook('onRequest', async request => {
    const [requestedPath = '/', query = ''] = request.raw.url?.split('?') ?? []
    // Clients of the queue's protocol post to the root, whatever the queue's address.
    const path = requestedPath === '/' && request.headers['x-amz-target'] ? '/sqs' : requestedPath
    // The way into the console is left out as well: the journal must not hold the token.
    if (path.startsWith('/control/') || path === '/console/enter' || path === '/healthz') return
    const { vendor } = placeOfPath(request.method, path)
    const { method, headers } = request
    request.journalEntry = world.journal.open({
      at: world.clock.now().toISOString(),
      vendor,
      method,
      path,
      query,
      headers,
    })
  })

  app.addHook('preHandler', async (request, reply) => {
    const entry = request.journalEntry
    if (!entry) return
    world.journal.setBody(entry, request.body)
    const fault = world.faults.take(placeOfPath(entry.method, entry.path))
    request.fault = fault
    if (!fault) return
    entry.fault = fault.kind
    const wording = world.wordingOf(entry.vendor)
    if (fault.kind === 'throttle') {
      const seconds = fault.retryAfterSeconds === undefined && wording.statesRetryAfter ? 1 : fault.retryAfterSeconds
      if (typeof seconds === 'number') void reply.header('retry-after', String(seconds))
      return sendError(reply, wording.throttled(request))
    }
    if (fault.kind === 'status') {
      const spoken = wording.failed(request, fault.status)
      return sendError(reply, fault.body === undefined ? spoken : { ...spoken, body: fault.body })
    }
    if (fault.kind === 'expired-token') return sendError(reply, wording.expiredToken(request))
    const revoke = (token: string): void => world.lwa.revoke(token)
    if (fault.kind === 'revoked-grant') return sendError(reply, wording.revokedGrant(request, revoke))
    if (fault.kind === 'slow') await world.faults.delay(fault)
    if (fault.kind === 'hang') return reply.hijack()
    if (fault.kind === 'drop-before') {
      reply.hijack()
      request.raw.socket.destroy()
      return reply
    }
    return undefined
  })

  app.addHook('onSend', async (request, reply, payload) => {
    if (faultOf(request, 'malformed')) {
      void reply.removeHeader('content-length')
      return garble(payload)
    }
    if (faultOf(request, 'drop-after')) request.raw.socket.destroy()
    return payload
  })

  app.addHook('onResponse', async (request, reply) => {
    if (request.journalEntry && !faultOf(request, 'drop-after')) request.journalEntry.status = reply.statusCode
  })
}

/** Answers a request with an unreadable address in its vendor's error format. */
export function sendAddressError(
  world: World,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const [path = '/'] = request.raw.url?.split('?') ?? []
  const { vendor } = placeOfPath(request.method, path)
  return sendError(reply, world.wordingOf(vendor).failed(request, error.statusCode ?? 400))
}
