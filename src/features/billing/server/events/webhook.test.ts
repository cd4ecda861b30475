import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Services } from '#server/context.ts'
import { buildServer } from '#server/http/build-server.ts'
import { openIntegrations } from '../../../../main/integrations.ts'
import { testServices } from '../../../../../tests/support/services.ts'
import { billingJobs } from '../jobs.ts'
import { billingRoutes } from '../routes.ts'

const oldSecret = 'whsec_until_yesterday'
const secret = 'whsec_from_today'
let services: Services & { close(): Promise<void> }
let app: Awaited<ReturnType<typeof buildServer>>

beforeAll(async () => {
  const env = { STRIPE_SECRET_KEY: 'sk_test_sandbox', STRIPE_WEBHOOK_SECRETS: `${oldSecret},${secret}` }
  services = await testServices({ env, jobs: billingJobs, supervise: false })
  services.integrations = openIntegrations(services)
  const options = { services, routes: billingRoutes, authenticate: async () => null, checkResponses: true }
  app = await buildServer({ ...options, version: '1' })
})
afterAll(async () => {
  await app.close()
  await services.close()
})

let count = 0
/** An event as the provider writes it: indented, with more than we read. */
function eventOf(type: string, object: object, more: object = {}) {
  count += 1
  const id = `evt_${count}`
  const data = { object: { object: type.split('.')[0], ...object } }
  const event = { id, object: 'event', type, created: 1_767_000_000, livemode: false, data, pending_webhooks: 1 }
  return { id, body: JSON.stringify({ ...event, ...more }, null, 2) }
}

/** Sends a body the way the provider does; `seconds` is how far its signature's time is from now. */
async function send(body: string, { by = secret, seconds = 0, signed = body } = {}) {
  const at = Math.floor(Date.now() / 1000) + seconds
  const signature = createHmac('sha256', by).update(`${at}.${signed}`).digest('hex')
  const answer = await app.inject({
    method: 'POST',
    url: '/api/billing/webhook',
    payload: body,
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': `t=${at},v1=${signature},v0=00` },
  })
  return [answer.statusCode, answer.json().errorCode ?? answer.json()] as const
}

const stored = (id: string) => services.db.system.selectFrom('payment_event').selectAll().where('id', '=', id).execute()
/** How many jobs are queued for an object. */
async function jobsOf(objectId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from jobs.job
    where name = 'apply-payment-events' and data ->> 'id' = ${objectId}`.execute(services.db.system)
  return rows[0]?.count ?? 0
}
const accepted = [200, { received: true }]
const rejected = [400, 'VALIDATION_FAILED']

test('an event is stored once however often it comes, under either secret, with one job for its object', async () => {
  const { id, body } = eventOf('invoice.paid', { id: 'in_1', customer: { id: 'cus_1' } })
  const answers = await Promise.all([send(body), send(body, { by: oldSecret }), send(body), send(body)])
  expect(answers).toEqual([accepted, accepted, accepted, accepted])
  expect(await stored(id)).toEqual([
    expect.objectContaining({
      type: 'invoice.paid',
      object_id: 'in_1',
      customer_id: 'cus_1',
      happened_at: new Date(1_767_000_000_000),
      applied_at: null,
    }),
  ])
  const next = eventOf('invoice.updated', { id: 'in_1', customer: 'cus_1' })
  expect(await send(next.body)).toEqual(accepted)
  expect(await jobsOf('in_1')).toBe(1)
})

test.each([
  ['signed with another secret', { by: 'whsec_of_somebody_else' }],
  ['signed over another body', { signed: '{}' }],
  ['signed six minutes ago', { seconds: -360 }],
  ['signed six minutes ahead', { seconds: 360 }],
])('an event that is %s is rejected and leaves nothing', async (_how, how) => {
  const { id, body } = eventOf('invoice.paid', { id: 'in_2' })
  expect(await send(body, how)).toEqual(rejected)
  expect(await stored(id)).toEqual([])
})

test('an event of live mode is rejected under a test key, and so is what is no event', async () => {
  const { id, body } = eventOf('invoice.paid', { id: 'in_3' }, { livemode: true })
  expect(await send(body)).toEqual(rejected)
  expect(await stored(id)).toEqual([])
  expect(await send('{"id":"evt_x","object":"event"}')).toEqual(rejected)
})

test('an event about what is not mirrored is stored as done', async () => {
  const { id, body } = eventOf('charge.succeeded', { id: 'ch_1', customer: 'cus_1' })
  expect(await send(body)).toEqual(accepted)
  expect(await stored(id)).toEqual([expect.objectContaining({ applied_at: expect.any(Date) })])
  expect(await jobsOf('ch_1')).toBe(0)
})

test('a card that was removed still says whose it was', async () => {
  const { id, body } = eventOf('payment_method.detached', { id: 'pm_1', customer: null })
  const event = JSON.parse(body) as { data: object }
  event.data = { ...event.data, previous_attributes: { customer: 'cus_9' } }
  expect(await send(JSON.stringify(event))).toEqual(accepted)
  expect(await stored(id)).toEqual([expect.objectContaining({ object_id: 'pm_1', customer_id: 'cus_9' })])
})
