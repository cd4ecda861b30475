import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#shared/define-endpoint.ts'
import { AppError, errorStatus } from '#shared/errors.ts'
import type { Actor, Services } from '../context.ts'

type Detail = string | number | boolean

/** What is recorded of a call that somebody makes for another account. */
export interface ManagedCall {
  accountId: number
  manager: NonNullable<Actor['managedBy']>
  sessionId: string
  requestId: string
  endpoint: Pick<Endpoint, 'method' | 'path' | 'summary'>
  /** The ids and values that were sent, by name. */
  details: Record<string, Detail[]>
  /** BEGUN before a change, ENDED after it; WHOLE for a read, which has one entry. */
  phase: 'BEGUN' | 'ENDED' | 'WHOLE'
  /** Null for what has only begun. */
  status: number | null
  errorCode: string | null
}

/** Resolves when the call is recorded for good. */
export type RecordManagedCall = (call: ManagedCall) => Promise<void>

declare module 'fastify' {
  interface FastifyRequest {
    /** What was recorded of it so far. */
    managedCall: 'NOTHING' | 'BEGUN' | 'ALL'
  }
}

interface Options {
  recordManagedCall?: RecordManagedCall
  services: Pick<Services, 'log'>
}

/**
 * Records each call of a manager: a read before it is answered, anything else before it is made and again with its outcome.
 * What cannot be recorded is not made, and not answered. Calls for the own account pass.
 */
export function createManagedCalls({ recordManagedCall, services }: Options) {
  const record = async (request: FastifyRequest, endpoint: ManagedCall['endpoint'], outcome: Outcome) => {
    const { actor } = request
    if (!actor?.managedBy) return
    if (!recordManagedCall) throw new Error('Nothing records the calls of managers.')
    const { accountId, managedBy: manager, sessionId } = actor
    const { method, path, summary } = endpoint
    const [params, query, body] = [request.params, request.query, request.body]
    await recordManagedCall({
      accountId,
      manager,
      sessionId,
      requestId: request.id,
      endpoint: { method, path, summary },
      details: detailsOf({ params, query, body }),
      ...outcome,
    })
  }
  return {
    /** To be called before a call is made that may change something. Throws UNAVAILABLE. */
    begin: async (request: FastifyRequest, endpoint: Endpoint): Promise<void> => {
      if (!request.actor?.managedBy || endpoint.method === 'GET') return
      try {
        await record(request, endpoint, { phase: 'BEGUN', status: null, errorCode: null })
      } catch (cause) {
        throw notRecorded(cause)
      }
      request.managedCall = 'BEGUN'
    },

    /** To be called before the answer is sent. Throws UNAVAILABLE for a read; a change that was made is answered. */
    end: async (request: FastifyRequest, endpoint: ManagedCall['endpoint'], status: number): Promise<void> => {
      if (!request.actor?.managedBy) return
      const isBegun = request.managedCall === 'BEGUN'
      try {
        await record(request, endpoint, { phase: isBegun ? 'ENDED' : 'WHOLE', status, errorCode: null })
      } catch (cause) {
        if (!isBegun) throw notRecorded(cause)
        services.log.error({ err: cause, requestId: request.id }, 'the outcome of a managed call was not recorded')
      }
      request.managedCall = 'ALL'
    },

    /** To be called when a call failed, wherever. Never rejects. */
    fail: async (
      request: FastifyRequest,
      endpoint: Endpoint,
      error: Error & { statusCode?: number },
    ): Promise<void> => {
      if (!request.actor?.managedBy || request.managedCall === 'ALL') return
      const status = error instanceof AppError ? errorStatus[error.code] : (error.statusCode ?? 500)
      const errorCode = error instanceof AppError ? error.code : status < 500 ? 'VALIDATION_FAILED' : 'INTERNAL'
      const phase = request.managedCall === 'BEGUN' ? 'ENDED' : 'WHOLE'
      await record(request, endpoint, { phase, status, errorCode }).catch((cause: unknown) => {
        services.log.error({ err: cause, requestId: request.id }, 'a failed managed call was not recorded')
      })
    },
  }
}
type Outcome = Pick<ManagedCall, 'phase' | 'status' | 'errorCode'>

const notRecorded = (cause: unknown) =>
  new AppError(
    'UNAVAILABLE',
    'What is done for a user must be recorded, which is not possible now. Nothing was done.',
    {
      cause,
      retryAfterSeconds: 5,
    },
  )

const maxDetails = 2000
const secretName = /password|token|secret|code|auth|p256dh|endpoint|email|name/i

/** Ids, numbers and constants of a request, by name. Texts that people write are left out, and what may be a secret. */
function detailsOf(input: unknown): Record<string, Detail[]> {
  const details: Record<string, Detail[]> = {}
  let count = 0
  const collect = (name: string, value: unknown, depth: number): void => {
    if (count >= maxDetails || depth > 6) return
    if (Array.isArray(value)) for (const one of value) collect(name, one, depth + 1)
    else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) collect(key, one, depth + 1)
    else if (isDetail(value) && !secretName.test(name) && /^[A-Za-z]\w{0,40}$/.test(name)) {
      count += 1
      ;(details[name] ??= []).push(value)
    }
  }
  collect('', input, 0)
  return details
}

function isDetail(value: unknown): value is Detail {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'boolean' || (typeof value === 'string' && /^([A-Z0-9_.:-]{1,40}|[0-9a-f-]{36})$/.test(value))
}
