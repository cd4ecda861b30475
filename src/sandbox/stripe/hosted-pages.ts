import type { FastifyInstance, FastifyReply } from 'fastify'
import { hiddenFields, html, type Html, type HtmlValue, page, textFields } from '../core/html.ts'
import { onlyOwnHosts, sendPage } from '../core/send-page.ts'
import type { Account } from './account.ts'
import { completeSession, refuseConfirmation, successAddress } from './complete-checkout.ts'
import { collectInvoice } from './invoice-life.ts'
import { invoicePdf } from './invoice-pdf.ts'
import type { CheckoutSession, Invoice } from './model.ts'
import { addCard, attachMethod, type CardDetails } from './payment-methods.ts'
import { moneyOf } from './subscription-lines.ts'
import { StripeError } from './stripe-error.ts'

const testCards = [
  ['4242 4242 4242 4242', 'accepted'],
  ['4000 0000 0000 0002', 'declined'],
  ['4000 0025 0000 3155', 'needs authentication'],
  ['4000 0000 0000 0341', 'accepted, but later charges fail'],
]

const field = (name: string, label: string, value: string, hint = '', autocomplete = 'off'): Html =>
  html`<label>${label} <input name="${name}" value="${value}" placeholder="${hint}" autocomplete="${autocomplete}" inputmode="${name === 'email' || name === 'name' ? 'text' : 'numeric'}"></label>`

const hintList: Html = html`<details><summary>Test cards</summary><ul class="list">${testCards.map(([number, effect]) => html`<li><code>${number}</code> ${effect}</li>`)}</ul></details>`
const alertOf = (message: string): HtmlValue => message !== '' && html`<p role="alert"><strong>${message}</strong></p>`

function cardForm(action: string, button: string, values: Record<string, string>, extra: HtmlValue = null): Html {
  return html`<form method="post" action="${action}">
${extra}
${field('number', 'Card number', values.number ?? '', '4242 4242 4242 4242')}
${field('expiry', 'Expiry (MM / YY)', values.expiry ?? '', '12 / 34')}
${field('cvc', 'CVC', values.cvc ?? '', '123')}
${field('name', 'Cardholder name', values.name ?? '')}
<button name="answer" value="pay">${button}</button>
</form>${hintList}`
}

/** The card that was typed in; null when the fields are empty. Throws what the page shows. */
function readCard(values: Record<string, string>): CardDetails | null {
  const number = (values.number ?? '').replaceAll(/\D/g, '')
  if (number === '') return null
  const [, month = '', year = ''] = /^\s*(\d{1,2})\s*\/?\s*(?:20)?(\d\d)\s*$/.exec(values.expiry ?? '') ?? []
  if (month === '' || Number(month) < 1 || Number(month) > 12)
    throw new StripeError(402, { type: 'card_error', message: "Your card's expiration date is incomplete." })
  return {
    number,
    exp_month: Number(month),
    exp_year: 2000 + Number(year),
    name: values.name || null,
    email: values.email || null,
  }
}

const authenticationForm = (action: string, values: Record<string, string>): Html =>
  page(
    '3D Secure 2 test page',
    html`<p>The bank of this card asks you to confirm.</p><form method="post" action="${action}">
${hiddenFields(values)}
<button name="authentication" value="complete">Complete</button>
<button name="authentication" value="fail">Fail</button>
</form>`,
  )

const AUTHENTICATION_FAILED =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.'

function checkoutPage(
  account: Account,
  session: CheckoutSession,
  values: Record<string, string>,
  problem: string,
): Html {
  const rows = session._lineItems.map(item => {
    const price = account.get('price', item.price)
    const { interval = 'month' } = price.recurring ?? {}
    const name = account.find('product', price.product)?.name
    return html`<dt>${name}</dt><dd>${moneyOf((price.unit_amount ?? 0) * item.quantity, price.currency)} per ${interval}</dd>`
  })
  const data = session._subscriptionData as { trial_period_days?: number }
  const isSetup = session.mode === 'setup'
  const title = isSetup
    ? 'Save a payment method'
    : data.trial_period_days
      ? `Start your ${data.trial_period_days}-day free trial`
      : 'Subscribe'
  const email = account.find('customer', session.customer)?.email ?? session.customer_email
  const emailField =
    session.customer === null && session.customer_email === null
      ? field('email', 'Email', values.email ?? '')
      : html`<p>Email: ${email ?? 'none'}</p>`
  const button = isSetup ? 'Save card' : data.trial_period_days ? 'Start trial' : 'Subscribe'
  return page(
    title,
    html`<dl>${rows}</dl>${alertOf(problem)}
${session.payment_method_collection === 'if_required' && html`<p>A card is not required.</p>`}
${cardForm(`/stripe/checkout/${session.id}`, button, values, emailField)}
${session.cancel_url !== null && html`<p><a href="${session.cancel_url}">Back</a></p>`}`,
  )
}

function registerCheckout(app: FastifyInstance, account: Account): void {
  const find = (id: string, reply: FastifyReply): CheckoutSession | null => {
    const session = account.find('checkout.session', id)
    if (session?.status === 'open') return session
    const done = session?.status === 'complete'
    void sendPage(
      reply,
      done ? 200 : 404,
      page(
        done ? "You're all done here" : 'Something went wrong',
        html`<p>${done ? 'This checkout session was completed.' : 'The page you were looking for could not be found. This checkout session has expired or never existed.'}</p>`,
      ),
    )
    return null
  }
  app.get<{ Params: { id: string } }>('/stripe/checkout/:id', (request, reply) => {
    const session = find(request.params.id, reply)
    return session ? sendPage(reply, 200, checkoutPage(account, session, {}, '')) : reply
  })
  app.post<{ Params: { id: string } }>('/stripe/checkout/:id', (request, reply) => {
    const session = find(request.params.id, reply)
    if (!session) return reply
    const { authentication, ...values } = textFields(request.body)
    const shown = (problem: string) => sendPage(reply, 402, checkoutPage(account, session, values, problem))
    try {
      const card = readCard(values)
      if (authentication === 'fail') {
        if (card) refuseConfirmation(account, session, card)
        return shown(AUTHENTICATION_FAILED)
      }
      const outcome = completeSession(account, session, card, {
        isConfirmed: authentication === 'complete',
      })
      if (outcome === 'authenticate')
        return sendPage(reply, 200, authenticationForm(`/stripe/checkout/${session.id}`, values))
    } catch (error) {
      if (!(error instanceof StripeError)) throw error
      return shown(error.message)
    }
    return reply.redirect(successAddress(session), 303)
  })
}

function invoicePage(invoice: Invoice, values: Record<string, string>, problem: string): Html {
  const { currency, number, status } = invoice
  const rows = invoice._lines.map(
    line => html`<dt>${line.description ?? 'Item'}</dt><dd>${moneyOf(line.amount, currency)}</dd>`,
  )
  const address = `/stripe/invoice/${invoice._secret}`
  return page(
    `Invoice ${number ?? ''}`,
    html`<p>${status === 'paid' ? 'Invoice paid' : status === 'open' ? `${moneyOf(invoice.amount_remaining, currency)} due` : `This invoice is ${status}.`}</p>
<dl>${rows}<dt>Total</dt><dd>${moneyOf(invoice.total, currency)}</dd><dt>Amount due</dt><dd>${moneyOf(invoice.amount_due, currency)}</dd></dl>
<p><a href="${address}/pdf">Download invoice</a></p>
${alertOf(problem)}
${(status === 'open' || status === 'uncollectible') && cardForm(address, `Pay ${moneyOf(invoice.amount_remaining, currency)}`, values)}`,
  )
}

function registerInvoices(app: FastifyInstance, account: Account): void {
  const find = (secret: string): Invoice | null =>
    account.all('invoice').find(one => one._secret === secret && one.status !== 'draft') ?? null
  const none = (reply: FastifyReply) =>
    sendPage(reply, 404, page('Invoice not found', html`<p>This link leads to no invoice.</p>`))
  app.get<{ Params: { secret: string } }>('/stripe/invoice/:secret', (request, reply) => {
    const invoice = find(request.params.secret)
    return invoice ? sendPage(reply, 200, invoicePage(invoice, {}, '')) : none(reply)
  })
  app.get<{ Params: { secret: string } }>('/stripe/invoice/:secret/pdf', (request, reply) => {
    const invoice = find(request.params.secret)
    if (!invoice) return none(reply)
    return reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="Invoice-${invoice.number}.pdf"`)
      .send(invoicePdf(account, invoice))
  })
  app.post<{ Params: { secret: string } }>('/stripe/invoice/:secret', (request, reply) => {
    const invoice = find(request.params.secret)
    if (!invoice) return none(reply)
    const { authentication, ...values } = textFields(request.body)
    const address = `/stripe/invoice/${invoice._secret}`
    const shown = (problem: string) => sendPage(reply, 402, invoicePage(invoice, values, problem))
    if (authentication === 'fail') return shown(AUTHENTICATION_FAILED)
    try {
      const card = readCard(values)
      if (!card) return shown('Your card number is incomplete.')
      const outcome = account.transaction(() => {
        const method = addCard(account, card)
        const result = collectInvoice(account, invoice, {
          method,
          isPresent: true,
          isConfirmed: authentication === 'complete',
        })
        if (result?.ok) attachMethod(account, method, account.get('customer', invoice.customer))
        return result
      })
      if (outcome && 'needsAction' in outcome) return sendPage(reply, 200, authenticationForm(address, values))
      if (outcome && 'decline' in outcome) return shown(outcome.decline.message)
    } catch (error) {
      if (!(error instanceof StripeError)) throw error
      return shown(error.message)
    }
    return reply.redirect(address, 303)
  })
}

/** The pages of the provider that a customer sees in a browser: Checkout, invoices. */
export function registerHostedPages(app: FastifyInstance, account: Account): void {
  app.addHook('onRequest', onlyOwnHosts(account.world))
  registerCheckout(app, account)
  registerInvoices(app, account)
}
