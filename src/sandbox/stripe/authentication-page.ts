import type { FastifyInstance } from 'fastify'
import { html, page, textFields } from '../core/html.ts'
import { onlyOwnHosts, sendPage } from '../core/send-page.ts'
import type { Account } from './account.ts'
import { collectInvoice } from './invoice-life.ts'
import { failAuthentication } from './payments.ts'
import { confirmSetup, failSetupAuthentication } from './setup-intents.ts'

/** What the owner of the card answered to the bank. */
function settleAuthentication(account: Account, id: string, isConfirmed: boolean): void {
  const setup = account.find('setup_intent', id)
  if (setup) {
    const method = account.get('payment_method', setup.payment_method ?? '')
    if (isConfirmed) confirmSetup(account, setup, method, { isConfirmed })
    else failSetupAuthentication(account, setup, method)
    return
  }
  const intent = account.get('payment_intent', id)
  const method = account.get('payment_method', intent.payment_method ?? '')
  if (isConfirmed)
    collectInvoice(account, account.get('invoice', intent._invoice ?? ''), { method, isPresent: true, isConfirmed })
  else failAuthentication(account, intent, method)
}

/** The page of the bank to which `next_action` of a payment or setup leads. */
export function registerAuthentication(app: FastifyInstance, account: Account): void {
  app.addHook('onRequest', onlyOwnHosts(account.world))
  const isPending = (id: string): boolean =>
    (account.find('setup_intent', id) ?? account.find('payment_intent', id))?.status === 'requires_action'
  const over = page('Nothing to confirm', html`<p>You can close this page.</p>`)
  app.get<{ Params: { id: string } }>('/stripe/authenticate/:id', ({ params: { id } }, reply) => {
    const form = html`<p>The bank of this card asks you to confirm.</p>
<form method="post" action="/stripe/authenticate/${id}">
<button name="authentication" value="complete">Complete</button>
<button name="authentication" value="fail">Fail</button>
</form>`
    return sendPage(reply, 200, isPending(id) ? page('3D Secure 2 test page', form) : over)
  })
  app.post<{ Params: { id: string } }>('/stripe/authenticate/:id', (request, reply) => {
    const { id } = request.params
    const isConfirmed = textFields(request.body).authentication === 'complete'
    if (isPending(id)) account.transaction(() => settleAuthentication(account, id, isConfirmed))
    return reply.redirect(`/stripe/authenticate/${id}`, 303)
  })
}
