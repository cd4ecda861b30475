import { once } from 'node:events'
import { Agent, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import formbody from '@fastify/formbody'
import Fastify from 'fastify'
import { registerFaults } from '#sandbox/core/fault-hooks.ts'
import { World } from '#sandbox/core/world.ts'
import { registerLoginWithAmazon } from '#sandbox/login-with-amazon/register.ts'
import { createMarket } from '#sandbox/market/create-market.ts'
import { scenarios } from '#sandbox/scenarios/scenarios.ts'
import { registerSellingPartner } from '#sandbox/selling-partner/register.ts'

/** Where each of the vendor's hosts lies in the sandbox. */
const folders: Record<string, string> = {
  'api.amazon.com': '/lwa',
  'sellingpartnerapi-na.amazon.com': '/sp/na',
  'sellingpartnerapi-eu.amazon.com': '/sp/eu',
  'sellingpartnerapi-fe.amazon.com': '/sp/fe',
  'files.sandbox.test': '',
}

/** Leads every call to one of the vendor's hosts to a port of this machine, and any other nowhere. */
class Detour extends Agent {
  protocol = 'https:'
  defaultPort = 443
  private readonly port: number

  constructor(port: number) {
    super({ keepAlive: false })
    this.port = port
  }

  override createConnection(options: { host?: string | null }): Socket {
    if (!(String(options.host) in folders)) throw new Error(`a test called ${options.host}`)
    return connect(this.port, 'localhost')
  }
}

export interface RealClientWorld {
  world: World
  client: { id: string; secret: string }
  /** A code of a seller's consent. */
  consent(login: string, sellerId: string): string
  close(): Promise<void>
}

/** Fetches a file by its address alone, as every client of the vendor's store has to. */
export async function download(url: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  const [answer] = (await once(https.get(url), 'response')) as [IncomingMessage]
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${Buffer.concat(chunks).toString()}`)
  return Buffer.concat(chunks)
}

const START = new Date('2026-11-21T11:30:00Z').getTime()
/** So much faster goes the world's time, so that nobody waits long for a report. */
const HASTE = 60

/**
 * The sandbox under the vendor's own host names, for clients that know no others. While it is open, every HTTPS call of
 * this process goes there.
 */
export async function openForRealClients(): Promise<RealClientWorld> {
  const client = { id: 'amzn1.application-oa2-client.contract', secret: 'secret' }
  const opened = performance.now()
  const world = new World({
    scenarios,
    scenario: 'demo',
    createMarket,
    clock: { now: () => new Date(START + (performance.now() - opened) * HASTE) },
    config: {
      publicUrl: 'https://files.sandbox.test',
      clients: new Map([[client.id, client.secret]]),
      sellingPartnerApp: 'amzn1.sellerapps.app.contract',
      controlToken: 'the-token-of-the-contract',
    },
  })
  const app = Fastify({
    forceCloseConnections: true,
    rewriteUrl: request => `${folders[request.headers.host ?? ''] ?? '/nowhere'}${request.url}`,
  })
  await app.register(formbody)
  registerFaults(app, world)
  for (const register of [registerLoginWithAmazon, registerSellingPartner])
    await app.register(async scope => register(scope, world))
  await app.listen({ port: 0, host: 'localhost' })
  const before = https.globalAgent
  const { port } = app.server.address() as AddressInfo
  // It speaks plainly, whatever the protocol it goes by: the type knows only agents that encrypt.
  https.globalAgent = new Detour(port) as unknown as https.Agent
  return {
    world,
    client,
    consent: (login, sellerId) =>
      world.lwa.issueCode({ login, sellerId, scope: 'sellingpartnerapi', redirectUri: null, clientId: client.id }),
    async close() {
      https.globalAgent = before
      await app.close()
      world.close()
    },
  }
}
