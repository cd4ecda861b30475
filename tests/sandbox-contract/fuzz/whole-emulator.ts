import formbody from '@fastify/formbody'
import Fastify, { type FastifyInstance } from 'fastify'
import { registerAmazonAds } from '#sandbox/amazon-ads/register.ts'
import { registerConsole } from '#sandbox/console/register.ts'
import { registerControl } from '#sandbox/core/control.ts'
import { registerFaults, sendAddressError } from '#sandbox/core/fault-hooks.ts'
import { World } from '#sandbox/core/world.ts'
import { registerEuropeanCentralBank } from '#sandbox/european-central-bank/register.ts'
import { registerLoginWithAmazon } from '#sandbox/login-with-amazon/register.ts'
import { registerMail } from '#sandbox/mail/register.ts'
import { createMarket } from '#sandbox/market/create-market.ts'
import { scenarios } from '#sandbox/scenarios/scenarios.ts'
import { registerSellingPartner } from '#sandbox/selling-partner/register.ts'
import { registerWebPush } from '#sandbox/web-push/register.ts'

export const client = { client_id: 'amzn1.application-oa2-client.contract', client_secret: 'secret' }
export const PROFILE = 1100000000000011
const CONTROL_TOKEN = 'whole-emulator-token'
export const SELLER = 'A1HARBORLANEUS'

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** In the router's words. */
  url: string
}

export interface Outcome {
  status: number
  text: string
  headers: Record<string, unknown>
}

export interface Question {
  method: string
  url: string
  headers?: Record<string, string>
  body?: string | Buffer
}

export interface WholeEmulator {
  app: FastifyInstance
  world: World
  /** Every address, without those of the other two regions. */
  routes: readonly Route[]
  /** Asks as the seller and profile above, with as many calls at once as it likes. */
  ask(question: Question): Promise<Outcome>
  /** What was thrown inside and not meant for the caller, since the last time. */
  crashes(): string[]
  close(): Promise<void>
}

/** All rooms of the emulator in one process that listens nowhere. */
export const openWholeEmulator = async (): Promise<WholeEmulator> => {
  const world = new World({
    scenarios,
    scenario: 'small',
    createMarket,
    clock: { now: () => new Date('2026-11-21T18:30:00Z') },
    config: {
      publicUrl: 'http://sandbox.test',
      clients: new Map([[client.client_id, client.client_secret]]),
      sellingPartnerApp: 'amzn1.sellerapps.app.contract',
      controlToken: CONTROL_TOKEN,
    },
  })
  // The usage plans would answer most of the calls; a reset of the world empties them, so this does as much.
  const resets: (() => void)[] = []
  const registerState = world.registerState.bind(world)
  world.registerState = (name, state) => {
    if (name === 'selling-partner-buckets') resets.push(() => state.reset())
    registerState(name, state)
  }
  const app = Fastify({
    routerOptions: { maxParamLength: 500 },
    bodyLimit: 16 * 1024 * 1024,
    frameworkErrors: (error, request, reply) => sendAddressError(world, error, request, reply),
  })
  const routes: Route[] = []
  const crashed: string[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const { length } = [method].flat().filter(one => one !== 'HEAD')
    if (length > 0 && !/^\/(?:ads|sp)\/(?:eu|fe)\//.test(url)) routes.push({ method: method as Route['method'], url })
  })
  app.addHook('onError', async (request, _reply, error) => {
    const stack = String(error.stack).split('\n').slice(0, 4).join('\n')
    crashed.push(`${request.method} ${request.url}: ${stack}`)
  })
  await app.register(formbody)
  registerFaults(app, world)
  for (const register of [
    registerControl,
    registerLoginWithAmazon,
    registerAmazonAds,
    registerSellingPartner,
    registerMail,
    registerWebPush,
    registerEuropeanCentralBank,
    registerConsole,
  ])
    await app.register(async scope => register(scope, world))
  await app.ready()

  const tokenOf = (scope: string, sellerId: string | null): string => {
    const consent = { login: 'agency@sandbox.test', scope, sellerId, redirectUri: null, clientId: client.client_id }
    const code = world.lwa.issueCode(consent)
    const answer = world.lwa.token({ grant_type: 'authorization_code', code, ...client })
    if (!answer.ok) throw new Error(answer.failure.error_description)
    return answer.reply.access_token
  }
  const tokens = {
    authorization: `Bearer ${tokenOf('advertising::campaign_management advertising::test:create_account', null)}`,
    'amazon-advertising-api-clientid': client.client_id,
    'amazon-advertising-api-scope': String(PROFILE),
    'x-amz-access-token': tokenOf('sellingpartnerapi', SELLER),
  }
  return {
    app,
    world,
    routes,
    async ask({ method, url, headers = {}, body }) {
      for (const reset of resets) reset()
      // Tens of thousands of requests are no use to anybody, and some pages show them all.
      world.journal.clear()
      const answer = await app.inject({
        method: method as Route['method'],
        url,
        headers: {
          ...tokens,
          ...(url.startsWith('/control/') && { authorization: `Bearer ${CONTROL_TOKEN}` }),
          ...headers,
        },
        ...(body !== undefined && { payload: body }),
      })
      return { status: answer.statusCode, text: answer.body, headers: answer.headers }
    },
    crashes: () => crashed.splice(0),
    close: () => app.close(),
  }
}
