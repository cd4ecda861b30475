import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ctx } from '#server/context.ts'
import { cards, enterCard, openPaymentsScene, type PaymentsScene } from '../../../../tests/support/payments-scene.ts'
import type { PaymentTask } from '../../../../tests/support/run-payment.ts'
import { changePlan, previewPlanChange } from './change-plan.ts'
import { checkoutStatus, startCheckout } from './checkout.ts'
import { customerOf } from './customer.ts'
import { getSubscription } from './get-subscription.ts'

const isServerStep = process.env.TEST_DATABASE_URL !== undefined
if (!isServerStep) process.stdout.write('Killed payments are tested in the step that has a PostgreSQL server.\n')

const script = fileURLToPath(new URL('../../../../tests/support/run-payment.ts', import.meta.url))
const [growth, agency] = [2, 3]

let scene: PaymentsScene
/** Stands between a process and the provider, and kills the process at a call: before the provider hears of it, or after. */
let between: Server
let child: ChildProcess | undefined
let trap: { path: string; when: 'before' | 'after' } | null = null

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

// The embedded database belongs to one process.
describe.skipIf(!isServerStep)('a process is killed', () => {
  beforeAll(async () => {
    scene = await openPaymentsScene()
    between = createServer((request, response) => {
      void (async () => {
        const { method = 'GET', url = '', headers } = request
        const body = await bodyOf(request)
        const isTrap = trap !== null && method === 'POST' && url.startsWith(trap.path)
        if (isTrap && trap?.when === 'before') return child?.kill('SIGKILL')
        const { host: _host, connection: _connection, 'content-length': _length, ...others } = headers
        const reply = await fetch(scene.services.config.STRIPE_URL + url, {
          method,
          headers: others as Record<string, string>,
          ...(method === 'POST' && { body: new Uint8Array(body) }),
        })
        const text = await reply.text()
        if (isTrap) return child?.kill('SIGKILL')
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text)
      })()
    })
    await new Promise<void>(resolve => between.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    child?.kill('SIGKILL')
    between.closeAllConnections()
    between.close()
    await scene.close()
  })

  /** Lets another process do this for the account, until it is killed at this call. */
  async function killAt(
    path: string,
    when: 'before' | 'after',
    { actor }: Ctx,
    task: Pick<PaymentTask, 'buy' | 'change'>,
  ) {
    const { raw } = scene.services.db
    const whole: PaymentTask = {
      databaseUrl: 'connectionString' in raw ? raw.connectionString : '',
      providerUrl: `http://127.0.0.1:${(between.address() as AddressInfo).port}`,
      now: scene.services.clock.now().toISOString(),
      accountId: actor.accountId,
      ...task,
    }
    trap = { path, when }
    child = fork(script, [JSON.stringify(whole)])
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
    expect(signal).toBe('SIGKILL')
  }

  test('in the middle of a checkout: its owner gets one page, and pays once', async () => {
    const ctx = await scene.newOwner()
    await killAt('/v1/customers', 'after', ctx, { buy: growth })
    await killAt('/v1/checkout/sessions', 'before', ctx, { buy: growth })
    await killAt('/v1/checkout/sessions', 'after', ctx, { buy: growth })
    const { sessionId, url } = await startCheckout(ctx, growth)
    const customer = await customerOf(ctx, ctx.actor.accountId)
    const own = { metadata: { accountId: String(ctx.actor.accountId) } }
    const { data: all } = await scene.stripe.customers.list({ limit: 100 })
    expect(all.filter(one => one.metadata.accountId === own.metadata.accountId).map(({ id }) => id)).toEqual([customer])
    const { data: sessions } = await scene.stripe.checkout.sessions.list({ customer })
    expect(sessions.map(({ id }) => id)).toEqual([sessionId])
    await enterCard(url, cards.good)
    expect(await checkoutStatus(ctx, sessionId)).toMatchObject({ paymentStatus: 'paid', subscriptionStatus: 'active' })
    const { data: paid } = await scene.stripe.charges.list({ customer })
    expect(paid.map(({ amount }) => amount)).toEqual([9900])
  })

  test.each(['before', 'after'] as const)(
    'in the middle of a change of plan, %s it was made: it is charged once',
    async when => {
      const ctx = await scene.newOwner()
      const { sessionId, url } = await startCheckout(ctx, growth)
      await enterCard(url, cards.good)
      await checkoutStatus(ctx, sessionId)
      await scene.advance('P10D')
      const change = await previewPlanChange(ctx, agency)
      await killAt('/v1/subscriptions/sub_', when, ctx, { change })
      expect(await getSubscription(ctx)).toMatchObject({ planId: growth })
      expect(await changePlan(ctx, change)).toMatchObject({ planId: agency, hasAccess: true })
      expect(await changePlan(ctx, change)).toMatchObject({ planId: agency })
      const { data: charges } = await scene.stripe.charges.list({
        customer: await customerOf(ctx, ctx.actor.accountId),
      })
      expect(charges.map(({ amount }) => amount)).toEqual([Math.round(change.amountDue * 100), 9900])
    },
  )
})
