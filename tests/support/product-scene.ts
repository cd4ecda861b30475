import { randomUUID } from 'node:crypto'
import { importStructure } from '#features/structure/server/public.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import { createConnectionTokens } from '#features/accounts/server/public.ts'
import { buildServer } from '#server/http/build-server.ts'
import type { HttpPolicy } from '#server/http-client/http-client.ts'
import type { Services } from '#server/context.ts'
import type { NewFault } from '#sandbox/core/faults.ts'
import { openIntegrations } from '../../src/main/integrations.ts'
import { jobs, reactions, routes } from '../../src/main/api.ts'
import { addSession } from './answers-scene.ts'
import { connectSeller } from './connected-seller.ts'
import { servicesWithOutside } from './outside.ts'
import { callerOf } from './people.ts'

/** A fault wherever the test says it happens. */
export type FaultOrder = Omit<NewFault, 'match'>

/** As patient as a test can afford; circuits stay shut unless a test is about them. */
export const quickPolicy: Partial<HttpPolicy> = {
  firstDelayMs: 1,
  maxDelayMs: 4,
  timeoutMs: 700,
  maxWaitMs: 2_000,
  circuitFailures: 10_000,
}

/**
 * The whole product over HTTP, called by a seller who has connected their account, with the marketplace beside it on
 * which faults may be ordered. Jobs are sent, and run when a test runs them.
 */
export const openProductScene = async ({
  startsAt,
  ...seller
}: {
  login: string
  sellerId: string
  country: string
  /** When the time of marketplace and product begins: the same shoppers on any day that the test runs. */
  startsAt?: Date
}) => {
  const { services: opened, sandbox } = await servicesWithOutside({
    jobs,
    reactions,
    ...(startsAt && { startsAt, followClock: true }),
  })
  const services: Services = { ...opened, integrations: openIntegrations(opened, quickPolicy) }
  const connected = await connectSeller(services, { ...seller, countries: [seller.country] })
  const profile = connected.profiles[0] as Profile
  // What a notification offers is done in the name of a session.
  const { sessionId } = await addSession(services, connected.accountId)
  const app = await buildServer({
    services,
    routes,
    authenticate: async token => ({ ...(await callerOf(services, Number(token))).actor, sessionId }),
    checkResponses: true,
    version: '1.0.0',
  })
  const { world } = sandbox

  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, ifMatch?: number) => {
    const reply = await app.inject({
      method,
      url: `/api${path}`,
      // Our own limits on calls are no part of this.
      remoteAddress: `10.0.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`,
      headers: {
        authorization: `Bearer ${connected.accountId}`,
        'idempotency-key': randomUUID(),
        ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
      },
      ...(body && { payload: body }),
    })
    return {
      status: reply.statusCode,
      body: reply.body ? reply.json() : null,
      retryAfter: reply.headers['retry-after'],
    }
  }

  return {
    ...connected,
    profile,
    services,
    sandbox,
    world,
    call,
    order: (fault: NewFault) => world.faults.add(fault),
    /** Ends every fault and forgets the waits and circuits they left, as time would. */
    calm: (policy: Partial<HttpPolicy> = {}) => {
      world.faults.clear()
      services.integrations = openIntegrations(opened, { ...quickPolicy, ...policy })
    },
    importStructure: () =>
      importStructure(services, profile, { signal: AbortSignal.timeout(60_000), onProgress: async () => undefined }),
    /** The states of the two connections, as the screen shows them. */
    health: async (): Promise<Record<string, string>> => {
      const { body } = await call('GET', `/profile/merchant/${connected.merchantId}`)
      return Object.fromEntries(body.connections.map((c: { kind: string; health: string }) => [c.kind, c.health]))
    },
    accessToken: () => {
      const { loginWithAmazon: AMAZON_ADS, loginWithAmazonSellers: SELLING_PARTNER } = services.integrations
      return createConnectionTokens(services, { AMAZON_ADS, SELLING_PARTNER })(profile.connectionId)
    },
    close: async () => {
      await app.close()
      await opened.close()
    },
  }
}

export type ProductScene = Awaited<ReturnType<typeof openProductScene>>
