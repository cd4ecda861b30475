import type { FastifyInstance } from 'fastify'
import { onlyLoopback } from '../core/loopback.ts'
import type { World } from '../core/world.ts'
import { page } from '../core/html-page.ts'
import { letterPage, listPage } from './outbox-page.ts'
import { outboxOf } from './outbox.ts'

const HTML = 'text/html; charset=utf-8'
const KEPT = 'mail'

/** The outbox: pages under /mail for people, /control/mail for tests. It outlives a restart, and is empty after a reset. */
export const registerMail = (app: FastifyInstance, world: World): void => {
  const outbox = outboxOf(world)
  world.keep(KEPT, {
    dump: () => outbox.dump(),
    restore: letters => outbox.restore(letters),
    reset: () => outbox.clear(),
  })

  app.get('/mail', (_request, reply) => reply.type(HTML).send(listPage(outbox.list())))
  app.get<{ Params: { id: string } }>('/mail/:id', (request, reply) => {
    const letter = outbox.find(Number(request.params.id))
    return letter
      ? reply.type(HTML).send(letterPage(letter))
      : reply.code(404).type(HTML).send(page('No such message', '<p><a href="/mail">All messages</a></p>'))
  })

  app.get('/control/mail', { onRequest: onlyLoopback }, () => outbox.list())
  app.delete('/control/mail', { onRequest: onlyLoopback }, (_request, reply) => {
    outbox.clear()
    world.saved(KEPT)
    return reply.code(204).send()
  })
}
