import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { faultKinds, isAvailable } from './faults.ts'
import { onlyWithToken } from './control-token.ts'
import { durationMs } from './world-clock.ts'
import type { World } from './world.ts'

const moment = z.iso.datetime({ offset: true }).transform(text => new Date(text))
const resetBody = z.strictObject({ scenario: z.string(), now: moment.optional(), seed: z.int().optional() })
const clockBody = z.strictObject({ now: moment.optional(), advance: z.string().optional() })
const faultBody = z.strictObject({
  match: z.strictObject({
    vendor: z.string(),
    method: z.string().optional(),
    path: z.string().optional(),
    region: z.string().optional(),
  }),
  kind: z.enum(faultKinds),
  times: z.int().min(1).optional(),
  skip: z.int().min(0).optional(),
  retryAfterSeconds: z.number().min(0).nullable().optional(),
  status: z.int().min(400).max(599).optional(),
  body: z.unknown().optional(),
  delayMs: z.int().min(0).optional(),
  items: z.array(z.int().min(0)).optional(),
  selector: z.string().optional(),
  reason: z.string().optional(),
})
const requestsQuery = z.object({
  vendor: z.string().optional(),
  method: z.string().optional(),
  path: z.string().optional(),
  after: z.coerce.number().optional(),
})

const refuse = (reply: FastifyReply, message: string): FastifyReply => reply.code(400).send({ error: message })

function parse<T>(schema: z.ZodType<T>, value: unknown, reply: FastifyReply): T | null {
  const parsed = schema.safeParse(value ?? {})
  if (parsed.success) return parsed.data
  void refuse(reply, z.prettifyError(parsed.error))
  return null
}

// `exactOptionalPropertyTypes`: an absent property must not be present as undefined.
function definedOnly<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}

function stateOf(world: World): object {
  const { store } = world
  const { logins, ...counted } = store
  return {
    scenario: world.scenario,
    scenarios: world.scenarioNames(),
    now: world.clock.now().toISOString(),
    counts: Object.fromEntries(Object.entries(counted).map(([name, map]) => [name, map.size])),
    logins,
    sellers: [...store.sellers.values()],
    profiles: [...store.profiles.values()].map(profile => ({
      ...profile,
      campaigns: [...store.campaigns.values()].filter(campaign => campaign.profileId === profile.profileId).length,
    })),
    grants: world.lwa.grants().map(({ grantId, clientId, email, sellerId, scope, revoked }) => ({
      grantId,
      clientId,
      email,
      sellerId,
      scope,
      revoked,
    })),
    faults: world.faults.list(),
  }
}

/** The calls by which a test or a person moves the world: state, reset, clock, faults, requests. They need the token. */
export const registerControl = (app: FastifyInstance, world: World): void => {
  app.addHook('onRequest', onlyWithToken(world))

  app.get('/control/state', () => stateOf(world))

  app.post('/control/reset', (request, reply) => {
    const body = parse(resetBody, request.body, reply)
    if (!body) return reply
    if (!world.reset(body.scenario, definedOnly({ now: body.now, seed: body.seed })))
      return refuse(reply, `There is no scenario ${body.scenario}; there is ${world.scenarioNames().join(', ')}.`)
    return stateOf(world)
  })

  app.get('/control/clock', () => ({ now: world.clock.now().toISOString() }))
  app.post('/control/clock', (request, reply) => {
    const body = parse(clockBody, request.body, reply)
    if (!body) return reply
    if (body.now && body.now < world.clock.now()) return refuse(reply, 'Time does not run backwards; reset instead.')
    if (body.now) world.clock.set(body.now)
    if (body.advance !== undefined) {
      const ms = durationMs(body.advance)
      if (ms === null) return refuse(reply, `advance is ${body.advance}; it must be a duration such as PT1H or P2D.`)
      world.clock.advance(ms)
    }
    world.market()
    world.save()
    return { now: world.clock.now().toISOString() }
  })

  app.get('/control/faults', () => world.faults.list())
  app.post('/control/faults', (request, reply) => {
    const body = parse(faultBody, request.body, reply)
    if (!body) return reply
    const { match, kind, ...rest } = body
    if (!isAvailable(kind, match.vendor)) return refuse(reply, `${kind} is not available for this vendor.`)
    return reply.code(201).send(world.faults.add({ match, kind, ...definedOnly(rest) }))
  })
  app.delete('/control/faults', (_request, reply) => {
    world.faults.clear()
    return reply.code(204).send()
  })

  app.get('/control/requests', (request, reply) => {
    const query = parse(requestsQuery, request.query, reply)
    return query ? world.journal.list(definedOnly(query)) : reply
  })
  app.delete('/control/requests', (_request, reply) => {
    world.journal.clear()
    return reply.code(204).send()
  })
}
