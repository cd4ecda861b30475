import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { consoleCookie, isControlToken, mayUseConsole } from '../core/control-token.ts'
import { hiddenFields, type Html, html, page, textFields, trusted } from '../core/html.ts'
import type { World } from '../core/world.ts'

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

// The printed link has the token behind the #, which browsers do not send, so no log and no Referer header contains it.
const script = `const token = location.hash.slice(1)
if (token) {
  history.replaceState(null, '', location.pathname)
  document.getElementById('token').value = token
  document.forms[0].submit()
}`
const policy = `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`

function enterPage(back: string, problem: string | null): Html {
  return page(
    'Open the console',
    html`${problem && html`<p role="alert">${problem}</p>`}
<p>Open the console with the link that is printed when the emulator starts, or enter its token here. With a data folder, the file <code>control-token</code> in it contains the token.</p>
<form method="post" action="/console/enter">${hiddenFields({ back })}
<label>Token <input id="token" name="token" type="password" autocomplete="off" required></label>
<button>Open</button></form><script>${trusted(script)}</script>`,
  )
}

/** Hook: shows the entry page to browsers without the console's cookie, and rejects their forms. */
export function onlyEntered(world: World) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (mayUseConsole(world, request)) return undefined
    const problem = request.method === 'GET' ? null : 'Nothing was changed: open the console first.'
    return sendHtml(reply, enterPage(backOf(request.method === 'GET' ? request.url : '/'), problem), 401, policy)
  }
}

/** The entry page: a browser sends the token once and gets a cookie. */
export function registerEnter(app: FastifyInstance, world: World): void {
  app.get('/console/enter', (_request, reply) => sendHtml(reply, enterPage('/', null), 200, policy))
  app.post('/console/enter', (request, reply) => {
    const { token = '', back } = textFields(request.body)
    if (isControlToken(world, token.trim()))
      return reply.header('set-cookie', consoleCookie(world)).redirect(backOf(back), 303)
    return sendHtml(reply, enterPage(backOf(back), 'That is not the token of this emulator.'), 403, policy)
  })
}
