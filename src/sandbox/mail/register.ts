import type { FastifyInstance } from 'fastify'
import { onlyWithToken } from '../core/control-token.ts'
import { onlyOwnHosts } from '../core/page-hosts.ts'
import type { World } from '../core/world.ts'
import { page } from '../core/html-page.ts'
import { letterPage, listPage } from './outbox-page.ts'
import { outboxOf } from './outbox.ts'

const HTML = 'text/html; charset=utf-8'
const STATE_NAME = 'mail'

/** The outbox: pages under /mail for people, /control/mail for tests. It outlives a restart, and is empty after a reset. */
export const registerMail = (app: FastifyInstance, world: World): void => {
  const outbox = outboxOf(world)
  world.registerState(STATE_NAME, {
    dump: () => outbox.dump(),
    restore: letters => outbox.restore(letters),
    reset: () => outbox.clear(),
  })

  const guarded = { onRequest: onlyWithToken(world) }
  const pages = { onRequest: onlyOwnHosts(world) }
  app.get('/mail', pages, (_request, reply) => reply.type(HTML).send(listPage(outbox.list())))
  app.get<{ Params: { id: string } }>('/mail/:id', pages, (request, reply) => {
    const letter = outbox.find(Number(request.params.id))
    return letter
      ? reply.type(HTML).send(letterPage(letter))
      : reply.code(404).type(HTML).send(page('No such message', '<p><a href="/mail">All messages</a></p>'))
  })

  app.get('/control/mail', guarded, () => outbox.list())
  app.delete('/control/mail', guarded, (_request, reply) => {
    outbox.clear()
    world.saveState(STATE_NAME)
    return reply.code(204).send()
  })
}
