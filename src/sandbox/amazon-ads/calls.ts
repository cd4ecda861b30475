import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../core/world.ts'
import { type AdsCaller, readCaller, readObject } from './ads-caller.ts'
import type { Item } from './entities/read-fields.ts'
import { type Media, type Negotiated, requireAccept, requireMedia } from './media-types.ts'

interface Exchange extends Negotiated {
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
  answer: (caller: AdsCaller, body: Item, exchange: Exchange) => unknown
}

export function registerCalls(app: FastifyInstance, world: World, region: RegionKey, calls: readonly Call[]): void {
  for (const { method = 'POST', path, media, accepts, read = readObject, type, status = 200, answer } of calls)
    app.route({
      method,
      url: path,
      handler(request, reply) {
        const caller = readCaller(request, world, region)
        if (accepts) requireAccept(request, accepts, 406)
        const negotiated = media ? requireMedia(request, media) : { content: null, accept: null }
        const body = media ? read(request) : {}
        const { query, params } = request as Pick<Exchange, 'query' | 'params'>
        const result = answer(caller, body, { request, reply, query, params, ...negotiated })
        void reply.code(status)
        if (type) void reply.type(type)
        return reply.hasHeader('content-type') ? JSON.stringify(result) : result
      },
    })
}
