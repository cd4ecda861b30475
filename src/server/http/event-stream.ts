import type { FastifyInstance } from 'fastify'
import { AppError } from '#shared/errors.ts'
import { networkOf } from '#shared/network-of.ts'
import { sessionsEndedEvent } from '../events/events.ts'
import { createManagedCalls } from './managed-calls.ts'
import { authenticated } from './mount-routes.ts'
import type { ServerOptions } from './route.ts'

const recheckMs = 30_000
// A stream holds a connection for as long as a page is open. Nobody looks at more pages than these.
const maxStreams = { account: 12, network: 120 }

type Limit = readonly [key: string, max: number]

/** Counts what is open at the same time by key. Returns a function that releases, or null if a limit is reached. */
function take(open: Map<string, number>, limits: readonly Limit[]): (() => void) | null {
  const change = (by: number) => {
    for (const [key] of limits) open.set(key, (open.get(key) ?? 0) + by)
    for (const [key] of limits) if (open.get(key) === 0) open.delete(key)
  }
  if (limits.some(([key, max]) => (open.get(key) ?? 0) >= max)) return null
  change(1)
  return () => change(-1)
}

/**
 * GET /events: server-sent events of the account. They are hints; the client reads the data with ordinary calls. A stream
 * begins with `hello`: from then on the client misses no event, and it must read again what may have changed before. A
 * stream ends at once after a log-out. Before an event is sent, the token is checked, at most every 30 seconds. Answers
 * RATE_LIMITED if an account or an address has too many streams open.
 */
export function registerEventStream(app: FastifyInstance, options: ServerOptions) {
  const managedCalls = createManagedCalls(options)
  const open = new Set<() => void>()
  const counts = new Map<string, number>()
  const closeAll = () => {
    for (const close of open) close()
  }
  // A client that reconnects reads again what it may have missed.
  const stopListening = options.services.events.onGap(closeAll)
  app.addHook('preClose', async () => {
    stopListening()
    closeAll()
  })
  app.get('/events', { sse: 'only' }, async (request, reply) => {
    const actor = await authenticated(request, options)
    request.actor = actor
    await managedCalls.end(request, { method: 'GET', path: '/events', summary: 'Follow what happens' }, 200)
    const release = take(counts, [
      [`account ${actor.accountId}`, maxStreams.account],
      [`network ${networkOf(request.ip)}`, maxStreams.network],
    ])
    if (!release)
      throw new AppError('RATE_LIMITED', 'Too many pages are open. Close some of them.', { retryAfterSeconds: 30 })
    const close = () => reply.sse.close()
    const { clock } = options.services
    let checkedAt = clock.now().getTime()
    const isSessionActive = async (mustCheck: boolean) => {
      // The event came over another connection than what invalidates the cached session, and the answers that it makes a
      // client read again.
      await options.services.invalidations.caughtUp()
      const now = clock.now().getTime()
      if (!mustCheck && now - checkedAt < recheckMs) return true
      checkedAt = now
      // A stream does not change whose it is while managing begins or ends.
      return authenticated(request, options).then(
        current => current.accountId === actor.accountId,
        () => false,
      )
    }
    // Sending fails once the client has left, which is no problem.
    let sending = reply.sse.send({ event: 'hello', data: {} }).catch(() => undefined)
    const unsubscribe = options.services.events.subscribe(actor.accountId, event => {
      const isEnd = event.type === sessionsEndedEvent
      sending = sending
        .then(async () => {
          if (!(await isSessionActive(isEnd))) close()
          else if (!isEnd) await reply.sse.send({ event: event.type, data: event.data })
        })
        .catch(() => undefined)
    })
    open.add(close)
    reply.sse.onClose(() => {
      unsubscribe()
      release()
      open.delete(close)
    })
    reply.sse.keepAlive()
    await sending
  })
}
