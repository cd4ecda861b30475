import type { FastifyReply } from 'fastify'

/** Answers with a page that is neither kept nor named to where it leads, as pages of consent are. */
export const sendPage = (reply: FastifyReply, status: number, html: string): FastifyReply =>
  reply
    .code(status)
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    .type('text/html; charset=utf-8')
    .send(html)

/** Sends a browser back to an application with what it is told; undefined values are left out. */
export const sendBack = (
  reply: FastifyReply,
  address: string,
  values: Record<string, string | undefined>,
): FastifyReply => {
  const url = new URL(address)
  for (const [name, value] of Object.entries(values)) if (value !== undefined) url.searchParams.set(name, value)
  return reply.header('referrer-policy', 'no-referrer').redirect(url.toString(), 302)
}
