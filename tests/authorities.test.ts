import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RoleName } from '#features/auth/roles.ts'
import type { Services } from '#server/context.ts'
import { authorityOf, type Endpoint } from '#shared/define-endpoint.ts'
import { routes } from '../src/main/api.ts'
import { authoritiesPage, callers, mayCall } from '../src/main/authorities-table.ts'
import { openIntegrations } from '../src/main/integrations.ts'
import { addCaller, addSession, openProcess, type Process } from './support/answers-scene.ts'
import { addAccount } from './support/people.ts'
import { testServices } from './support/services.ts'

type CallerName = keyof typeof callers

const endpoints = routes.map(route => route.endpoint as Endpoint)
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

let services: Services & { close(): Promise<void> }
let server: Process

beforeAll(async () => {
  services = await testServices()
  services.integrations = openIntegrations(services)
  server = await openProcess(services)
})
afterAll(async () => {
  await server.close()
  await services.close()
})

const roleOf: Record<CallerName, RoleName> = {
  owner: 'OWNER',
  agency: 'AGENCY',
  viewer: 'VIEWER',
  'owner, viewing another': 'OWNER',
  'campaign manager': 'CAMPAIGN_MANAGER',
  admin: 'ADMIN',
}

/** The account of a caller, who works with a merchant of its own, or views one that somebody else owns. */
async function addPerson(name: CallerName): Promise<number> {
  const { system } = services.db
  const owner = await addCaller(services)
  let { accountId } = owner
  if (callers[name].merchantRole === 'VIEWER') {
    accountId = name === 'viewer' ? await addAccount(services) : (await addCaller(services)).accountId
    const membership = { account_id: accountId, merchant_id: owner.merchantId, role: 'VIEWER' as const, ended_at: null }
    await system.insertInto('membership').values(membership).execute()
    await sql`update account set current_merchant_id = ${owner.merchantId}, current_marketplace_id = 1 where id = ${accountId}`.execute(
      system,
    )
  }
  return accountId
}

/** The status of every endpoint for a caller with an empty body; each call has a session of its own, for some end theirs. */
async function statusesFor(name: CallerName): Promise<{ endpoint: Endpoint; status: number; code: unknown }[]> {
  const accountId = await addPerson(name)
  const { system } = services.db
  const found = []
  for (const endpoint of endpoints) {
    const { token } = await addSession(services, accountId)
    await system.deleteFrom('account_role').where('account_id', '=', accountId).execute()
    await system
      .insertInto('account_role')
      .values({ account_id: accountId, role: roleOf[name], granted_at: services.clock.now() })
      .execute()
    found.push({ endpoint, ...(await statusOf(endpoint, token)) })
  }
  return found
}

async function statusOf({ method, path }: Endpoint, token: string): Promise<{ status: number; code: unknown }> {
  // No such row: what is allowed answers 404 or 400 instead of doing something.
  const answer = await server.call(token, path.replace(/:\w+/g, '999999999'), {
    method: method as 'GET',
    ...(method !== 'GET' && { body: {} }),
  })
  return { status: answer.status, code: answer.status >= 400 ? answer.json().errorCode : null }
}

test.each(Object.keys(callers) as CallerName[])(
  'the server lets %s call what the table says',
  async name => {
    for (const { endpoint, status, code } of await statusesFor(name)) {
      const allowed = mayCall(endpoint, callers[name])
      // The services that a call would ask are out of reach here: 502 or 503.
      const seen = [nameOf(endpoint), status === 403, code === 'FORBIDDEN', status === 402, status === 500]
      expect(seen).toEqual([nameOf(endpoint), !allowed, !allowed, false, false])
    }
  },
  240_000,
)

test('who is not logged in may call the public endpoints only', async () => {
  for (const endpoint of endpoints) {
    const { status, code } = await statusOf(endpoint, 'none')
    const isRejected = status === 401 && code === 'UNAUTHENTICATED'
    expect([nameOf(endpoint), isRejected]).toEqual([nameOf(endpoint), !mayCall(endpoint, null)])
  }
})

test('a viewer reads, and changes nothing but what is the viewer’s own', () => {
  const changes = endpoints.filter(one => one.access !== 'public' && one.method !== 'GET')
  expect(
    changes
      .filter(one => mayCall(one, callers.viewer))
      .map(nameOf)
      .sort(),
  ).toEqual([
    'DELETE /push/subscriptions',
    'DELETE /user',
    'DELETE /user/sessions/:id',
    'DELETE /views/:id',
    'PATCH /profile/current',
    'PATCH /profile/marketplaces/current',
    'PATCH /user',
    'POST /auth/change-password',
    'POST /auth/logout',
    // For itself alone: thresholds learn nothing from a viewer.
    'POST /notifications/:id/dismiss',
    'POST /notifications/:id/read',
    'POST /notifications/:id/snooze',
    // Of what was done, it asks for the owner as doing it does.
    'POST /notifications/:id/undo',
    'POST /notifications/read-all',
    'POST /onboarding-survey',
    // A question to the marketplace.
    'POST /products/eligibility/check',
    'POST /push/subscriptions',
    'POST /push/test',
    'POST /team/invitations/accept',
    'POST /user/amazon/select',
    'POST /user/keep',
    'POST /user/sessions/end',
    'POST /views',
    'PUT /notifications/preferences',
    'PUT /views/:id',
  ])
  const admin = endpoints.filter(one => one.path.startsWith('/admin'))
  expect(admin.filter(one => !['CAMPAIGN_MANAGER', 'ADMIN'].includes(authorityOf(one) ?? '')).map(nameOf)).toEqual([])
})

test('AUTHORITIES.md is what the endpoints say', async () => {
  expect(await readFile(new URL('../src/main/AUTHORITIES.md', import.meta.url), 'utf8')).toBe(authoritiesPage())
})
