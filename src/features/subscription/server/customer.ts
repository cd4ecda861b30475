import { findOrCreate, type Payments } from '#integrations/stripe/index.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { UpstreamRejected } from '#server/http-client/upstream-errors.ts'

/**
 * The account's customer at the payment provider, made on first use and then stored; made again if it was deleted there. Never
 * call it inside a transaction. Rejects with an upstream error if the provider cannot be reached.
 */
export async function customerOf(services: Services, accountId: number): Promise<string> {
  const { db, integrations } = services
  const { payments } = integrations
  const account = await accountRow(db.system, accountId)
  const previous = account.stripe_customer_id
  if (previous !== null && !(await isDeleted(payments, previous))) return previous
  const { email, first_name, last_name, created_at } = account
  const metadata = { accountId: String(accountId) }
  const customer = await findOrCreate(payments, {
    operation: 'create customer',
    // The moment tells accounts with the same id of other databases apart.
    key: `customer-${accountId}-${created_at.getTime()}${previous === null ? '' : `-after-${previous}`}`,
    find: async () => {
      const { data } = await payments.read('find customer', stripe => stripe.customers.list({ email, limit: 100 }))
      return data.findLast(one => one.metadata.accountId === metadata.accountId) ?? null
    },
    create: (stripe, once) =>
      stripe.customers.create({ email, name: `${first_name} ${last_name}`.trim(), metadata }, once),
  })
  await db.system
    .updateTable('account')
    .set({ stripe_customer_id: customer.id })
    .where('id', '=', accountId)
    .where('stripe_customer_id', 'is not distinct from', previous)
    .execute()
  return (await accountRow(db.system, accountId)).stripe_customer_id ?? customer.id
}

const isDeleted = async (payments: Payments, customer: string): Promise<boolean> =>
  (await payments.read('read customer', stripe => stripe.customers.retrieve(customer))).deleted === true

const accountRow = (db: Db, accountId: number) =>
  db
    .selectFrom('account')
    .select(['stripe_customer_id', 'email', 'first_name', 'last_name', 'created_at'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()

/**
 * Deletes the account's customer at the payment provider with the cards and whatever is left to charge; its invoices stay there.
 * Safe to repeat. Rejects with an upstream error if the provider may not have done it.
 */
export async function deleteCustomer({ db, integrations }: Services, accountId: number): Promise<void> {
  const { stripe_customer_id: customer } = await accountRow(db.system, accountId)
  if (customer === null) return
  try {
    await integrations.payments.write('delete customer', `delete-${customer}`, (stripe, once) =>
      stripe.customers.del(customer, {}, once),
    )
  } catch (error) {
    // Deleted before, by an attempt whose reply was lost or in the provider's own pages.
    if (!(error instanceof UpstreamRejected && error.code === 'resource_missing')) throw error
  }
  await db.system
    .updateTable('account')
    .set({ stripe_customer_id: null })
    .where('id', '=', accountId)
    .where('stripe_customer_id', '=', customer)
    .execute()
}

/**
 * The account that a customer of the payment provider belongs to; null if none of ours does, or if that is being erased: what
 * the provider still tells about it changes nothing.
 */
export async function accountOfCustomer(db: Db, customerId: string): Promise<number | null> {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('stripe_customer_id', '=', customerId)
    .where('status', '<>', 'ERASED')
    .executeTakeFirst()
  return row?.id ?? null
}
