import type { Payments, Stripe } from '#integrations/stripe/index.ts'
import { AmbiguousOutcome, UpstreamRejected, UpstreamUnavailable } from '#server/http-client/upstream-errors.ts'

interface Item {
  id: string
  amount: number
  metadata: Record<string, string>
}
interface Invoice {
  id: string
  customer: string
  status: 'draft' | 'open'
  total: number
  currency: string
  collection_method: string
  default_payment_method: null
  metadata: Record<string, string>
  items: Item[]
}

/** What happens around the next write. */
export type Trouble = 'none' | 'lost-reply' | 'failure-500' | 'down'

/**
 * The provider's calls that make an invoice, in memory: for thousands of invoices. Writes are done once under their key, and
 * a failure with status 500 is repeated under it; `forgetKeys` is the end of the day for which it remembers them.
 */
export class PaymentStandIn implements Payments {
  readonly isOn = true
  readonly invoices = new Map<string, Invoice[]>()
  trouble: () => Trouble = () => 'none'
  readonly #keys = new Map<string, { value?: unknown; failed?: true }>()
  readonly #byId = new Map<string, Invoice>()
  #ids = 0

  forgetKeys(): void {
    this.#keys.clear()
  }

  readonly read: Payments['read'] = async (operation, send) => {
    // The mirror of invoices has to wait for their events.
    if (operation === 'invoices.retrieve') throw new UpstreamUnavailable('down', { upstream: 'stripe', operation })
    return send(this.#client)
  }

  readonly write: Payments['write'] = async (operation, key, send) => {
    const context = { upstream: 'stripe', operation }
    const trouble = this.trouble()
    if (trouble === 'down') throw new AmbiguousOutcome('no answer', context)
    const done = this.#keys.get(key)
    if (done?.failed) throw new AmbiguousOutcome('failed', { ...context, status: 500 })
    if (done) return done.value as never
    if (trouble === 'failure-500') {
      this.#keys.set(key, { failed: true })
      throw new AmbiguousOutcome('failed', { ...context, status: 500 })
    }
    const value = await send(this.#client, { idempotencyKey: key })
    this.#keys.set(key, { value })
    if (trouble === 'lost-reply') throw new AmbiguousOutcome('no answer', context)
    return value
  }

  readonly readEvent: Payments['readEvent'] = () => Promise.reject(new Error('there are no events'))

  #invoice(id: string): Invoice {
    const invoice = this.#byId.get(id)
    if (!invoice)
      throw new UpstreamRejected('no such invoice', { upstream: 'stripe', operation: '', code: 'resource_missing' })
    return invoice
  }

  readonly #client = {
    customers: {
      retrieve: (id: string) => Promise.resolve({ id, invoice_settings: { default_payment_method: 'pm_card' } }),
    },
    invoices: {
      list: ({ customer }: { customer: string }) => listed(this.invoices.get(customer) ?? []),
      retrieve: (id: string) => Promise.resolve({ ...this.#invoice(id) }),
      create: ({ customer, metadata }: Stripe.InvoiceCreateParams & { customer: string }) => {
        const invoice: Invoice = {
          id: `in_${++this.#ids}`,
          customer,
          status: 'draft',
          total: 0,
          currency: 'usd',
          collection_method: 'charge_automatically',
          default_payment_method: null,
          metadata: metadata as Record<string, string>,
          items: [],
        }
        this.#byId.set(invoice.id, invoice)
        this.invoices.set(customer, [...(this.invoices.get(customer) ?? []), invoice])
        return Promise.resolve({ ...invoice })
      },
      finalizeInvoice: (id: string) => {
        const invoice = this.#invoice(id)
        if (invoice.status !== 'draft') throw new UpstreamRejected('final', { upstream: 'stripe', operation: '' })
        invoice.status = 'open'
        return Promise.resolve({ ...invoice })
      },
    },
    invoiceItems: {
      list: ({ invoice }: { invoice: string }) => listed(this.#invoice(invoice).items),
      create: ({ invoice: id, amount = 0, metadata }: Stripe.InvoiceItemCreateParams) => {
        const invoice = this.#invoice(id ?? '')
        if (invoice.status !== 'draft') throw new UpstreamRejected('final', { upstream: 'stripe', operation: '' })
        const item = { id: `ii_${++this.#ids}`, amount, metadata: metadata as Record<string, string> }
        invoice.items.push(item)
        invoice.total += amount
        return Promise.resolve(item)
      },
    },
  } as unknown as Stripe
}

const listed = <T>(rows: readonly T[]) => ({
  autoPagingToArray: () => Promise.resolve(rows.map(row => ({ ...row })).reverse()),
})
