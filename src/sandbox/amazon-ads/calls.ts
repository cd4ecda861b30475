import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AdsCaller } from './ads-caller.ts'
import type { Item } from './entities/read-fields.ts'
import type { Media, Negotiated } from './media-types.ts'

export interface Exchange extends Negotiated {
  request: FastifyRequest
  reply: FastifyReply
  /** Of the address. */
  query: Record<string, string | undefined>
  params: Record<string, string | undefined>
}

/** A call of a profile: what it takes, what it gives, and its answer. */
export interface Call {
  /** POST unless it is said. */
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** Of the body; a call without has none. */
  media?: Media
  /** What Accept may name where there is no body. */
  accepts?: readonly string[]
  /** Reads the body, where it is no object. */
  read?: (request: FastifyRequest) => Item
  /** Media type of the answer: plain JSON unless it is named here, or by the answer itself. */
  type?: string
  status?: number
  /** A body, or the promise of one. */
  answer: (caller: AdsCaller, body: Item, exchange: Exchange) => unknown
}
