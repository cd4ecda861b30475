import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { digest, isSameSecret, onlyWithToken } from '../core/control-token.ts'
import { onlyOwnHosts } from '../core/send-page.ts'
import { findEntity } from '../core/model/ad-products.ts'
import { durationMs } from '../core/world-clock.ts'
import type { World } from '../core/world.ts'
import { html, textFields, hiddenFields, type Html, page, trusted } from '../core/html.ts'
import { faultKinds, isAvailable, type Fault } from '../core/faults.ts'
import { accountsPage } from './pages/accounts-page.ts'
import { campaignPage } from './pages/campaign-page.ts'
import { changeInConsole } from './console-change.ts'
import { layout } from './layout.ts'
import { profilePage } from './pages/profile-page.ts'
import { cell, pageLinks, pageOf, table } from './table.ts'

/** Vendors by which requests can be filtered: the first segment of their paths. */
const vendors = ['ads', 'sp', 'lwa', 'sellercentral', 'sqs', 's3', 'ecb'] as const

/** Sends a page of the console. `script` is a content security policy for the page's own script; without it none runs. */
function sendHtml(reply: FastifyReply, page: Html, status = 200, script = ''): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'${script && `; ${script}`}`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    .type('text/html; charset=utf-8')
    .send(page.toString())
}

/** An address on the console to return to. Any other address, such as another site's, becomes the first page. */
function backOf(address: unknown): string {
  return typeof address === 'string' && /^\/(console\/[\w/-]*(\?[^\s\\]*)?)?$/.test(address) ? address : '/'
}

// The printed link has the token behind the #, which browsers do not send, so no log and no Referer header contains it.
const script = `const token = location.hash.slice(1)
if (token) {
  history.replaceState(null, '', location.pathname)
  document.getElementById('token').value = token
  document.forms[0].submit()
}`
const policy = `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`

function enterPage(back: string, problem: string | null): Html {
  return page(
    'Open the console',
    html`${problem && html`<p role="alert">${problem}</p>`}
<p>Open the console with the link that is printed when the emulator starts, or enter its token here. With a data folder, the file <code>control-token</code> in it contains the token.</p>
<form method="post" action="/console/enter">${hiddenFields({ back })}
<label>Token <input id="token" name="token" type="password" autocomplete="off" required></label>
<button>Open</button></form><script>${trusted(script)}</script>`,
  )
}

/**
 * The cookie of browsers that may use the console. It is derived from the token, so that the cookie does not reveal it,
 * and named after it, because browsers send cookies to every port of a host and two emulators may run side by side.
 */
function cookieOf({ config }: World): { name: string; value: string } {
  const value = digest(`console ${config.controlToken}`).toString('base64url')
  return { name: `console-${value.slice(0, 8)}`, value: value.slice(8) }
}

function hasCookie(world: World, request: FastifyRequest): boolean {
  const { name, value } = cookieOf(world)
  const sent = (request.headers.cookie ?? '').split(/;\s*/).find(pair => pair.startsWith(`${name}=`))
  return sent !== undefined && isSameSecret(sent.slice(name.length + 1), value)
}

/** Hook: shows the entry page to browsers without the console's cookie, and rejects their forms. */
function onlyEntered(world: World) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (hasCookie(world, request)) return undefined
    const problem = request.method === 'GET' ? null : 'Nothing was changed: open the console first.'
    return sendHtml(reply, enterPage(backOf(request.method === 'GET' ? request.url : '/'), problem), 401, policy)
  }
}

/** The entry page: a browser sends the token once and gets a cookie. */
function registerEnter(app: FastifyInstance, world: World): void {
  app.get('/console/enter', (_request, reply) => sendHtml(reply, enterPage('/', null), 200, policy))
  app.post('/console/enter', (request, reply) => {
    const { token = '', back } = textFields(request.body)
    if (!isSameSecret(token.trim(), world.config.controlToken))
      return sendHtml(reply, enterPage(backOf(back), 'That is not the token of this emulator.'), 403, policy)
    const { name, value } = cookieOf(world)
    const secure = world.config.publicUrl.startsWith('https:') ? '; Secure' : ''
    const cookie = `${name}=${value}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict${secure}`
    return reply.header('set-cookie', cookie).redirect(backOf(back), 303)
  })
}

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
    const found = findEntity(world.store, 'campaigns', (request.params as { id: string }).id)
    const profile = found && world.store.profiles.get(found.entity.profileId)
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

function select(name: string, label: string, values: readonly string[], selected = ''): Html {
  const options = values.map(
    value => html`<option value="${value}"${value === selected && ' selected'}>${value || 'all'}</option>`,
  )
  return html`<label for="${name}">${label}</label><select id="${name}" name="${name}">${options}</select>`
}

function requestsPage(world: World, query: { vendor?: string; page?: string }): Html {
  const vendor = vendors.find(one => one === query.vendor) ?? ''
  const received = world.journal.list(vendor ? { vendor } : {}).filter(entry => entry.vendor !== 'console')
  const page = pageOf(received.reverse(), query.page)
  const links = pageLinks(page, number => `/console/requests?vendor=${vendor}&page=${number}`)
  const rows = page.items.map(({ at, method, path, query: parameters, status, fault, body }) => ({
    testId: 'request',
    cells: [
      cell(at.slice(0, 19).replace('T', ' ')),
      cell(`${method} ${path}${parameters ? `?${parameters}` : ''}`, { long: true }),
      cell(status ?? 'unanswered', { testId: 'status' }),
      cell(fault ?? ''),
      cell(body.length > 200 ? `${body.slice(0, 200)} … (${body.length} characters)` : body, { long: true }),
    ],
  }))
  return layout(
    world,
    'Requests received',
    '/console/requests',
    html`<form method="get" action="/console/requests">${select('vendor', 'Vendor', ['', ...vendors], vendor)}<button>Show</button></form>
${links}${table('Requests', ['World time', 'Request', 'Status', 'Fault', 'Body'], rows)}`,
  )
}

const matchText = ({ vendor, region, method, path }: Fault['match']): string =>
  [vendor, region, method, path ?? 'every path'].filter(Boolean).join(' ')

function faultsPage(world: World): Html {
  const rows = world.faults.list().map(fault => ({
    testId: 'fault',
    cells: [cell(fault.kind), cell(matchText(fault.match)), cell(fault.times), cell(fault.skip)],
  }))
  return layout(
    world,
    'Faults',
    '/console/faults',
    html`<h2>Active</h2>${table('Active faults', ['Kind', 'Requests', 'Times left', 'After'], rows)}
${rows.length > 0 && html`<form method="post" action="/console/faults"><button name="clear" value="yes">Clear all</button></form>`}
<h2>Add a fault</h2><form class="stack" method="post" action="/console/faults">${select('kind', 'Kind', faultKinds)}${select('vendor', 'Vendor', vendors)}
<label for="path">Path</label><input class="long" type="text" id="path" name="path" placeholder="every path; * matches anything">
<label for="times">Times</label><input type="text" inputmode="numeric" id="times" name="times" value="1"><button>Set</button></form>
<p class="quiet"><code>POST /control/faults</code> has more options: delays, statuses, items.</p>`,
  )
}
