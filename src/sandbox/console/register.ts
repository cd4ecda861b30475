import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { onlyWithToken } from '../core/control-token.ts'
import { onlyOwnHosts } from '../core/page-hosts.ts'
import { durationMs } from '../core/world-clock.ts'
import type { World } from '../core/world.ts'
import { html, textFields } from '../core/html.ts'
import { backOf, onlyEntered, registerEnter, sendHtml } from './enter.ts'
import { faultKinds, isAvailable } from '../core/faults.ts'
import { accountsPage } from './pages/accounts-page.ts'
import { findCampaign } from './ad-products.ts'
import { campaignPage } from './pages/campaign-page.ts'
import { changeInConsole } from './console-change.ts'
import { layout } from './layout.ts'
import { profilePage } from './pages/profile-page.ts'
import { faultsPage, requestsPage, vendors } from './pages/requests-and-faults.ts'

const newFault = z.object({
  kind: z.enum(faultKinds),
  vendor: z.enum(vendors),
  path: z.string().trim().optional(),
  times: z.coerce.number().int().min(1).default(1),
})

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

async function sameOrigin(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const { origin, host } = request.headers
  if (request.method !== 'POST' || !origin || URL.parse(origin)?.host === host) return undefined
  return reply.code(403).send({ error: 'Forms of other sites are not accepted.' })
}

function registerPages(app: FastifyInstance, world: World): void {
  const errorPage = (reply: FastifyReply, status: number, message: string): FastifyReply =>
    sendHtml(reply, layout(world, 'That did not work', '/', html`<p role="alert">${message}</p>`), status)
  /** Goes back to where a form was, or shows what is wrong. */
  const answer = (reply: FastifyReply, problem: string | null, back: unknown): FastifyReply =>
    problem === null ? reply.redirect(backOf(back), 303) : errorPage(reply, 400, problem)

  app.get('/', (_request, reply) => sendHtml(reply, accountsPage(world)))
  app.get('/console/profiles/:id', (request, reply) => {
    const profile = world.store.profiles.get(Number((request.params as { id: string }).id))
    if (!profile) return errorPage(reply, 404, 'There is no such profile.')
    return sendHtml(reply, profilePage(world, profile, textFields(request.query)))
  })
  app.get('/console/campaigns/:id', (request, reply) => {
    const found = findCampaign(world.store, (request.params as { id: string }).id)
    const profile = found && world.store.profiles.get(found.campaign.profileId)
    if (!profile) return errorPage(reply, 404, 'There is no such campaign.')
    return sendHtml(reply, campaignPage(world, found, profile, textFields(request.query)))
  })
  app.get('/console/requests', (request, reply) => sendHtml(reply, requestsPage(world, textFields(request.query))))
  app.get('/console/faults', (_request, reply) => sendHtml(reply, faultsPage(world)))

  app.post('/console/faults', (request, reply) => answer(reply, changeFaults(world, request.body), '/console/faults'))
  app.post('/console/change', (request, reply) =>
    answer(reply, changeInConsole(world, request.body), textFields(request.body).back),
  )
  app.post('/console/clock', (request, reply) => {
    const { advance = '', back } = textFields(request.body)
    const ms = durationMs(advance)
    if (ms === null) return errorPage(reply, 400, 'The clock moves by a duration such as PT1H.')
    world.clock.advance(ms)
    world.market()
    world.save()
    return answer(reply, null, back)
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
    const problem = changeInConsole(world, request.body)
    return problem === null ? { done: true } : reply.code(400).send({ error: problem })
  })
}
