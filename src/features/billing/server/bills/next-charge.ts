import { z } from 'zod'
import type { Stripe } from '#integrations/stripe/index.ts'
import type { Services } from '#server/context.ts'
import { UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import { smallestUnitMicros } from '#shared/money.ts'
import type { Payer } from './payer.ts'
import { freshForMs, isUnreachable, type ProviderAnswer } from './provider-cards.ts'

/** Amounts in the smallest unit of the currency. */
const storedCharge = z
  .object({
    at: z.iso.datetime(),
    currency: z.string(),
    total: z.int(),
    parts: z.array(z.object({ kind: z.enum(['PLAN', 'AD_SPEND', 'OTHER']), description: z.string(), amount: z.int() })),
  })
  .nullable()
export type NextCharge = z.infer<typeof storedCharge>

/**
 * What the subscription is charged next, null when nothing is coming: the provider's own preview, asked for every five
 * minutes or after the subscription changed; the last one while it cannot be reached.
 */
export async function nextChargeOf(services: Services, payer: Payer): Promise<ProviderAnswer<NextCharge>> {
  const { chargedId, accountId, subscription } = payer
  const now = services.clock.now()
  if (chargedId === null || subscription === null) return { value: null, readAt: null, isReachable: true }
  const row = await services.db.system
    .selectFrom('billing_snapshot')
    .select(['next_charge as charge', 'next_charge_read_at as readAt'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const readAt = row?.readAt ?? null
  const stored = readAt ? storedCharge.parse(row?.charge ?? null) : undefined
  const isOfThisState = readAt !== null && (subscription.readAt === null || subscription.readAt <= readAt)
  if (isOfThisState && now.getTime() - readAt.getTime() < freshForMs)
    return { value: stored, readAt, isReachable: true }
  try {
    const charge = await preview(services, chargedId)
    await store(services, accountId, charge, now)
    return { value: charge, readAt: now, isReachable: true }
  } catch (error) {
    if (!isUnreachable(error)) throw error
    return isOfThisState
      ? { value: stored, readAt, isReachable: false }
      : { value: fromMirror(subscription), readAt: subscription.readAt, isReachable: false }
  }
}

async function preview(services: Services, subscription: string): Promise<NextCharge> {
  try {
    const invoice = await services.integrations.payments.read('preview the next invoice', stripe =>
      stripe.invoices.createPreview({ subscription }),
    )
    return chargeOf(invoice)
  } catch (error) {
    if (error instanceof UpstreamRejected && error.code === 'invoice_upcoming_none') return null
    throw error
  }
}

function chargeOf(invoice: Stripe.Invoice): NextCharge {
  const parts = invoice.lines.data.map(line => ({
    kind: kindOf(line),
    description: line.description ?? 'Subscription',
    amount: line.amount,
  }))
  // A balance from before, and lines beyond the first page.
  const rest = invoice.amount_due - parts.reduce((sum, part) => sum + part.amount, 0)
  const description = rest < 0 ? 'Credit from before' : 'Other'
  return {
    at: new Date((invoice.next_payment_attempt ?? invoice.period_end) * 1000).toISOString(),
    currency: invoice.currency.toUpperCase(),
    total: invoice.amount_due,
    parts: rest === 0 ? parts : [...parts, { kind: 'OTHER', description, amount: rest }],
  }
}

function kindOf({ parent, metadata }: Stripe.InvoiceLineItem): 'PLAN' | 'AD_SPEND' | 'OTHER' {
  if (metadata.kind === 'AD_SPEND') return 'AD_SPEND'
  return parent?.type === 'subscription_item_details' ? 'PLAN' : 'OTHER'
}

/** The plan's price at the end of the period, by what is stored of the subscription. */
function fromMirror(subscription: NonNullable<Payer['subscription']>): NextCharge | undefined {
  const { planName, basePriceMicros, periodEndsAt, cancelAtPeriodEnd } = subscription
  if (cancelAtPeriodEnd) return null
  if (!periodEndsAt) return undefined
  const amount = Math.round(basePriceMicros / smallestUnitMicros('USD'))
  const parts = [{ kind: 'PLAN' as const, description: planName, amount }]
  return { at: periodEndsAt.toISOString(), currency: 'USD', total: amount, parts }
}

async function store({ db }: Services, accountId: number, charge: NextCharge, readAt: Date): Promise<void> {
  const values = {
    next_charge: charge === null ? null : JSON.stringify(charge),
    next_charge_read_at: readAt,
  }
  await db.system
    .insertInto('billing_snapshot')
    .values({ account_id: accountId, ...values })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet(values))
    .execute()
}
