import type Stripe from 'stripe'
import { type Account, newId } from './account.ts'
import { type Handlers, type ListParams, mergeMetadata, pageOf } from './calls.ts'
import { liveCustomer } from './customers.ts'
import type { PaymentMethod, SetupIntent } from './model.ts'
import { attachMethod, findMethod } from './payment-methods.ts'
import { clientSecret, nextAction } from './payments.ts'
import { presentObject } from './present.ts'
import { invalid, StripeError } from './stripe-error.ts'
import { needsSetup, problemOnAttach } from './test-cards.ts'

export function addSetupIntent(
  account: Account,
  params: { customer?: string; usage?: string; metadata?: unknown; description?: string },
): SetupIntent {
  const id = newId('seti')
  const intent = account.add('setup_intent', {
    id,
    automatic_payment_methods: { allow_redirects: 'always', enabled: true },
    client_secret: clientSecret(id),
    customer: params.customer === undefined ? null : liveCustomer(account, params.customer, 'customer').id,
    description: params.description ?? null,
    metadata: mergeMetadata(null, params.metadata),
    payment_method_options: { card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    status: 'requires_payment_method',
    usage: params.usage ?? 'off_session',
  } as Partial<SetupIntent>)
  account.announce('setup_intent.created', intent)
  return intent
}

/** Records why the card was not saved. */
export function failSetup(account: Account, intent: SetupIntent, method: PaymentMethod, problem: object): void {
  account.change(intent, {
    status: 'requires_payment_method',
    payment_method: null,
    next_action: null,
    last_setup_error: { type: 'card_error', ...problem, payment_method: presentObject(account, method) },
  } as object)
  account.announce('setup_intent.setup_failed', intent)
}

/** The owner of the card did not confirm to the bank that it is saved. */
export const failSetupAuthentication = (account: Account, intent: SetupIntent, method: PaymentMethod): void =>
  failSetup(account, intent, method, {
    code: 'setup_intent_authentication_failure',
    message: 'The provided PaymentMethod has failed authentication.',
  })

/** Saves the card for later payments. Throws a card error, which stays on the intent, when its bank declines. */
export function confirmSetup(
  account: Account,
  intent: SetupIntent,
  method: PaymentMethod,
  { isConfirmed }: { isConfirmed: boolean },
): void {
  const problem = problemOnAttach(method, account.now())
  if (problem) {
    failSetup(account, intent, method, problem)
    const details = { type: 'card_error' as const, ...problem }
    throw new StripeError(402, { ...details, setup_intent: presentObject(account, intent) }, { keeps: true })
  }
  if (needsSetup(method) && !isConfirmed) {
    account.change(intent, {
      status: 'requires_action',
      payment_method: method.id,
      next_action: nextAction(account, intent.id),
    } as object)
    account.announce('setup_intent.requires_action', intent)
    return
  }
  account.change(method, { _isSetUp: true })
  account.change(intent, {
    status: 'succeeded',
    payment_method: method.id,
    next_action: null,
    last_setup_error: null,
  } as object)
  if (intent.customer !== null) attachMethod(account, method, account.get('customer', intent.customer))
  account.announce('setup_intent.succeeded', intent)
}

export const setupIntentHandlers = {
  'setupIntents.create': (account, params: Stripe.SetupIntentCreateParams) => {
    const { customer, usage, metadata, description } = params
    const intent = addSetupIntent(account, {
      ...(customer && { customer }),
      ...(usage && { usage }),
      metadata,
      ...(description && { description }),
    })
    if (params.payment_method)
      account.change(intent, {
        payment_method: findMethod(account, params.payment_method, 'payment_method').id,
        status: 'requires_confirmation',
      })
    if (params.confirm && intent.payment_method)
      confirmSetup(account, intent, account.get('payment_method', intent.payment_method), { isConfirmed: false })
    return intent
  },
  'setupIntents.retrieve': (account, _params, { id }) => account.get('setup_intent', id),
  'setupIntents.confirm': (account, params: Stripe.SetupIntentConfirmParams, { id }) => {
    const intent = account.get('setup_intent', id)
    const method = params.payment_method ?? intent.payment_method
    if (intent.status === 'succeeded' || intent.status === 'canceled')
      throw invalid(`You cannot confirm this SetupIntent because it has a status of ${intent.status}.`, {
        code: 'setup_intent_unexpected_state',
      })
    if (!method)
      throw invalid('You cannot confirm this SetupIntent because it is missing a payment method.', {
        code: 'setup_intent_unexpected_state',
      })
    confirmSetup(account, intent, findMethod(account, method, 'payment_method'), { isConfirmed: false })
    return intent
  },
  'setupIntents.cancel': (account, params: Stripe.SetupIntentCancelParams, { id }) => {
    const intent = account.get('setup_intent', id)
    if (intent.status === 'succeeded' || intent.status === 'canceled')
      throw invalid(`You cannot cancel this SetupIntent because it has a status of ${intent.status}.`, {
        code: 'setup_intent_unexpected_state',
      })
    account.change(intent, { status: 'canceled', cancellation_reason: params.cancellation_reason ?? null } as object)
    account.announce('setup_intent.canceled', intent)
    return intent
  },
  'setupIntents.list': (account, params: Stripe.SetupIntentListParams, at) => {
    const found = account
      .all('setup_intent')
      .filter(
        one =>
          (!params.customer || one.customer === params.customer) &&
          (!params.payment_method || one.payment_method === params.payment_method),
      )
    return pageOf(account, found, params as ListParams, at)
  },
} satisfies Partial<Handlers>
