import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startSandbox } from '#sandbox/start-sandbox.ts'
import { createLog } from '#server/log/log.ts'
import { createPayments } from './index.ts'

let sandbox: Awaited<ReturnType<typeof startSandbox>>
const secrets = ['whsec_new', 'whsec_old']
const connect = (options: Partial<Parameters<typeof createPayments>[0]> = {}) =>
  createPayments({
    secretKey: 'sk_test_sandbox',
    url: sandbox.url,
    webhookSecrets: secrets,
    log: createLog({ level: 'silent' }),
    ...options,
  })
const addCustomer = (key: string, payments = connect()) =>
  payments.write('createCustomer', key, (stripe, once) => stripe.customers.create({ metadata: { key } }, once))
const customersOf = async (key: string) => {
  const all = await connect().read('listCustomers', stripe => stripe.customers.list({ limit: 100 }))
  return all.data.filter(({ metadata }) => metadata['key'] === key)
}

beforeAll(async () => {
  process.env.STRIPE_SUPPRESS_NOTICES = 'true'
  sandbox = await startSandbox({ scenario: 'new-seller' })
})
afterEach(() => sandbox.world.faults.clear())
afterAll(() => sandbox.close())

test('a write is done once under its key, also by another process and when its reply is lost', async () => {
  const fault = sandbox.world.faults.add({ match: { vendor: 'stripe', method: 'POST' }, times: 1, kind: 'drop-after' })
  const first = await addCustomer('lost')
  expect(fault).toBeTruthy()
  expect((await addCustomer('lost', connect())).id).toBe(first.id)
  expect(await customersOf('lost')).toHaveLength(1)
})

test('a write whose outcome is not known differs from one that was refused; a read only has no answer', async () => {
  const down = { match: { vendor: 'stripe' }, times: 10, kind: 'drop-before' } as const
  sandbox.world.faults.add(down)
  await expect(addCustomer('down')).rejects.toMatchObject({ name: 'AmbiguousOutcome', operation: 'createCustomer' })
  await expect(connect().read('listPrices', stripe => stripe.prices.list())).rejects.toMatchObject({
    name: 'UpstreamUnavailable',
  })
  sandbox.world.faults.clear()
  expect(await customersOf('down')).toHaveLength(0)
  await expect(connect().read('retrieve', stripe => stripe.customers.retrieve('cus_of_nobody'))).rejects.toMatchObject({
    name: 'UpstreamRejected',
    code: 'resource_missing',
    status: 404,
  })
  await expect(addCustomer('key', connect({ secretKey: 'sk_test_' }))).rejects.toMatchObject({
    name: 'UpstreamUnauthorized',
  })
})

test('without a key of the provider, calls say that nobody can pay here', async () => {
  const payments = connect({ secretKey: undefined })
  expect(payments.isOn).toBe(false)
  await expect(addCustomer('off', payments)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
})

function signed(body: string, secret: string, secondsFromNow = 0): [Buffer, string] {
  const t = Math.floor(Date.now() / 1000) + secondsFromNow
  return [Buffer.from(body), `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`]
}
const event = JSON.stringify({ id: 'evt_1', object: 'event', type: 'invoice.paid', data: { object: { id: 'in_1' } } })

test.each([...secrets])('an event signed with one of our secrets is read: %s', async secret => {
  expect(await connect().readEvent(...signed(event, secret))).toMatchObject({ id: 'evt_1', type: 'invoice.paid' })
})

test.each([
  ['a foreign secret', signed(event, 'whsec_foreign')],
  ['an old signature', signed(event, 'whsec_new', -400)],
  ['a signature from the future', signed(event, 'whsec_new', 400)],
  ['another body', [Buffer.from(`${event} `), signed(event, 'whsec_new')[1]] as const],
  ['no time', [Buffer.from(event), 'v1=00'] as const],
  ['no event', signed('{', 'whsec_new')],
])('an event is refused with %s', async (_what, [body, signature]) => {
  await expect(connect().readEvent(body, signature)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
})
