import { afterAll, afterEach, beforeAll } from 'vitest'
import { customerOf, settleSubscription } from '#features/subscription/server/public.ts'
import { settleInvoice } from '#features/billing/server/public.ts'
import type { Stripe } from '#integrations/stripe/index.ts'
import type { Ctx, JobDefinition } from '#server/context.ts'
import { servicesWithOutside } from './outside.ts'
import { addAccount, callerOf } from './people.ts'

export interface Subscriber {
  ctx: Ctx
  customer: string
  subscription: string
  /** The card that the subscription is charged to. */
  card: string
}
export type BillingScene = Awaited<ReturnType<typeof openBillingScene>>

/** The scene of a file of tests; each of its tests begins without faults. */
export function billingScene(options: Parameters<typeof openBillingScene>[0] = {}): BillingScene {
  const scene = {} as BillingScene
  beforeAll(async () => void Object.assign(scene, await openBillingScene(options)))
  afterEach(() => scene.sandbox.world.faults.clear())
  afterAll(() => scene.close())
  return scene
}

/** The product with the emulated payment provider, which sells one plan, Growth for $99. */
async function openBillingScene({ jobs = [] }: { jobs?: readonly JobDefinition<never>[] } = {}) {
  const { services, sandbox } = await servicesWithOutside({ scenario: 'new-seller', jobs })
  const stripe = <T>(call: (client: Stripe) => Promise<T>): Promise<T> =>
    services.integrations.payments.write('prepare a test', crypto.randomUUID(), call)
  const price = await stripe(client =>
    client.prices.create({
      product_data: { name: 'Growth' },
      currency: 'usd',
      unit_amount: 9900,
      recurring: { interval: 'month' },
    }),
  )
  await services.db.system.updateTable('plan').set({ stripe_price_id: price.id }).where('name', '=', 'Growth').execute()

  const addMethod = async (customer: string, card: string): Promise<string> =>
    (await stripe(client => client.paymentMethods.attach(card, { customer }))).id

  return {
    services,
    sandbox,
    priceId: price.id,
    /** A call to the provider that the product does not make. */
    stripe,
    addMethod,
    /** An account that pays for Growth with this card, with everything about it settled. */
    addSubscriber: async (testCard = 'pm_card_visa'): Promise<Subscriber> => {
      const ctx = await callerOf(services, await addAccount(services))
      const customer = await customerOf(services, ctx.actor.accountId)
      const card = await addMethod(customer, testCard)
      const created = await stripe(client =>
        client.subscriptions.create({
          customer,
          items: [{ price: price.id }],
          default_payment_method: card,
          payment_behavior: 'allow_incomplete',
        }),
      )
      await settleSubscription(services, created.id)
      const { data } = await stripe(client => client.invoices.list({ customer }))
      for (const { id } of data) await settleInvoice(services, id)
      return { ctx, customer, subscription: created.id, card }
    },
    /** Every call to the provider fails until the faults are cleared. */
    providerIsDown: () =>
      sandbox.world.faults.add({ match: { vendor: 'stripe' }, kind: 'status', status: 503, times: 1000 }),
    later: (ctx: Ctx, minutes: number): Ctx => ({
      ...ctx,
      clock: { now: () => new Date(services.clock.now().getTime() + minutes * 60_000) },
    }),
    close: () => services.close(),
  }
}
