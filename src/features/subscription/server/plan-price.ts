import { findOrCreate, type Stripe } from '#integrations/stripe/index.ts'
import { AppError } from '#shared/errors.ts'
import type { Services } from '#server/context.ts'
import type { Row } from '#server/db/tables.ts'
import { UpstreamRejected } from '#server/http-client/upstream-errors.ts'

const currency = 'usd'

/** One plan, with the columns of its table. Throws NOT_FOUND. */
export async function planById({ db }: Pick<Services, 'db'>, planId: number): Promise<Row<'plan'>> {
  const plan = await db.system.selectFrom('plan').selectAll().where('id', '=', planId).executeTakeFirst()
  if (!plan) throw new AppError('NOT_FOUND', 'There is no such plan.')
  return plan
}

/** A plan's price a month in cents. Throws if it has a fraction of a cent. */
function centsOf({ base_price_micros }: Row<'plan'>): number {
  const cents = base_price_micros / 10_000
  if (!Number.isSafeInteger(cents)) throw new Error(`a plan costs ${base_price_micros} micros, no whole cents`)
  return cents
}

/**
 * The id of a plan's price at the payment provider. It is looked up, or made, on first use and then stored. One that differs
 * from the plan is logged and throws UPSTREAM_FAILED, so that nobody pays another price than the one that was shown.
 */
export async function priceOf(services: Services, plan: Row<'plan'>): Promise<string> {
  const { db, log, integrations } = services
  const { payments } = integrations
  const { stripe_price_id: stored } = plan
  const price =
    stored === null
      ? await findOrCreatePrice(services, plan)
      : await payments.read('read price', stripe => stripe.prices.retrieve(stored))
  const { id, active, unit_amount: amount, recurring } = price
  const isMonthly = recurring?.interval === 'month' && recurring.interval_count === 1
  if (amount !== centsOf(plan) || price.currency !== currency || !active || !isMonthly) {
    const found = { price: id, amount, currency: price.currency, active, interval: recurring?.interval }
    log.error({ plan: plan.name, cents: centsOf(plan), found }, 'a plan and its price at the payment provider differ')
    throw new AppError('UPSTREAM_FAILED', 'This plan cannot be bought right now. Nothing was charged.')
  }
  if (stored === null)
    await db.system.updateTable('plan').set({ stripe_price_id: id }).where('id', '=', plan.id).execute()
  return id
}

async function findOrCreatePrice({ integrations: { payments } }: Services, plan: Row<'plan'>): Promise<Stripe.Price> {
  const cents = centsOf(plan)
  const name = plan.type.toLowerCase()
  const lookupKey = `tideline-${name}-monthly-${cents}`
  const metadata = { planId: String(plan.id) }
  const find = async (): Promise<Stripe.Price | null> => {
    const keys = { lookup_keys: [lookupKey], limit: 1 }
    return (await payments.read('find price', stripe => stripe.prices.list(keys))).data[0] ?? null
  }
  const existing = await find()
  if (existing) return existing
  const product = `tideline-${name}`
  // Its id is our own, so a second one cannot be made.
  await payments
    .write('create product', product, (stripe, once) =>
      stripe.products.create({ id: product, name: `Tideline ${plan.name}`, metadata }, once),
    )
    .catch((error: unknown) => {
      if (!(error instanceof UpstreamRejected && error.code === 'resource_already_exists')) throw error
    })
  return findOrCreate(payments, {
    operation: 'create price',
    key: lookupKey,
    find,
    create: (stripe, once) =>
      stripe.prices.create(
        { product, currency, unit_amount: cents, recurring: { interval: 'month' }, lookup_key: lookupKey, metadata },
        once,
      ),
  })
}
