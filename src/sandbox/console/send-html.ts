import type { FastifyReply } from 'fastify'
import type { Html } from '../core/html.ts'

/** Sends a page of the console. `script` is a content security policy for the page's own script; without it none runs. */
export function sendHtml(reply: FastifyReply, page: Html, status = 200, script = ''): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'${script && `; ${script}`}`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .type('text/html; charset=utf-8')
    .send(page.toString())
}

/** An address on the console to return to. Any other address, such as another site's, becomes the first page. */
export function backOf(address: unknown): string {
  return typeof address === 'string' && /^\/(console\/[\w/-]*(\?[^\s\\]*)?)?$/.test(address) ? address : '/'
}
