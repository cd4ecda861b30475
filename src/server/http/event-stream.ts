import type { FastifyInstance } from 'fastify'
import { authenticated } from './mount-routes.ts'
import type { ServerOptions } from './server-options.ts'

const askedAgainMs = 30_000

/**
 * GET /events: server-sent events of the account, hints only. It begins with a `hello`, so that a client knows that it
 * hears from now on, and must read afresh what it may have missed before. A stream is over with its token or session, of
 * which it asks before it tells something, at most every 30 seconds.
 */
export const registerEventStream = (app: FastifyInstance, options: ServerOptions) => {
  const open = new Set<() => void>()
  const closeAll = () => {
    for (const close of open) close()
  }
  // A client that connects again reads what it may have missed.
  const ignoreGaps = options.services.events.onGap(closeAll)
  app.addHook('preClose', async () => {
    ignoreGaps()
    closeAll()
  })
  app.get('/events', { sse: 'only' }, async (request, reply) => {
    const actor = await authenticated(request, options)
    const close = () => reply.sse.close()
    const { clock } = options.services
    let asked = clock.now().getTime()
    const stillGood = async () => {
      const now = clock.now().getTime()
      if (now - asked < askedAgainMs) return true
      asked = now
      return authenticated(request, options).then(
        () => true,
        () => false,
      )
    }
    // A listener that is gone before or while it is told has nothing to be told.
    let chain = reply.sse.send({ event: 'hello', data: {} }).catch(() => undefined)
    const unsubscribe = options.services.events.subscribe(actor.accountId, event => {
      chain = chain
        .then(async () => ((await stillGood()) ? reply.sse.send({ event: event.type, data: event.data }) : close()))
        .catch(() => undefined)
    })
    open.add(close)
    reply.sse.onClose(() => {
      unsubscribe()
      open.delete(close)
    })
    reply.sse.keepAlive()
    await chain
  })
}
