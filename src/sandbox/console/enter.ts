import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { consoleCookie, isControlToken, mayUseConsole } from '../core/control-token.ts'
import { hiddenFields, type Html, html, page, trusted } from '../core/html.ts'
import type { World } from '../core/world.ts'
import { backOf, sendHtml } from './send-html.ts'

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
    const { token = '', back = '/' } = (request.body ?? {}) as { token?: string; back?: string }
    if (isControlToken(world, String(token).trim()))
      return reply.header('set-cookie', consoleCookie(world)).redirect(backOf(back), 303)
    return sendHtml(reply, enterPage(backOf(back), 'That is not the token of this emulator.'), 403, policy)
  })
}
