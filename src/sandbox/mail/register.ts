import type { FastifyInstance } from 'fastify'
import { onlyWithToken } from '../core/control-token.ts'
import { html, page } from '../core/html.ts'
import { onlyOwnHosts } from '../core/page-hosts.ts'
import type { World } from '../core/world.ts'
import { letterPage, listPage } from './outbox-page.ts'
import { outboxOf } from './outbox.ts'

const HTML = 'text/html; charset=utf-8'
const STATE_NAME = 'mail'

/** The outbox: pages under /mail for people, /control/mail for tests. It survives a restart, and a reset empties it. */
export function registerMail(app: FastifyInstance, world: World): void {
  const outbox = outboxOf(world)
  world.registerState(STATE_NAME, {
    dump: () => outbox.dump(),
    restore: letters => outbox.restore(letters),
    reset: () => outbox.clear(),
  })

  const withToken = { onRequest: onlyWithToken(world) }
  const pages = { onRequest: onlyOwnHosts(world) }
  app.get('/mail', pages, (_request, reply) => reply.type(HTML).send(listPage(outbox.list()).toString()))
  app.get<{ Params: { id: string } }>('/mail/:id', pages, (request, reply) => {
    const letter = outbox.find(Number(request.params.id))
    const body = letter ? letterPage(letter) : page('No such message', html`<p><a href="/mail">All messages</a></p>`)
    return reply
      .code(letter ? 200 : 404)
      .type(HTML)
      .send(body.toString())
  })

  app.get('/control/mail', withToken, () => outbox.list())
  app.delete('/control/mail', withToken, (_request, reply) => {
    outbox.clear()
    world.saveState(STATE_NAME)
    return reply.code(204).send()
  })
}
