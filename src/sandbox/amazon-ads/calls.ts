import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../core/world.ts'
import { type AdsCaller, readCaller, readObject } from './ads-caller.ts'
import type { Item } from './entities/read-fields.ts'
import { type Media, type Negotiated, requireMedia } from './media-types.ts'

interface Exchange extends Negotiated {
  request: FastifyRequest
  reply: FastifyReply
}

/** A call of a profile that is about no entity of its own: a path, what it takes and gives, and its answer. */
export interface Call {
  /** POST unless it is said. */
  method?: 'GET'
  path: string
  /** Of the body; a call without has none. */
  media?: Media
  /** Media type of the answer: plain JSON unless it is named here, or by the answer itself. */
  type?: string
  status?: number
  answer: (caller: AdsCaller, body: Item, exchange: Exchange) => unknown
}

export function registerCalls(app: FastifyInstance, world: World, region: RegionKey, calls: readonly Call[]): void {
  for (const { method = 'POST', path, media, type, status = 200, answer } of calls)
    app.route({
      method,
      url: path,
      handler(request, reply) {
        const caller = readCaller(request, world, region)
        const negotiated = media ? requireMedia(request, media) : { content: null, accept: null }
        const body = media ? readObject(request) : {}
        const result = answer(caller, body, { request, reply, ...negotiated })
        void reply.code(status)
        if (type) void reply.type(type)
        return reply.hasHeader('content-type') ? JSON.stringify(result) : result
      },
    })
}
