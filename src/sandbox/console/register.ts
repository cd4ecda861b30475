import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { onlyWithToken } from '../core/control-token.ts'
import { onlyOwnHosts } from '../core/page-hosts.ts'
import { durationMs } from '../core/world-clock.ts'
import type { World } from '../core/world.ts'
import { html } from '../core/html.ts'
import { onlyEntered, registerEnter } from './enter.ts'
import { backOf, sendHtml } from './send-html.ts'
import { faultKinds, isAvailable } from '../core/faults.ts'
import { accountsPage } from './pages/accounts-page.ts'
import { findCampaign } from './ad-products.ts'
import { campaignPage } from './pages/campaign-page.ts'
import { changeable, changeInConsole } from './console-change.ts'
import { layout } from './layout.ts'
import { profilePage } from './pages/profile-page.ts'
import { faultsPage, requestsPage, vendors } from './pages/requests-and-faults.ts'

const change = z.object({
  entity: z.enum(changeable),
  id: z.string(),
  action: z.enum(['pause', 'enable', 'archive', 'bid', 'budget', 'rename', 'revoke', 'invite-away']),
  value: z.union([z.string(), z.number()]).optional(),
})

const newFault = z.object({
  kind: z.enum(faultKinds),
  vendor: z.enum(vendors),
  path: z.string().trim().optional(),
  times: z.coerce.number().int().min(1).default(1),
})

/** Sets or clears faults. Returns what is wrong, or null. */
function changeFaults(world: World, body: unknown): string | null {
  if ((body as { clear?: string } | null)?.clear) {
    world.faults.clear()
    return null
  }
  const parsed = newFault.safeParse(body)
  if (!parsed.success) return z.prettifyError(parsed.error)
  const { kind, vendor, path, times } = parsed.data
  if (!isAvailable(kind, vendor)) return `${kind} is not available for this vendor.`
  world.faults.add({ match: { vendor, ...(path && { path }) }, kind, times })
  return null
}

/** Query parameters that occur once. */
function singleParameters(query: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries((query ?? {}) as Record<string, unknown>).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )
}

/** Rejects forms of other sites. */
async function sameOrigin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const { origin, host } = request.headers
  if (request.method !== 'POST' || !origin || URL.parse(origin)?.host === host) return undefined
  return reply.code(403).send({ error: 'Forms of other sites are not accepted.' })
}

function registerPages(app: FastifyInstance, world: World): void {
  const errorPage = (reply: FastifyReply, status: number, message: string): FastifyReply =>
    sendHtml(
      reply,
      layout({ title: 'That did not work', now: world.clock.now(), here: '/' }, html`<p role="alert">${message}</p>`),
      status,
    )

  app.get('/', (_request, reply) => sendHtml(reply, accountsPage(world)))
  app.get('/console/profiles/:id', (request, reply) => {
    const profile = world.store.profiles.get(Number((request.params as { id: string }).id))
    if (!profile) return errorPage(reply, 404, 'There is no such profile.')
    return sendHtml(reply, profilePage(world, profile, singleParameters(request.query)))
  })
  app.get('/console/campaigns/:id', (request, reply) => {
    const found = findCampaign(world.store, (request.params as { id: string }).id)
    const profile = found && world.store.profiles.get(found.campaign.profileId)
    if (!profile) return errorPage(reply, 404, 'There is no such campaign.')
    return sendHtml(reply, campaignPage(world, found, profile, singleParameters(request.query)))
  })
  app.get('/console/requests', (request, reply) =>
    sendHtml(reply, requestsPage(world, singleParameters(request.query))),
  )
  app.get('/console/faults', (_request, reply) => sendHtml(reply, faultsPage(world)))

  app.post('/console/faults', (request, reply) => {
    const problem = changeFaults(world, request.body)
    return problem === null ? reply.redirect('/console/faults', 303) : errorPage(reply, 400, problem)
  })
  app.post('/console/change', (request, reply) => {
    const parsed = change.safeParse(request.body)
    const problem = parsed.success ? changeInConsole(world, parsed.data) : z.prettifyError(parsed.error)
    return problem === null
      ? reply.redirect(backOf((request.body as { back?: string } | null)?.back), 303)
      : errorPage(reply, 400, problem)
  })
  app.post('/console/clock', (request, reply) => {
    const ms = durationMs((request.body as { advance?: string } | null)?.advance ?? '')
    if (ms === null) return errorPage(reply, 400, 'The clock moves by a duration such as PT1H.')
    world.clock.advance(ms)
    world.market()
    world.save()
    return reply.redirect(backOf((request.body as { back?: string } | null)?.back), 303)
  })
}

/** What the marketplace itself shows of every account, as plain pages, and `POST /control/console`. */
export async function registerConsole(app: FastifyInstance, world: World): Promise<void> {
  await app.register(async pages => {
    pages.addHook('onRequest', onlyOwnHosts(world))
    pages.addHook('onRequest', sameOrigin)
    registerEnter(pages, world)
    await pages.register(async entered => {
      entered.addHook('onRequest', onlyEntered(world))
      registerPages(entered, world)
    })
  })
  app.post('/control/console', { onRequest: onlyWithToken(world) }, (request, reply) => {
    const parsed = change.safeParse(request.body)
    const problem = parsed.success ? changeInConsole(world, parsed.data) : z.prettifyError(parsed.error)
    return problem === null ? { done: true } : reply.code(400).send({ error: problem })
  })
}
