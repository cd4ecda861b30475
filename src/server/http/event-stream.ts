import type { FastifyInstance } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { networkOf } from '#shared/network-of.ts'
import { sessionsEndedEvent } from '../events/events.ts'
import { authenticated } from './mount-routes.ts'
import type { ServerOptions } from './server-options.ts'

const askedAgainMs = 30_000
// A stream holds a connection for as long as a page is open. More than these are no pages that somebody looks at.
const maxStreams = { account: 12, network: 120 }

/** Counts what is open by some key; `take` answers how to give back, or null where `max` of the key are open. */
function createQuota(max: number) {
  const open = new Map<string | number, number>()
  return {
    take: (key: string | number): (() => void) | null => {
      const count = open.get(key) ?? 0
      if (count >= max) return null
      open.set(key, count + 1)
      return () => {
        const left = (open.get(key) ?? 1) - 1
        if (left) open.set(key, left)
        else open.delete(key)
      }
    },
  }
}

function takeBoth(first: () => (() => void) | null, second: () => (() => void) | null): (() => void) | null {
  const giveFirst = first()
  const giveSecond = giveFirst && second()
  if (giveFirst && giveSecond)
    return () => {
      giveFirst()
      giveSecond()
    }
  giveFirst?.()
  return null
}

/**
 * GET /events: server-sent events of the account, hints only. It begins with a `hello`, so that a client knows that it
 * hears from now on, and must read afresh what it may have missed before. A stream is over with its session, at once
 * after a log-out, and with its token, of which it asks before it tells something, at most every 30 seconds. Answers
 * RATE_LIMITED where an account or an address has too many open.
 */
export function registerEventStream(app: FastifyInstance, options: ServerOptions) {
  const open = new Set<() => void>()
  const ofAccounts = createQuota(maxStreams.account)
  const ofNetworks = createQuota(maxStreams.network)
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
    const giveBack = takeBoth(
      () => ofAccounts.take(actor.accountId),
      () => ofNetworks.take(networkOf(request.ip)),
    )
    if (!giveBack)
      throw new AppError('RATE_LIMITED', 'Too many pages are open. Close some of them.', { retryAfterSeconds: 30 })
    const close = () => reply.sse.close()
    const { clock } = options.services
    let asked = clock.now().getTime()
    const stillGood = async (atOnce: boolean) => {
      const now = clock.now().getTime()
      if (!atOnce && now - asked < askedAgainMs) return true
      asked = now
      return authenticated(request, options).then(
        () => true,
        () => false,
      )
    }
    // A listener that is gone before or while it is told has nothing to be told.
    let chain = reply.sse.send({ event: 'hello', data: {} }).catch(() => undefined)
    const unsubscribe = options.services.events.subscribe(actor.accountId, event => {
      const isEnd = event.type === sessionsEndedEvent
      chain = chain
        .then(async () => {
          if (!(await stillGood(isEnd))) close()
          else if (!isEnd) await reply.sse.send({ event: event.type, data: event.data })
        })
        .catch(() => undefined)
    })
    open.add(close)
    reply.sse.onClose(() => {
      unsubscribe()
      giveBack()
      open.delete(close)
    })
    reply.sse.keepAlive()
    await chain
  })
}
