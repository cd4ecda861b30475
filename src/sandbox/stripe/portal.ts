import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { html, page, textFields } from '../core/html.ts'
import { onlyOwnHosts, sendPage } from '../core/send-page.ts'
import { type Account, newId } from './account.ts'
import type { Handlers } from './calls.ts'
import { liveCustomer } from './customers.ts'
import type { PortalSession } from './model.ts'
import { moneyOf } from './subscription-lines.ts'
import { updateSubscription } from './subscription-update.ts'

export const portalHandlers = {
  'billingPortal.sessions.create': (account, params: Stripe.BillingPortal.SessionCreateParams) => {
    const customer = liveCustomer(account, params.customer ?? '', 'customer')
    const id = newId('bps')
    return account.add('billing_portal.session', {
      id,
      configuration: params.configuration ?? 'bpc_sandbox',
      customer: customer.id,
      locale: params.locale ?? null,
      return_url: params.return_url ?? null,
      url: `${account.world.config.publicUrl}/stripe/portal/${id}`,
    } as Partial<PortalSession>)
  },
} satisfies Partial<Handlers>

const dayOf = (moment: number): string => new Date(moment * 1000).toISOString().slice(0, 10)

function portalPage(account: Account, session: PortalSession) {
  const subscriptions = account
    .all('subscription')
    .filter(one => one.customer === session.customer && one.ended_at === null)
  const invoices = account
    .all('invoice')
    .filter(one => one.customer === session.customer && one.hosted_invoice_url !== null)
  const methods = account.all('payment_method').filter(one => one.customer === session.customer)
  return page(
    'Billing',
    html`<h2>Subscriptions</h2>
${subscriptions.length === 0 && html`<p>None.</p>`}
${subscriptions.map(one => {
  const [item] = one._items
  const product = account.find('product', account.find('price', item?.price)?.product)
  const action = one.cancel_at_period_end ? 'renew' : 'cancel'
  return html`<p>${product?.name} (${one.status}), ${one.cancel_at_period_end ? 'ends' : 'renews'} on ${dayOf(item?.current_period_end ?? 0)}</p>
<form method="post" action="/stripe/portal/${session.id}"><input type="hidden" name="subscription" value="${one.id}">
<button name="action" value="${action}">${action === 'cancel' ? 'Cancel subscription' : 'Renew subscription'}</button></form>`
})}
<h2>Payment methods</h2><ul class="list">${methods.map(({ card }) => html`<li>${card.brand} ${card.last4}, expires ${card.exp_month}/${card.exp_year}</li>`)}</ul>
<h2>Invoices</h2><ul class="list">${invoices.map(one => html`<li><a href="${one.hosted_invoice_url}">${one.number}</a> ${moneyOf(one.total, one.currency)}, ${one.status}</li>`)}</ul>
${session.return_url !== null && html`<p><a href="${session.return_url}">Return</a></p>`}`,
  )
}

/** The page on which a customer manages the subscription without the application. */
export function registerPortal(app: FastifyInstance, account: Account): void {
  app.addHook('onRequest', onlyOwnHosts(account.world))
  const none = page('Not found', html`<p>This link has expired.</p>`)
  app.get<{ Params: { id: string } }>('/stripe/portal/:id', (request, reply) => {
    const session = account.find('billing_portal.session', request.params.id)
    return session ? sendPage(reply, 200, portalPage(account, session)) : sendPage(reply, 404, none)
  })
  app.post<{ Params: { id: string } }>('/stripe/portal/:id', (request, reply) => {
    const session = account.find('billing_portal.session', request.params.id)
    if (!session) return sendPage(reply, 404, none)
    const { subscription: id, action } = textFields(request.body)
    const subscription = account.find('subscription', id)
    if (subscription?.customer === session.customer)
      account.transaction(() =>
        updateSubscription(account, subscription, { cancel_at_period_end: action === 'cancel' }),
      )
    return reply.redirect(`/stripe/portal/${session.id}`, 303)
  })
}
