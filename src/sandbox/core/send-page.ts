import type { FastifyReply } from 'fastify'
import type { Html } from './html.ts'

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
