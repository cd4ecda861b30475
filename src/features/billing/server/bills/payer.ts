import { storedSubscription, type SubscriptionRow } from '#features/subscription/server/public.ts'
import type { Ctx, Services } from '#server/context.ts'

/** Who pays: an account, what the payment provider calls it, and its subscription as stored. */
export interface Payer {
  accountId: number
  /** Null before the account first went to the provider's pages. */
  customerId: string | null
  /** Null when there never was one. */
  subscription: SubscriptionRow | null
  /** The provider's id of a subscription that it charges for, by what is stored; null for a trial without a card. */
  chargedId: string | null
}

// Of an incomplete one the first payment is still open.
const chargedStatuses = ['trialing', 'active', 'incomplete', 'past_due', 'unpaid', 'paused']
export const isCharged = (status: string): boolean => chargedStatuses.includes(status)

/** Who pays for the caller's own account. */
export async function payerOf(ctx: Ctx): Promise<Payer> {
  return readPayer(ctx, ctx.actor.accountId)
}

export async function readPayer({ db: { system } }: Pick<Services, 'db'>, accountId: number): Promise<Payer> {
  const [account, subscription] = await Promise.all([
    system
      .selectFrom('account')
      .select('stripe_customer_id as customerId')
      .where('id', '=', accountId)
      .executeTakeFirst(),
    storedSubscription(system, accountId),
  ])
  return {
    accountId,
    customerId: account?.customerId ?? null,
    subscription,
    chargedId: subscription && isCharged(subscription.status) ? subscription.stripeSubscriptionId : null,
  }
}
