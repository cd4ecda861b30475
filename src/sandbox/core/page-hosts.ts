import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { World } from './world.ts'

/**
 * Hook for pages that people read: answers only under a name that is meant for this machine. A foreign name that somebody
 * points at this machine would let the pages of that name read ours. An address of numbers cannot be pointed anywhere.
 */
export function onlyOwnHosts(world: World) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const name = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? ''
    const isLocal = name === 'localhost' || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) !== 0
    if (isLocal || name === URL.parse(world.config.publicUrl)?.hostname) return undefined
    return reply.code(421).send({
      error: `These pages do not answer as ${name}; set SANDBOX_PUBLIC_URL to the address that is to be used.`,
    })
  }
}
