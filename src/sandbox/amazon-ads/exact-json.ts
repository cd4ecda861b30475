import type { FastifyRequest } from 'fastify'
import type { EntityId } from '../core/model/store.ts'
import { gatewayFailure } from './ads-failure.ts'

// Node has both halves of this proposal; the type library has neither.
const exact = JSON as unknown as {
  rawJSON(text: string): object
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
}

/** An id as the whole number that the older calls write, with all of its digits. */
export const wholeId = (id: EntityId): object => exact.rawJSON(id)

/** JSON in which whole numbers too long for a double come as their digits. Throws when it cannot be read. */
export function parseExactly(text: string): unknown {
  return exact.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? source : value,
  )
}

/** The request's body as JSON; whole numbers too long for a double come as their digits. Throws 400 when unreadable. */
export function readExactJson(request: FastifyRequest): unknown {
  try {
    return parseExactly(typeof request.body === 'string' ? request.body : '')
  } catch {
    throw gatewayFailure(400, 'INVALID_ARGUMENT', 'Could not parse the request body')
  }
}
