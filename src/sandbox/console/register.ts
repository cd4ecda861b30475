import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { onlyLoopback } from '../core/loopback.ts'
import { durationMs } from '../core/world-clock.ts'
import type { World } from '../core/world.ts'
import { escapeHtml } from '../core/html-page.ts'
import { changeInConsole } from './console-change.ts'
import { layout } from './layout.ts'
import { accountsPage, campaignPage, profilePage } from './pages.ts'

const change = z.object({
  entity: z.enum([
    'campaign',
    'adGroup',
    'productAd',
    'keyword',
    'target',
    'negativeKeyword',
    'negativeTarget',
    'login',
  ]),
  id: z.string(),
  action: z.enum(['pause', 'enable', 'archive', 'bid', 'budget', 'rename', 'revoke', 'invite-away']),
  value: z.union([z.string(), z.number()]).optional(),
})

const html = (reply: FastifyReply, text: string, status = 200): FastifyReply =>
  reply
    .code(status)
    .headers({
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .type('text/html; charset=utf-8')
    .send(text)

/** Where a form leads back to: a page of the console, never another site. */
const backOf = (request: FastifyRequest): string => {
  const { back = '/' } = (request.body ?? {}) as { back?: string }
  return /^\/(console\/[\w/-]*)?$/.test(back) ? back : '/'
}

/** Another site's page must not move the books by a form of its own. */
const sameOrigin = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
  const { origin, host } = request.headers
  if (request.method !== 'POST' || !origin || URL.parse(origin)?.host === host) return undefined
  return reply.code(403).send({ error: 'Forms of other sites are not taken.' })
}

/** What the marketplace itself shows of every account, as plain pages, and `POST /control/console`. */
export const registerConsole = (app: FastifyInstance, world: World): void => {
  app.addHook('onRequest', sameOrigin)
  const sorry = (reply: FastifyReply, status: number, sentence: string): FastifyReply =>
    html(reply, layout('That did not work', world.clock.now(), `<p role="alert">${escapeHtml(sentence)}</p>`), status)

  app.get('/', (_request, reply) => html(reply, accountsPage(world)))
  app.get('/console/profiles/:id', (request, reply) => {
    const profile = world.books.profiles.get(Number((request.params as { id: string }).id))
    return profile ? html(reply, profilePage(world, profile)) : sorry(reply, 404, 'There is no such profile.')
  })
  app.get('/console/campaigns/:id', (request, reply) => {
    const campaign = world.books.campaigns.get((request.params as { id: string }).id)
    const profile = campaign && world.books.profiles.get(campaign.profileId)
    return profile
      ? html(reply, campaignPage(world, campaign, profile))
      : sorry(reply, 404, 'There is no such campaign.')
  })

  app.post('/console/change', (request, reply) => {
    const parsed = change.safeParse(request.body)
    const problem = parsed.success ? changeInConsole(world, parsed.data) : z.prettifyError(parsed.error)
    return problem === null ? reply.redirect(backOf(request), 303) : sorry(reply, 400, problem)
  })
  app.post('/console/clock', (request, reply) => {
    const ms = durationMs((request.body as { advance?: string } | null)?.advance ?? '')
    if (ms === null) return sorry(reply, 400, 'The clock moves by a duration such as PT1H.')
    world.clock.advance(ms)
    world.market()
    world.save()
    return reply.redirect(backOf(request), 303)
  })

  app.post('/control/console', { onRequest: onlyLoopback }, (request, reply) => {
    const parsed = change.safeParse(request.body)
    const problem = parsed.success ? changeInConsole(world, parsed.data) : z.prettifyError(parsed.error)
    return problem === null ? { done: true } : reply.code(400).send({ error: problem })
  })
}
