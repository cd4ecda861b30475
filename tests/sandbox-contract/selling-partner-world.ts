import formbody from '@fastify/formbody'
import Fastify, { type FastifyInstance } from 'fastify'
import { registerFaults } from '#sandbox/core/fault-hooks.ts'
import { World } from '#sandbox/core/world.ts'
import { createMarket } from '#sandbox/market/create-market.ts'
import { scenarios } from '#sandbox/scenarios/scenarios.ts'
import { registerSellingPartner } from '#sandbox/selling-partner/register.ts'

export interface SellingPartnerWorld {
  app: FastifyInstance
  world: World
  /** An access token for one seller of a login. */
  tokenFor(login: string, sellerId: string): string
  call(
    method: string,
    url: string,
    token: string,
    body?: unknown,
  ): Promise<{ status: number; body: unknown; headers: Record<string, unknown> }>
  close(): Promise<void>
}

const NOW = new Date('2026-11-21T11:30:00Z')
const client = { id: 'amzn1.application-oa2-client.contract', secret: 'secret' }

/** The Selling Partner API of a world whose clock does not move, in this process. */
export async function openSellingPartner(): Promise<SellingPartnerWorld> {
  const world = new World({
    scenarios,
    scenario: 'demo',
    createMarket,
    clock: { now: () => NOW },
    config: {
      publicUrl: 'http://sandbox.test',
      clients: new Map([[client.id, client.secret]]),
      sellingPartnerApp: 'amzn1.sellerapps.app.contract',
      controlToken: 'the-token-of-the-contract',
    },
  })
  const app = Fastify()
  await app.register(formbody)
  registerFaults(app, world)
  await app.register(async scope => registerSellingPartner(scope, world))
  return {
    app,
    world,
    tokenFor(login, sellerId) {
      const code = world.lwa.issueCode({
        login,
        sellerId,
        scope: 'sellingpartnerapi',
        redirectUri: null,
        clientId: client.id,
      })
      const answer = world.lwa.token({
        grant_type: 'authorization_code',
        code,
        client_id: client.id,
        client_secret: client.secret,
      })
      if (!answer.ok) throw new Error(answer.failure.error_description)
      return answer.reply.access_token
    },
    async call(method, url, token, body) {
      const answer = await app.inject({
        method: method as 'GET' | 'POST',
        url,
        headers: { 'x-amz-access-token': token },
        ...(body === undefined ? {} : { payload: body as object }),
      })
      return {
        status: answer.statusCode,
        body: answer.body === '' ? null : (answer.json() as unknown),
        headers: answer.headers,
      }
    },
    close: () => app.close(),
  }
}

/** What lies at a path inside an answer; undefined when nothing does. */
export const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((inside, key) => (inside as Record<string | number, unknown> | null | undefined)?.[key], value)

/** Text inside an answer. Throws when there is none. */
export function textAt(value: unknown, ...path: (string | number)[]): string {
  const text = at(value, ...path)
  if (typeof text !== 'string') throw new Error(`no text at ${path.join('.')} of ${JSON.stringify(value)}`)
  return text
}

/** A list inside an answer. Throws when there is none. */
export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const list = at(value, ...path)
  if (!Array.isArray(list)) throw new Error(`no list at ${path.join('.')} of ${JSON.stringify(value)}`)
  return list as unknown[]
}
