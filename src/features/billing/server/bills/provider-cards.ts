import { z } from 'zod'
import type { Services } from '#server/context.ts'
import { UpstreamError } from '#server/http-client/upstream-errors.ts'
import { AppError } from '#shared/errors.ts'
import type { PaymentCard } from '../../contract.ts'
import { isCharged, type Payer } from './payer.ts'

const storedCards = z.array(
  z.object({
    id: z.string(),
    brand: z.string(),
    last4: z.string(),
    expMonth: z.int(),
    expYear: z.int(),
    isDefault: z.boolean(),
  }),
)
export type StoredCard = z.infer<typeof storedCards>[number]

/** What the provider said last; `value` undefined when it never said anything. */
export interface ProviderAnswer<T> {
  value: T | undefined
  readAt: Date | null
  isReachable: boolean
}

export interface LiveCards {
  cards: StoredCard[]
  /** Whether a subscription is charged to the default card. */
  isCardNeeded: boolean
}

/** For how long an answer of the provider is shown without asking again. */
export const freshForMs = 5 * 60_000

const idOf = (found: string | { id: string } | null): string | null =>
  typeof found === 'string' ? found : (found?.id ?? null)

/** Reads the cards from the provider and stores them for when it cannot be reached. Throws UpstreamError. */
export async function readCards(services: Services, payer: Payer): Promise<LiveCards> {
  const { payments } = services.integrations
  const { customerId, chargedId } = payer
  const startedAt = services.clock.now()
  if (customerId === null) return { cards: [], isCardNeeded: false }
  const customer = await payments.read('read a customer', stripe => stripe.customers.retrieve(customerId))
  // Its cards went with it; the next time that one is needed, another customer is made.
  if (customer.deleted) {
    await storeCards(services, payer.accountId, [], startedAt)
    return { cards: [], isCardNeeded: false }
  }
  const [methods, subscription] = await Promise.all([
    payments.read('list cards', stripe =>
      stripe.customers.listPaymentMethods(customerId, { type: 'card', limit: 100 }),
    ),
    chargedId === null
      ? null
      : payments.read('read a subscription', stripe => stripe.subscriptions.retrieve(chargedId)),
  ])
  const isCardNeeded = subscription !== null && isCharged(subscription.status)
  // The provider charges the subscription's own card first.
  const defaultId =
    (isCardNeeded ? idOf(subscription.default_payment_method) : null) ??
    idOf(customer.invoice_settings.default_payment_method)
  const cards = methods.data.flatMap(({ id, card }) =>
    card
      ? [
          {
            id,
            brand: card.brand,
            last4: card.last4,
            expMonth: card.exp_month,
            expYear: card.exp_year,
            isDefault: id === defaultId,
          },
        ]
      : [],
  )
  await storeCards(services, payer.accountId, cards, startedAt)
  return { cards, isCardNeeded }
}

// An answer that was asked for earlier never replaces a later one.
async function storeCards({ db }: Services, accountId: number, cards: StoredCard[], readAt: Date): Promise<void> {
  const values = { cards: JSON.stringify(cards), cards_read_at: readAt }
  await db.system
    .insertInto('billing_snapshot')
    .values({ account_id: accountId, ...values })
    .onConflict(conflict =>
      conflict
        .column('account_id')
        .doUpdateSet(values)
        .where(eb =>
          eb.or([eb('billing_snapshot.cards_read_at', 'is', null), eb('billing_snapshot.cards_read_at', '<=', readAt)]),
        ),
    )
    .execute()
}

/** The cards, asked for again once they are older than `maxAgeMs`; the stored ones while the provider cannot be reached. */
export async function knownCards(
  services: Services,
  payer: Payer,
  maxAgeMs: number,
): Promise<ProviderAnswer<StoredCard[]> & { isCardNeeded: boolean }> {
  const now = services.clock.now()
  const row = await services.db.system
    .selectFrom('billing_snapshot')
    .select(['cards', 'cards_read_at as readAt'])
    .where('account_id', '=', payer.accountId)
    .executeTakeFirst()
  const stored = row?.readAt ? storedCards.parse(row.cards) : undefined
  const readAt = row?.readAt ?? null
  const isCardNeeded = payer.chargedId !== null
  if (readAt && now.getTime() - readAt.getTime() < maxAgeMs)
    return { value: stored, readAt, isReachable: true, isCardNeeded }
  try {
    const live = await readCards(services, payer)
    return { value: live.cards, readAt: now, isReachable: true, isCardNeeded: live.isCardNeeded }
  } catch (error) {
    if (!isUnreachable(error)) throw error
    return { value: stored, readAt, isReachable: false, isCardNeeded }
  }
}

/** Whether a failure is the payment provider's, so that what is stored must do. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof UpstreamError || (error instanceof AppError && error.code.startsWith('UPSTREAM_'))

const soonMs = 45 * 86_400_000

/** A card as answers carry it, at a moment. It is good until the last day of its month. */
export function cardAt(card: StoredCard, now: Date): PaymentCard {
  const endMs = Date.UTC(card.expYear, card.expMonth, 1)
  const leftMs = endMs - now.getTime()
  return { ...card, expiry: leftMs <= 0 ? 'EXPIRED' : leftMs <= soonMs ? 'SOON' : 'VALID' }
}
