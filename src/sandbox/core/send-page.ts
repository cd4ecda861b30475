import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Html } from './html.ts'
import { isIP } from 'node:net'
import type { World } from './world.ts'

/** Sends a page that must not be cached, and whose address must not leak to the pages it links to. */
export function sendPage(reply: FastifyReply, status: number, page: Html): FastifyReply {
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .type('text/html; charset=utf-8')
    .send(page.toString())
}

/** Redirects a browser back to an application with these query parameters; undefined values are left out. */
export function sendBack(
  reply: FastifyReply,
  address: string,
  values: Record<string, string | undefined>,
): FastifyReply {
  const url = new URL(address)
  for (const [name, value] of Object.entries(values)) if (value !== undefined) url.searchParams.set(name, value)
  return reply.header('referrer-policy', 'no-referrer').redirect(url.toString(), 302)
}

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
