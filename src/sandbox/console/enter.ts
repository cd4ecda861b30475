import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { consoleCookie, isControlToken, mayUseConsole } from '../core/control-token.ts'
import { escapeHtml, page } from '../core/html-page.ts'
import type { World } from '../core/world.ts'
import { backOf, sendHtml } from './send-html.ts'

// The link that is printed at start has the token behind the #, which browsers do not send: no log and no Referer has it.
const script = `const token = location.hash.slice(1)
if (token) {
  history.replaceState(null, '', location.pathname)
  document.getElementById('token').value = token
  document.forms[0].submit()
}`
const policy = `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`

const enterPage = (back: string, problem: string | null): string =>
  page(
    'Open the console',
    `${problem ? `<p role="alert">${escapeHtml(problem)}</p>` : ''}
<p>Open the console by the link that is printed when the emulator starts, or enter its token here. With a data folder, the file <code>control-token</code> in it holds the token.</p>
<form method="post" action="/console/enter"><input type="hidden" name="back" value="${escapeHtml(back)}">
<label>Token <input id="token" name="token" type="password" autocomplete="off" required></label>
<button>Open</button></form><script>${script}</script>`,
  )

/** Hook: shows the way in to browsers that were not let into the console yet, and refuses their forms. */
export const onlyEntered =
  (world: World) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (mayUseConsole(world, request)) return undefined
    const problem = request.method === 'GET' ? null : 'Nothing was changed: open the console first.'
    return sendHtml(reply, enterPage(backOf(request.method === 'GET' ? request.url : '/'), problem), 401, policy)
  }

/** The way into the console: a browser shows the token once and gets a cookie. */
export const registerEnter = (app: FastifyInstance, world: World): void => {
  app.get('/console/enter', (_request, reply) => sendHtml(reply, enterPage('/', null), 200, policy))
  app.post('/console/enter', (request, reply) => {
    const { token = '', back = '/' } = (request.body ?? {}) as { token?: string; back?: string }
    if (isControlToken(world, String(token).trim()))
      return reply.header('set-cookie', consoleCookie(world)).redirect(backOf(back), 303)
    return sendHtml(reply, enterPage(backOf(back), 'That is not the token of this emulator.'), 403, policy)
  })
}
