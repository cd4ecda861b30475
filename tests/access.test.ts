import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Services } from '#server/context.ts'
import type { Access } from '#shared/define-endpoint.ts'
import { routes } from '../src/main/api.ts'
import { openIntegrations } from '../src/main/integrations.ts'
import { addCaller, openProcess, type Process } from './support/answers-scene.ts'
import { testServices } from './support/services.ts'

const endpoints = routes.map(route => route.endpoint)
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
function withAccess(access: Access) {
  return endpoints
    .filter(endpoint => endpoint.access === access)
    .map(nameOf)
    .sort()
}

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

const past = new Date(Date.now() - 86_400_000)
const longAgo = new Date(Date.now() - 8 * 86_400_000)
const states = {
  'is on trial': {},
  pays: { status: 'active', trial_ends_at: past, period_ends_at: null },
  'pays late, within seven days': { status: 'past_due', past_due_since: past },
  'has let the trial run out': { trial_ends_at: past, period_ends_at: past },
  'cancelled at once': { status: 'canceled', canceled_at: past },
  'cancelled, and the period is over': { status: 'active', cancel_at_period_end: true, period_ends_at: past },
  'pays late, beyond seven days': { status: 'past_due', past_due_since: longAgo },
  'has not paid': { status: 'unpaid' },
  'never had a subscription': null,
} as const
type State = keyof typeof states

async function addPerson(state: State): Promise<string> {
  const { accountId, token } = await addCaller(services)
  const { system } = services.db
  const change = states[state]
  if (change === null) await system.deleteFrom('subscription').where('account_id', '=', accountId).execute()
  else if (Object.keys(change).length > 0)
    await system.updateTable('subscription').set(change).where('account_id', '=', accountId).execute()
  return token
}

/** Which calls answer SUBSCRIPTION_REQUIRED to a person in this state, each asked as a person of its own. */
async function refusedTo(state: State): Promise<string[]> {
  const refused: string[] = []
  for (const endpoint of endpoints) {
    const token = await addPerson(state)
    const { method, path } = endpoint
    const answer = await server.call(token, path.replace(/:\w+/g, '1'), {
      method: method as 'GET',
      ...(method !== 'GET' && { body: {} }),
    })
    expect([nameOf(endpoint), answer.status === 401, answer.status === 500]).toEqual([nameOf(endpoint), false, false])
    if (answer.status === 402) {
      refused.push(nameOf(endpoint))
      expect(answer.json()).toMatchObject({ errorCode: 'SUBSCRIPTION_REQUIRED' })
    }
  }
  return refused.sort()
}

test('every call says who may make it', () => {
  const named = new Set<unknown>(['public', 'account', 'connecting', 'subscription'])
  expect(endpoints.filter(endpoint => !named.has(endpoint.access)).map(nameOf)).toEqual([])
})

test('without a subscription one keeps the own account, what is connected, notifications and payment', () => {
  expect(withAccess('account')).toEqual([
    'DELETE /billing/payment-methods/:id',
    'DELETE /profile/merchant/:id',
    'DELETE /push/subscriptions',
    // Who no longer pays can still take access away.
    'DELETE /team/invitations/:id',
    'DELETE /team/merchants/:merchantId/members/:accountId',
    'DELETE /user',
    'DELETE /user/sessions/:id',
    'GET /admin/performance-reports',
    'GET /admin/performance-reports/:id/download',
    'GET /admin/user-management/impersonation/status',
    'GET /admin/user-management/managed/current',
    'GET /admin/user-management/managers/:id/users',
    'GET /admin/user-management/users',
    'GET /admin/user-management/users/:id',
    'GET /admin/user-management/users/search',
    // What it earned stays the user's.
    'GET /affiliate',
    // Who pays late must be able to pay.
    'GET /billing/dashboard',
    'GET /billing/invoices',
    'GET /billing/invoices/:id',
    'GET /billing/invoices/:id/payment-url',
    'GET /billing/invoices/:id/pdf-url',
    'GET /billing/payment-methods',
    'GET /billing/payment-problem',
    'GET /checkout/session/:id',
    // Its cards are of those who have access.
    'GET /dashboard/start',
    'GET /notifications',
    'GET /notifications/:id',
    'GET /notifications/counts',
    'GET /notifications/preferences',
    'GET /onboarding-survey',
    'GET /profile',
    'GET /profile/current',
    'GET /profile/marketplaces',
    'GET /profile/marketplaces/current',
    'GET /profile/merchant/:id',
    'GET /profile/merchant/marketplaces/:id',
    'GET /profile/merchants-info',
    'GET /push/public-key',
    'GET /regions',
    'GET /seeding-status/active',
    'GET /subscriptions/ad-spend-summary',
    'GET /subscriptions/current',
    'GET /subscriptions/payment-url',
    'GET /subscriptions/plan-change',
    'GET /team',
    'GET /user',
    'GET /user/audit-log',
    'GET /user/export',
    'GET /user/sessions',
    'GET /user/short',
    'PATCH /profile/current',
    'PATCH /profile/marketplaces/current',
    'PATCH /user',
    'POST /admin/performance-reports/request-asin-report',
    'POST /admin/user-management/manage/:id',
    'POST /admin/user-management/manage/clear',
    // A consent that was given is completed: its code is good for minutes and one use.
    'POST /amazon/ads/callback',
    'POST /amazon/callback',
    'POST /amazon/sp/callback',
    'POST /auth/change-password',
    'POST /auth/logout',
    'POST /billing/invoices/:id/pay',
    'POST /billing/payment-methods/:id/set-default',
    'POST /billing/payment-methods/setup-intent',
    'POST /billing/payment-methods/setup-intent/:sessionId/settle',
    'POST /checkout/subscription',
    // What spends or changes something asks for a subscription of the notification's own merchant.
    'POST /notifications/:id/act',
    'POST /notifications/:id/dismiss',
    'POST /notifications/:id/read',
    'POST /notifications/:id/snooze',
    'POST /notifications/:id/undo',
    'POST /notifications/read-all',
    'POST /onboarding-survey',
    'POST /push/subscriptions',
    'POST /push/test',
    'POST /subscriptions',
    'POST /subscriptions/cancel',
    // What is due for past months stays due.
    'POST /subscriptions/plan-change',
    'POST /subscriptions/resume',
    'POST /subscriptions/trigger-billing',
    'POST /team/invitations',
    'POST /team/invitations/:id/resend',
    'POST /team/invitations/:id/restore',
    'POST /team/invitations/accept',
    'POST /user/amazon/select',
    'POST /user/keep',
    'POST /user/sessions/end',
    'PUT /admin/user-management/managers/:id/users',
    'PUT /notifications/preferences',
  ])
})

test('accounts are connected with a subscription, or before the first one', () => {
  expect(withAccess('connecting')).toEqual([
    'GET /amazon/ads/login',
    'GET /amazon/login/:id',
    'GET /amazon/sp/login',
    'POST /seeding-status/:id/retry',
    'POST /user/amazon/connect',
  ])
})

describe('of all calls', () => {
  test.each(['is on trial', 'pays', 'pays late, within seven days'] as const)(
    'none is refused to who %s',
    async state => {
      expect(await refusedTo(state)).toEqual([])
    },
    120_000,
  )

  test.each([
    'has let the trial run out',
    'cancelled at once',
    'cancelled, and the period is over',
    'pays late, beyond seven days',
    'has not paid',
  ] as const)(
    'those that need a subscription are refused to who %s',
    async state => {
      expect(await refusedTo(state)).toEqual([...withAccess('connecting'), ...withAccess('subscription')].sort())
    },
    120_000,
  )

  test('connecting is open to who never had a subscription, the rest is not', async () => {
    expect(await refusedTo('never had a subscription')).toEqual(withAccess('subscription'))
  })
})
