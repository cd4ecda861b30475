import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from '../core/error-wording.ts'
import type { World } from '../core/world.ts'
import { Account, API_VERSION, newId } from './account.ts'
import { registerAuthentication } from './authentication-page.ts'
import type { Handler, Handlers } from './calls.ts'
import { registerStripeControl } from './control.ts'
import { Deliveries } from './deliveries.ts'
import { registerHostedPages } from './hosted-pages.ts'
import type { StripeObject } from './model.ts'
import { type OperationName, operations } from './operations.ts'
import { expandAnswer, presentObject } from './present.ts'
import { portalHandlers, registerPortal } from './portal.ts'
import { digestOf, SavedAnswers } from './saved-answers.ts'
import { type DueTask, nextOfInvoice, nextOfSubscription } from './subscription-cycle.ts'
import { catalogueHandlers } from './catalogue.ts'
import { customerHandlers } from './customers.ts'
import { invoiceItemHandlers } from './invoice-items.ts'
import { invoiceHandlers } from './invoices.ts'
import { paymentMethodHandlers } from './payment-methods.ts'
import { paymentHandlers } from './payments.ts'
import { refundHandlers } from './refunds.ts'
import { setupIntentHandlers } from './setup-intents.ts'
import { subscriptionHandlers } from './subscriptions.ts'
import { checkoutHandlers, expireSession } from './checkout.ts'
import { eventHandlers } from './events.ts'
import { StripeError, invalid, stripeWording, unrecognizedUrl } from './stripe-error.ts'
import { decodeForm, readParameters } from './wire/parameters.ts'

/** The account's secret key. */
const SECRET_KEY = 'sk_test_sandbox'
/** How often the account looks whether the time has come for something. */
const TICK_MS = 5000
const DOCS =
  'See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/.'
/** What carries out each call. */
const handlers: Handlers = {
  ...catalogueHandlers,
  ...checkoutHandlers,
  ...customerHandlers,
  ...eventHandlers,
  ...invoiceHandlers,
  ...invoiceItemHandlers,
  ...paymentHandlers,
  ...paymentMethodHandlers,
  ...portalHandlers,
  ...refundHandlers,
  ...setupIntentHandlers,
  ...subscriptionHandlers,
}

/** More than any advance of the clock causes; a task that does not move its object on would otherwise run forever. */
const MAX_TASKS = 100_000

function nextTask(account: Account): DueTask | null {
  const tasks = [
    ...account.all('subscription').map(one => nextOfSubscription(account, one)),
    ...account.all('invoice').map(one => nextOfInvoice(account, one)),
    ...account
      .all('checkout.session')
      .map(one => (one.status === 'open' ? { at: one.expires_at, run: () => expireSession(account, one) } : null)),
  ]
  let next: DueTask | null = null
  for (const task of tasks) if (task && (!next || task.at < next.at)) next = task
  return next
}

/** Lets happen, in its order, whatever became due until now: trials that end, renewals, retries, sessions that expire. */
function catchUp(account: Account): void {
  const now = account.now()
  account.transaction(() => {
    account.forgetOldEvents()
    for (let i = 0; i < MAX_TASKS; i++) {
      const task = nextTask(account)
      if (!task || task.at > now) break
      account.at(task.at, task.run)
    }
  })
}

const unauthorized = (message: string, code?: string): StripeError =>
  invalid(message, code === undefined ? {} : { code }, 401)

/** The secret key of a request, as a bearer token or as the user name of basic authentication. */
function keyOf({ headers }: FastifyRequest): string | null {
  const [, scheme = '', value = ''] = /^(Bearer|Basic)\s+(\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (value === '') return null
  return scheme.toLowerCase() === 'bearer' ? value : (Buffer.from(value, 'base64').toString().split(':')[0] ?? null)
}

function checkKey(request: FastifyRequest, expected: string): void {
  const key = keyOf(request)
  if (key === null)
    throw unauthorized(
      `You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). ${DOCS}`,
    )
  if (key.startsWith('pk_'))
    throw unauthorized(
      'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
      'secret_key_required',
    )
  if (key !== expected)
    throw unauthorized(
      `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(Math.max(0, key.length - 12))}${key.slice(-4)}`,
    )
}

const idempotencyKey = ({ method, headers }: FastifyRequest): string | null =>
  method === 'POST' && typeof headers['idempotency-key'] === 'string' ? headers['idempotency-key'] : null
const pathOf = (request: FastifyRequest): string =>
  (request.raw.url ?? '').split('?')[0]?.replace(/^\/stripe/, '') ?? ''
/** The parameters as they came: in the query of GET and DELETE, in the body of POST. */
const rawParameters = (request: FastifyRequest): string =>
  request.method === 'POST'
    ? ((request.body as string | undefined) ?? '')
    : ((request.raw.url ?? '').split('?')[1] ?? '')

interface State {
  requestId: string
  release: (() => void) | null
}
declare module 'fastify' {
  interface FastifyRequest {
    stripe: State
  }
}

/** The payment provider's API under /v1, as its official clients call it. */
export function registerStripe(app: FastifyInstance, world: World): void {
  world.errorWordings.set('stripe', stripeWording)
  const account = new Account(world)
  const answers = new SavedAnswers(world)
  const deliveries = new Deliveries(account)
  const proceed = (): void => {
    catchUp(account)
    deliveries.sendDue()
  }
  world.clock.onMoved(proceed)
  const ticking = setInterval(proceed, TICK_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(ticking)
    deliveries.close()
  })
  void app.register(async scope => registerApi(scope, account, answers))
  void app.register(async scope => registerStripeControl(scope, account))
  void app.register(async scope => {
    scope.addHook('preHandler', async () => catchUp(account))
    registerHostedPages(scope, account)
    registerPortal(scope, account)
    registerAuthentication(scope, account)
  })
}

function registerApi(app: FastifyInstance, account: Account, answers: SavedAnswers): void {
  app.decorateRequest('stripe')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))

  app.addHook('onRequest', async (request, reply) => {
    request.stripe = { requestId: newId('req').slice(0, 18), release: null }
    const key = idempotencyKey(request)
    void reply.headers({
      'request-id': request.stripe.requestId,
      'stripe-version': API_VERSION,
      'access-control-allow-origin': '*',
      'cache-control': 'no-cache, no-store',
      ...(key !== null && { 'idempotency-key': key }),
    })
    checkKey(request, SECRET_KEY)
    const version = request.headers['stripe-version']
    if (typeof version === 'string' && !/^\d{4}-\d\d-\d\d(\.[a-z_]+)?$/.test(version))
      throw invalid(`Invalid Stripe API version: ${version}`)
    if (key === null) return
    request.stripe.release = answers.begin(key)
    reply.raw.once('close', request.stripe.release)
  })

  // An internal error is an answer like any other: a retry with the same key gets it again. So it tells clients not to retry.
  app.addHook('onSend', async (request, reply, payload) => {
    const key = idempotencyKey(request)
    if (key === null || reply.statusCode !== 500 || typeof payload !== 'string') return payload
    void reply.header('stripe-should-retry', 'false')
    answers.save(key, answerOf(request, 500, payload))
    return payload
  })

  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error instanceof StripeError) return sendError(reply, error.reply)
    const status = error.statusCode ?? 500
    if (status >= 500) process.stderr.write(`${error.stack}\n`)
    return sendError(reply, stripeWording.failed(request, status))
  })
  const notFound = (request: FastifyRequest): never => {
    throw unrecognizedUrl(request.method, pathOf(request))
  }
  void app.register(async scope => void scope.setNotFoundHandler(notFound), { prefix: '/stripe' })

  for (const name of Object.keys(operations) as OperationName[]) {
    const [method = '', path = ''] = operations[name].split(' ')
    app.route({
      method,
      url: `/stripe${path}`,
      handler: (request, reply) => answer(account, answers, name, request, reply),
    })
  }
}

const answerOf = (request: FastifyRequest, status: number, body: string) => ({
  path: pathOf(request),
  digest: digestOf(rawParameters(request)),
  status,
  body,
  requestId: request.stripe.requestId,
})

function answer(
  account: Account,
  answers: SavedAnswers,
  name: OperationName,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const key = idempotencyKey(request)
  const raw = rawParameters(request)
  const saved = key === null ? null : answers.find(key, pathOf(request), digestOf(raw))
  if (saved)
    return reply
      .code(saved.status)
      .headers({ 'idempotent-replayed': 'true', 'original-request': saved.requestId })
      .type('application/json')
      .send(saved.body)
  // A problem with the parameters is not saved: the call did not begin.
  const params = readParameters(name, decodeForm(raw))
  catchUp(account)
  const { status, body } = carryOut(account, name, params, request)
  const text = JSON.stringify(body, null, 2)
  // Before the answer is sent, so that it is there when the connection is lost.
  if (key !== null && status !== 500) answers.save(key, answerOf(request, status, text))
  return reply.code(status).type('application/json').send(text)
}

function carryOut(account: Account, name: OperationName, params: Record<string, unknown>, request: FastifyRequest) {
  account.request = { id: request.stripe.requestId, idempotency_key: idempotencyKey(request) }
  const { id = '', part = '' } = request.params as { id?: string; part?: string }
  const handle: Handler = handlers[name]
  try {
    const body = account.transaction(() => {
      const result = handle(account, params as never, { id, part, path: pathOf(request) })
      const isStored = account.findAny(String(result.id)) === result
      const shown = isStored ? presentObject(account, result as StripeObject) : result
      return expandAnswer(account, shown, params.expand as string[] | undefined)
    })
    return { status: 200, body }
  } catch (error) {
    if (error instanceof StripeError) return error.reply
    throw error
  } finally {
    account.request = null
  }
}
