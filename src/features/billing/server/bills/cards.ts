import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { customerOf } from '#features/subscription/server/public.ts'
import type { Stripe } from '#integrations/stripe/index.ts'
import type { Ctx, Services } from '#server/context.ts'
import { createLease } from '#server/db/lease.ts'
import { toUpstreamProblem, UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import { AppError } from '#shared/errors.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import type { billingEndpoints, PaymentMethods } from '../../contract.ts'
import { openInvoicesOf } from './invoices.ts'
import { type Payer, payerOf, readPayer } from './payer.ts'
import { cardAt, knownCards, type LiveCards, readCards, type StoredCard } from './provider-cards.ts'

type Endpoints = typeof billingEndpoints

/** The cards of the account, as the provider has them now or had them last. Throws FORBIDDEN for viewers. */
export async function listCards(ctx: Ctx): Promise<PaymentMethods> {
  const found = await knownCards(ctx, await payerOf(ctx), 0)
  const now = ctx.clock.now()
  return {
    cards: found.value?.map(card => cardAt(card, now)) ?? null,
    isCardNeeded: found.isCardNeeded,
    isReachable: found.isReachable,
    asOf: found.readAt?.toISOString() ?? null,
  }
}

/** Opens the provider's page on which a card is saved. Nothing is charged there. */
export async function addCard(ctx: Ctx): Promise<EndpointOutput<Endpoints['addCard']>> {
  const { accountId } = await payerOf(ctx)
  const { publicUrl } = ctx.config
  return providing(async () => {
    const customer = await customerOf(ctx, accountId)
    const session = await ctx.integrations.payments.write(
      'open the page that saves a card',
      `account-${accountId}-card-${intentOf(ctx)}`,
      (stripe, once) =>
        stripe.checkout.sessions.create(
          {
            mode: 'setup',
            customer,
            currency: 'usd',
            client_reference_id: String(accountId),
            metadata: { accountId: String(accountId), kind: 'CARD' },
            success_url: `${publicUrl}/subscription/billing/card?session={CHECKOUT_SESSION_ID}`,
            cancel_url: `${publicUrl}/subscription/billing`,
          },
          once,
        ),
    )
    if (session.url === null) throw new AppError('UPSTREAM_FAILED', 'The payment provider opened no page.')
    return { sessionId: session.id, url: session.url }
  })
}

/**
 * What became of a visit to the page that saves a card. The first card becomes the default one. It may run any number of
 * times. Throws NOT_FOUND for a page of somebody else.
 */
export async function settleCard(ctx: Ctx, sessionId: string): Promise<EndpointOutput<Endpoints['settleCard']>> {
  const payer = await payerOf(ctx)
  const openInvoices = await openInvoicesOf(ctx, payer.accountId)
  const session = await providing(() => readSession(ctx, sessionId))
  if (!session || session.mode !== 'setup' || payer.customerId === null || idOf(session.customer) !== payer.customerId)
    throw new AppError('NOT_FOUND', 'There is no such page of yours.')
  if (session.status !== 'complete')
    return { status: session.status === 'expired' ? 'EXPIRED' : 'OPEN', card: null, openInvoices }
  const methodId = cardOfSession(session)
  const { cards } = await changing(ctx, payer, live =>
    chargeFirst(
      ctx,
      payer,
      live,
      live.cards.find(({ id }) => id === methodId),
    ),
  )
  const card = cards.find(({ id }) => id === methodId)
  return { status: 'SAVED', card: card ? cardAt(card, ctx.clock.now()) : null, openInvoices }
}

const readSession = (ctx: Ctx, id: string): Promise<Stripe.Checkout.Session | null> =>
  ctx.integrations.payments
    .read('read the page that saves a card', stripe =>
      stripe.checkout.sessions.retrieve(id, { expand: ['setup_intent'] }),
    )
    .catch(noneIfMissing)

const idOf = (found: string | { id: string } | null): string | null =>
  typeof found === 'string' ? found : (found?.id ?? null)

function cardOfSession({ setup_intent: intent }: Stripe.Checkout.Session): string | null {
  return intent === null || typeof intent === 'string' ? null : idOf(intent.payment_method)
}

/** Charges the card from now on, unless another one is charged already. */
async function chargeFirst(
  services: Services,
  payer: Payer,
  live: LiveCards,
  card: StoredCard | undefined,
): Promise<void> {
  // A key of an earlier time would answer that it is done.
  if (card && !live.cards.some(one => one.isDefault)) await makeDefault(services, payer, live, card.id, randomUUID())
}

/**
 * Charges the only card of an account from now on: for who saved it on the provider's page and never came back. Rejects with
 * an upstream error if the provider cannot be reached.
 */
export async function chargeOnlyCard(services: Services, accountId: number): Promise<void> {
  const payer = await readPayer(services, accountId)
  const { cards } = await readCards(services, payer)
  if (cards.length !== 1 || cards[0]?.isDefault) return
  await changing(services, payer, live =>
    chargeFirst(services, payer, live, live.cards.length === 1 ? live.cards[0] : undefined),
  )
}

/** Charges this card from now on. Throws NOT_FOUND for a card that is not the account's. */
export async function setDefaultCard(ctx: Ctx, id: string): Promise<EndpointOutput<Endpoints['setDefault']>> {
  const payer = await payerOf(ctx)
  const changed = await changing(ctx, payer, async live => {
    requireCard(live, id)
    await makeDefault(ctx, payer, live, id, intentOf(ctx))
  })
  return { ...answerOf(ctx, changed), openInvoices: await openInvoicesOf(ctx, payer.accountId) }
}

/** The provider charges the subscription's own card first, and the customer's for everything else: both are set. */
async function makeDefault(
  { integrations: { payments } }: Services,
  { customerId, chargedId, accountId }: Payer,
  { isCardNeeded }: LiveCards,
  id: string,
  intent: string,
): Promise<void> {
  if (customerId === null) return
  const key = `account-${accountId}-default-${id}-${intent}`
  await payments.write('set the card of a customer', `${key}-customer`, (stripe, once) =>
    stripe.customers.update(customerId, { invoice_settings: { default_payment_method: id } }, once),
  )
  if (chargedId !== null && isCardNeeded)
    await payments.write('set the card of a subscription', `${key}-subscription`, (stripe, once) =>
      stripe.subscriptions.update(chargedId, { default_payment_method: id }, once),
    )
}

/**
 * Removes a card for good. Throws NOT_FOUND for a card that is not the account's, RULE_VIOLATED for the only card of a
 * subscription that is charged, and for the one that it is charged to.
 */
export async function removeCard(ctx: Ctx, id: string): Promise<PaymentMethods> {
  const payer = await payerOf(ctx)
  const changed = await changing(ctx, payer, async live => {
    const card = requireCard(live, id)
    if (live.isCardNeeded && live.cards.length === 1)
      throw new AppError(
        'RULE_VIOLATED',
        'Your subscription is charged to this card, and it is your only one. Add another card first, or cancel the subscription.',
      )
    if (live.isCardNeeded && card.isDefault)
      throw new AppError(
        'RULE_VIOLATED',
        'Your subscription is charged to this card. Make another card the default first.',
      )
    await ctx.integrations.payments.write(
      'remove a card',
      `account-${payer.accountId}-remove-${id}-${intentOf(ctx)}`,
      (stripe, once) => stripe.paymentMethods.detach(id, {}, once),
    )
  })
  return answerOf(ctx, changed)
}

function requireCard({ cards }: LiveCards, id: string) {
  const card = cards.find(one => one.id === id)
  if (!card) throw new AppError('NOT_FOUND', 'There is no such card.')
  return card
}

function answerOf(ctx: Ctx, { cards, isCardNeeded }: LiveCards): PaymentMethods {
  const now = ctx.clock.now()
  return { cards: cards.map(card => cardAt(card, now)), isCardNeeded, isReachable: true, asOf: now.toISOString() }
}

const leaseSeconds = 60
const tryEveryMs = 250
const tries = 40

/**
 * Changes the cards of an account while nobody else does, by what the provider has now; answers what it has then. Two
 * requests that each remove one of two cards would otherwise leave none. Throws CONFLICT when another change takes too long.
 */
async function changing(
  services: Services,
  payer: Payer,
  change: (live: LiveCards) => Promise<void>,
): Promise<LiveCards> {
  const { system } = services.db
  const key = { account_id: payer.accountId }
  await system
    .insertInto('billing_snapshot')
    .values(key)
    .onConflict(conflict => conflict.column('account_id').doNothing())
    .execute()
  const lease = createLease({
    table: 'billing_snapshot',
    key,
    until: 'locked_until',
    holder: 'holder',
    seconds: leaseSeconds,
    transact: work => work(system),
  })
  for (let left = tries; !(await lease.take()); left--) {
    if (left === 0) throw new AppError('CONFLICT', 'Your cards are being changed right now. Try again in a moment.')
    await sleep(tryEveryMs)
  }
  const stopRenewing = lease.keepRenewing(services.log)
  try {
    return await providing(async () => {
      await change(await readCards(services, payer))
      return readCards(services, payer)
    })
  } finally {
    stopRenewing()
    await lease.release()
  }
}

// One tap of a person; a repeated request has the same.
const intentOf = (ctx: Ctx): string => ctx.idempotencyKey ?? ctx.requestId

/** Runs what calls the provider; its failures become errors that the caller may see. */
const providing = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => {
    throw toUpstreamProblem(error)
  })

function noneIfMissing(error: unknown): null {
  if (error instanceof UpstreamRejected && error.code === 'resource_missing') return null
  throw error
}
