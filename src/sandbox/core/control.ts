import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { guardControl } from './control-token.ts'
import { isAvailable, newFault } from './faults.ts'
import { registerMarketEvents } from './market-events.ts'
import { entriesBy } from './store/collections.ts'
import { durationMs } from './world-clock.ts'
import type { World } from './world.ts'

const moment = z.iso.datetime({ offset: true }).transform(text => new Date(text))
const resetBody = z.strictObject({ scenario: z.string(), now: moment.optional(), seed: z.int().optional() })
const clockBody = z.strictObject({ now: moment.optional(), advance: z.string().optional() })
const requestsQuery = z.object({
  vendor: z.string().optional(),
  method: z.string().optional(),
  path: z.string().optional(),
  after: z.coerce.number().optional(),
})

const refuse = (reply: FastifyReply, message: string): FastifyReply => reply.code(400).send({ error: message })

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
      campaigns: entriesBy(store.campaigns, 'profileId', profile.profileId).size,
    })),
    grants: world.lwa.grants().map(({ refreshToken: _secret, ...grant }) => grant),
    faults: world.faults.list(),
  }
}

/** The calls by which a test or a person moves the world: state, reset, clock, faults, requests. They need the token. */
export function registerControl(app: FastifyInstance, world: World): void {
  guardControl(app, world)

  app.get('/control/state', () => stateOf(world))

  app.post('/control/reset', (request, reply) => {
    const { scenario, ...options } = resetBody.parse(request.body ?? {})
    if (!world.reset(scenario, options))
      return refuse(reply, `There is no scenario ${scenario}; there is ${world.scenarioNames().join(', ')}.`)
    return stateOf(world)
  })

  app.get('/control/clock', () => ({ now: world.clock.now().toISOString() }))
  app.post('/control/clock', (request, reply) => {
    const { now, advance } = clockBody.parse(request.body ?? {})
    if (now && now < world.clock.now()) return refuse(reply, 'Time does not run backwards; reset instead.')
    if (now) world.clock.set(now)
    if (advance !== undefined) {
      const ms = durationMs(advance)
      if (ms === null) return refuse(reply, `advance is ${advance}; it must be a duration such as PT1H or P2D.`)
      world.clock.advance(ms)
    }
    world.market()
    world.clock.announceMove()
    world.save()
    return { now: world.clock.now().toISOString() }
  })

  registerMarketEvents(app, world)

  app.get('/control/faults', () => world.faults.list())
  app.post('/control/faults', (request, reply) => {
    const fault = newFault.parse(request.body ?? {})
    if (!isAvailable(fault.kind, fault.match.vendor))
      return refuse(reply, `${fault.kind} is not available for this vendor.`)
    return reply.code(201).send(world.faults.add(fault))
  })
  app.delete('/control/faults', (_request, reply) => {
    world.faults.clear()
    return reply.code(204).send()
  })

  app.get('/control/requests', request => world.journal.list(requestsQuery.parse(request.query)))
  app.delete('/control/requests', (_request, reply) => {
    world.journal.clear()
    return reply.code(204).send()
  })
}
