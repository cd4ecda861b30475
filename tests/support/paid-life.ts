import Stripe from 'stripe'
import type { Services } from '#server/context.ts'
import type { servicesWithOutside } from './outside.ts'

/** What the payment provider answers at one moment of a life. */
interface Snapshot {
  subscriptions: Stripe.Subscription[]
  invoices: Stripe.Invoice[]
  payments: Map<string, Stripe.InvoicePayment[]>
  events: Stripe.Event[]
}

export interface PaidLife {
  /** The number of the last step. */
  last: number
  /** With the step in which each happened. */
  events: { event: Stripe.Event; step: number }[]
  /** As they are at the end. */
  invoices: Stripe.Invoice[]
  /** The provider's client as it answered after a step. */
  clientAt(step: number): Stripe
}

/** The official client of an emulated provider. */
export function stripeOf(sandboxUrl: string): Stripe {
  const { port } = new URL(sandboxUrl)
  return new Stripe('sk_test_sandbox', { host: 'localhost', port, protocol: 'http', telemetry: false })
}

/** Makes an account a customer of the emulated provider, with a price of the Growth plan and a way to change its card. */
export async function payingCustomer({ db }: Pick<Services, 'db'>, stripe: Stripe, accountId: number) {
  const metadata = { accountId: String(accountId) }
  const { id: price } = await stripe.prices.create({
    product_data: { name: 'Growth' },
    currency: 'usd',
    unit_amount: 9900,
    recurring: { interval: 'month' },
    metadata: { planId: '2' },
  })
  const { id: customer } = await stripe.customers.create({ email: `payer-${accountId}@people.test`, metadata })
  await db.system.updateTable('account').set({ stripe_customer_id: customer }).where('id', '=', accountId).execute()
  const useCard = async (token: string) => {
    const { id } = await stripe.paymentMethods.attach(token, { customer })
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
  }
  return { price, customer, metadata, useCard }
}

/**
 * Lets the emulated provider live through a subscription of an account: a trial with a card, a renewal that fails and is paid
 * with another card, a fee of its own, a cancellation. Answers every state in between.
 */
export async function recordLife(
  { services, sandbox }: Awaited<ReturnType<typeof servicesWithOutside>>,
  accountId: number,
): Promise<PaidLife> {
  const stripe = stripeOf(sandbox.url)
  const { price, customer, metadata, useCard } = await payingCustomer(services, stripe, accountId)
  const advance = async (duration: string) => {
    const answer = await sandbox.control('POST', 'clock', { advance: duration })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const openInvoice = async () => (await stripe.invoices.list({ customer, status: 'open' })).data[0]?.id ?? ''
  let subscription = ''
  const steps: (() => Promise<unknown>)[] = [
    () => useCard('pm_card_visa'),
    async () => {
      const items = [{ price }]
      subscription = (await stripe.subscriptions.create({ customer, items, trial_period_days: 7, metadata })).id
    },
    () => advance('P7D'),
    () => advance('PT2H'),
    () => useCard('pm_card_chargeCustomerFail'),
    () => advance('P31D'),
    () => advance('PT2H'),
    () => advance('P3DT1H'),
    () => useCard('pm_card_visa'),
    async () => stripe.invoices.pay(await openInvoice()),
    async () => {
      const more = { kind: 'AD_SPEND', ...metadata }
      const { id: fee } = await stripe.invoices.create({ customer, auto_advance: false, metadata: more })
      await stripe.invoiceItems.create({ customer, invoice: fee, amount: 1250, currency: 'usd' })
      await stripe.invoices.finalizeInvoice(fee)
      await stripe.invoices.pay(fee)
    },
    () => stripe.subscriptions.update(subscription, { cancel_at_period_end: true }),
    () => advance('P31D'),
  ]
  const snapshots: Snapshot[] = []
  const seen = new Map<string, { event: Stripe.Event; step: number }>()
  for (const [step, act] of steps.entries()) {
    await act()
    const snapshot = await takeSnapshot(stripe, customer)
    snapshots.push(snapshot)
    for (const event of snapshot.events)
      if (!isOfCards(event) && !seen.has(event.id)) seen.set(event.id, { event, step })
    // The provider lists a month of them; the job that reads the list runs every ten minutes.
    snapshot.events = [...seen.values()].map(({ event }) => event)
  }
  return {
    last: steps.length - 1,
    events: [...seen.values()],
    invoices: snapshots.at(-1)?.invoices ?? [],
    clientAt: step => replayed(snapshots[step]),
  }
}

// Cards are not mirrored: what follows from their events is the business of the verbs for cards.
const isOfCards = ({ type }: Stripe.Event): boolean => /^(payment_method|setup_intent|customer\.updated)/.test(type)

async function takeSnapshot(stripe: Stripe, customer: string): Promise<Snapshot> {
  const every = { limit: 10_000 }
  const invoices = await stripe.invoices.list({ customer, limit: 100 }).autoPagingToArray(every)
  const payments = new Map<string, Stripe.InvoicePayment[]>()
  for (const { id } of invoices) {
    const expand = ['data.payment.payment_intent']
    payments.set(id, (await stripe.invoicePayments.list({ invoice: id, expand })).data)
  }
  const expand = ['data.customer']
  return {
    invoices,
    payments,
    subscriptions: await stripe.subscriptions
      .list({ customer, status: 'all', limit: 100, expand })
      .autoPagingToArray(every),
    events: await stripe.events.list({ limit: 100 }).autoPagingToArray(every),
  }
}

const idOf = (reference: string | { id: string } | null | undefined): string | undefined =>
  typeof reference === 'string' ? reference : reference?.id

/** Of the client what the product reads. */
function replayed(snapshot: Snapshot | undefined): Stripe {
  if (!snapshot) throw new Error('There is no such step.')
  const { subscriptions, invoices, payments, events } = snapshot
  const found = <T extends { id: string }>(all: readonly T[], id: string): T => {
    const one = all.find(object => object.id === id)
    if (!one) throw new Error(`There is no ${id} yet.`)
    return one
  }
  const page = <T>(data: T[]) =>
    Object.assign(Promise.resolve({ data, has_more: false }), { autoPagingToArray: () => Promise.resolve(data) })
  return {
    subscriptions: { retrieve: async (id: string) => found(subscriptions, id), list: () => page(subscriptions) },
    invoices: {
      retrieve: async (id: string) => found(invoices, id),
      list: ({ subscription, status }: Stripe.InvoiceListParams) =>
        page(
          invoices.filter(
            one =>
              (!status || one.status === status) &&
              (!subscription || idOf(one.parent?.subscription_details?.subscription) === subscription),
          ),
        ),
    },
    invoicePayments: { list: ({ invoice }: { invoice: string }) => page(payments.get(invoice) ?? []) },
    events: { list: () => page(events) },
  } as unknown as Stripe
}
