import type { AddressInfo } from 'node:net'
import formbody from '@fastify/formbody'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Clock } from '#shared/time.ts'
import { registerAmazonAds } from './amazon-ads/register.ts'
import { registerConsole } from './console/register.ts'
import { registerControl } from './core/control.ts'
import { openControlToken } from './core/control-token.ts'
import { registerFaults, sendAddressError } from './core/fault-hooks.ts'
import { Histories } from './core/store/histories.ts'
import { World } from './core/world.ts'
import type { Scenarios } from './core/world.ts'
import { registerEuropeanCentralBank } from './european-central-bank/register.ts'
import { rewriteVendorUrl } from './https/vendor-hosts.ts'
import { registerLoginWithAmazon } from './login-with-amazon/register.ts'
import { registerMail } from './mail/register.ts'
import { startMailServer } from './mail/smtp-server.ts'
import { createMarket } from './market/create-market.ts'
import { scenarios } from './scenarios/scenarios.ts'
import { registerSellingPartner } from './selling-partner/register.ts'
import { registerStripe } from './stripe/register.ts'
import { registerWebPush } from './web-push/register.ts'

export interface SandboxOptions {
  /** 0 (the default) takes any free port, as with the mail server's. */
  port?: number
  smtpPort?: number
  /** Answers HTTPS as well, on this port; 0 takes any free port. The links in answers then begin with https. */
  httpsPort?: number
  /** Interface to listen on; `localhost` by default. */
  host?: string
  /** Address browsers and the product use, when it is not http://localhost:port. */
  publicUrl?: string
  scenario?: string
  /** Folder in which the state outlives the process; absent: nothing does. */
  data?: string
  clock?: Clock
  /** Secret by client id; the demonstration's pair when absent. */
  clients?: ReadonlyMap<string, string>
  /** Token of the control calls; absent: the one in the data folder, else a new one. */
  controlToken?: string
  /** Folder that caches the history of a built-in scenario, so that other starts within the hour need not simulate it. */
  histories?: string
  /** Scenarios besides, or instead of, the built-in ones of the same name. */
  scenarios?: Scenarios
}

export type Sandbox = Awaited<ReturnType<typeof startSandbox>>

const demoClients = new Map([['amzn1.application-oa2-client.demo', 'amzn1.oa2-cs.v1.demo']])

/** Control calls to the emulator at this address, as `control('POST', 'clock', { advance: 'PT1H' })`. */
export function createControl(url: string, token: string) {
  return (method: string, call: string, body?: unknown): Promise<Response> =>
    fetch(`${url}/control/${call}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
}

const SAVE_EVERY_MS = 60_000

/**
 * Starts the whole outside world on one port, and its mail server on another. Throws when a port is taken, the data
 * folder cannot be used or the scenario does not exist.
 */
export async function startSandbox(options: SandboxOptions = {}) {
  const config = {
    publicUrl: options.publicUrl ?? '',
    clients: options.clients ?? demoClients,
    sellingPartnerApp: 'amzn1.sellerapps.app.demo',
    controlToken: openControlToken(options.controlToken, options.data),
  }
  const { scenario = 'demo', clock, data, host = 'localhost' } = options
  const all = { ...scenarios, ...options.scenarios }
  // Scenarios of the caller's own are not of this program, whose version the cache knows.
  const histories = options.histories && !options.scenarios ? new Histories(options.histories) : undefined
  const world = new World({ scenarios: all, scenario, createMarket, config, clock, data, histories })
  const app = await buildSandbox(world)
  await app.listen({ port: options.port ?? 0, host })
  const address = app.addresses()[0] as AddressInfo | undefined
  const url = `http://localhost:${address?.port ?? options.port}`
  const closeApp = async (error: unknown): Promise<never> => {
    await app.close()
    throw error
  }
  const secure =
    options.httpsPort === undefined
      ? undefined
      : await listenHttps(app, { ...options, host, port: options.httpsPort }).catch(closeApp)
  const https = secure && { url: `https://localhost:${secure.port}`, authorityFile: secure.authorityFile }
  if (!config.publicUrl) config.publicUrl = https?.url ?? url
  const sink = await startMailServer(world, options.smtpPort ?? 0).catch(async (error: unknown) => {
    await secure?.close()
    return closeApp(error)
  })
  const saving = setInterval(() => world.saveIfChanged(), SAVE_EVERY_MS).unref()
  return {
    url,
    /** Absent unless HTTPS is on. */
    ...(https && { https }),
    smtpPort: sink.port,
    world,
    controlToken: config.controlToken,
    control: createControl(url, config.controlToken),
    async close(): Promise<void> {
      clearInterval(saving)
      await Promise.all([app.close(), secure?.close(), sink.close()])
      world.close()
    },
  }
}

async function listenHttps(
  app: FastifyInstance,
  { port, host, data, publicUrl = '' }: SandboxOptions & { port: number; host: string },
) {
  // Loaded on demand: the certificate library is slow to start.
  const { startHttps } = await import('./https/https-server.ts')
  return startHttps((request, response) => app.routing(request, response), { port, host, data, publicUrl })
}

/** The HTTP side of the world, not yet listening. `onRoute` is called with each path and method that it answers. */
export async function buildSandbox(
  world: World,
  onRoute?: (path: string, method: string) => void,
): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: 16 * 1024 * 1024,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 500 },
    frameworkErrors: (error, request, reply) => sendAddressError(world, error, request, reply),
    rewriteUrl: request => rewriteVendorUrl(request.headers.host, request.url ?? '/'),
  })
  app.addHook('onRoute', ({ url, method }) => {
    // Not what Fastify adds by itself, nor what catches the rest.
    for (const one of [method].flat()) if (one !== 'HEAD' && !url.includes('*')) onRoute?.(url, one)
  })
  await app.register(formbody)
  registerFaults(app, world)
  app.get('/healthz', () => ({ status: 'ok', now: world.clock.now().toISOString() }))
  const rooms = [
    registerControl,
    registerLoginWithAmazon,
    registerAmazonAds,
    registerSellingPartner,
    registerMail,
    registerWebPush,
    registerEuropeanCentralBank,
    registerStripe,
    registerConsole,
  ]
  // Each room has its own scope, so that its hooks and body parsers do not affect others.
  for (const register of rooms) await app.register(async scope => register(scope, world))
  return app
}
