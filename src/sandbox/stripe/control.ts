import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { guardControl } from '../core/control-token.ts'
import type { Account } from './account.ts'
import { addEndpoint } from './events.ts'

const endpointBody = z.strictObject({
  url: z.url(),
  /** Chosen by the caller, for programs that read it from their settings. */
  secret: z.string().startsWith('whsec_').optional(),
  events: z.array(z.string()).default(['*']),
})
const settingsBody = z.strictObject({
  retryAfterDays: z.array(z.int().min(1)).optional(),
  afterLastAttempt: z.enum(['cancel', 'unpaid', 'past_due']).optional(),
})

/** What a person sets in the provider's dashboard, and what became of the events that were sent. */
export function registerStripeControl(app: FastifyInstance, account: Account): void {
  guardControl(app, account.world)

  app.post('/control/stripe/endpoints', (request, reply) => {
    const { url, secret, events } = endpointBody.parse(request.body ?? {})
    const existing = account.all('webhook_endpoint').find(one => one.url === url)
    const endpoint = account.transaction(() => {
      if (!existing) return addEndpoint(account, { url, enabled_events: events, ...(secret && { secret }) })
      account.change(existing, {
        enabled_events: events,
        status: 'enabled',
        ...(secret && { _secret: secret }),
      } as object)
      return existing
    })
    return reply.code(existing ? 200 : 201).send({ id: endpoint.id, url, secret: endpoint._secret, events })
  })

  app.get('/control/stripe/settings', () => account.settings)
  app.post('/control/stripe/settings', request => {
    const { retryAfterDays, afterLastAttempt } = settingsBody.parse(request.body ?? {})
    account.settings = {
      retryAfterDays: retryAfterDays ?? account.settings.retryAfterDays,
      afterLastAttempt: afterLastAttempt ?? account.settings.afterLastAttempt,
    }
    account.world.saveState('stripe')
    return account.settings
  })

  app.get('/control/stripe/deliveries', () =>
    account.deliveries.map(({ event, endpoint, dueAt, attempts, isDone }) => ({
      event,
      type: account.find('event', event)?.type,
      url: account.find('webhook_endpoint', endpoint)?.url,
      nextAt: isDone ? null : new Date(dueAt * 1000).toISOString(),
      attempts: attempts.map(({ at, ...attempt }) => ({ at: new Date(at * 1000).toISOString(), ...attempt })),
    })),
  )
}
