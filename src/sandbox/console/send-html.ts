import type { FastifyReply } from 'fastify'

/** Sends a page of the console. `script` is a content security policy for the page's own script; without it none runs. */
export const sendHtml = (reply: FastifyReply, text: string, status = 200, script = ''): FastifyReply =>
  reply
    .code(status)
    .headers({
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'${script && `; ${script}`}`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .type('text/html; charset=utf-8')
    .send(text)

/** An address that leads back to a page of the console, never to another site; anything else leads to the first page. */
export const backOf = (address: unknown): string =>
  typeof address === 'string' && /^\/(console\/[\w/-]*(\?[^\s\\]*)?)?$/.test(address) ? address : '/'
