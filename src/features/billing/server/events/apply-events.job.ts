import { sql } from 'kysely'
import { z } from 'zod'
import {
  accountOfCustomer,
  customerOf,
  settleAccount,
  settleCheckout,
  settleSubscription,
} from '#features/subscription/server/public.ts'
import type { Services } from '#server/context.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { chargeOnlyCard } from '../bills/cards.ts'
import { type EventObject, eventObjects } from './event-kinds.ts'
import { settleDispute } from './disputes.ts'
import { settleDunning } from './dunning.ts'
import { settleInvoice } from './settle-invoice.ts'

/** Reads the object again and saves what it is now. Several may run at once, in any order. */
type Settle = (services: Services, id: string, customerIds: readonly string[]) => Promise<void>

const settlers: Record<EventObject, Settle> = {
  subscription: async (services, id, customerIds) => {
    await settleSubscription(services, id)
    for (const accountId of await accountsOf(services, customerIds)) await settleDunning(services, accountId)
  },
  invoice: settleInvoice,
  checkout: settleCheckout,
  dispute: settleDispute,
  // Its subscriptions end with it; the account gets another one, for what it is charged from now on.
  customer: async (services, id) => {
    const accountId = await accountOfCustomer(services.db.system, id)
    if (accountId === null) return
    await settleAccount(services, accountId)
    await customerOf(services, accountId)
    await services.db.transaction(tx => services.events.publish(tx, [accountId], 'billing', {}))
  },
  // The pages that show cards read them again.
  'payment-method': async (services, _id, customerIds) => {
    const accounts = await accountsOf(services, customerIds)
    for (const account of accounts) await chargeOnlyCard(services, account)
    if (accounts.length) await services.db.transaction(tx => services.events.publish(tx, accounts, 'billing', {}))
  },
}

async function accountsOf({ db }: Services, customerIds: readonly string[]): Promise<number[]> {
  const accounts = await Promise.all(customerIds.map(id => accountOfCustomer(db.system, id)))
  return accounts.filter(id => id !== null)
}

/**
 * Applies the events of one object of the payment provider: reads the object again, whatever the events say, and saves what it
 * is now. Without a waiting event it does so too, as every night. What fails is tried again, and its reason stays with the
 * events until then.
 */
export const applyEvents: JobDefinition<{ object: EventObject; id: string }> = defineJob({
  name: 'apply-payment-events',
  data: z.object({ object: z.enum(eventObjects), id: z.string() }),
  policy: 'stately',
  concurrency: 4,
  retryLimit: 8,
  run: async (services, { object, id }) => {
    const { db, clock } = services
    // Read before the object is: what comes later is not covered by it.
    const waiting = await db.system
      .selectFrom('payment_event')
      .select(['id', 'customer_id as customerId'])
      .where('object_id', '=', id)
      .where('applied_at', 'is', null)
      .execute()
    const ofWaiting = db.system
      .updateTable('payment_event')
      .where('id', '=', sql<string>`any(${waiting.map(event => event.id)}::text[])`)
    const customerIds = new Set(waiting.flatMap(({ customerId }) => (customerId === null ? [] : [customerId])))
    try {
      await settlers[object](services, id, [...customerIds])
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error)
      await ofWaiting.set(row => ({ attempts: row('attempts', '+', 1), failure })).execute()
      throw error
    }
    await ofWaiting
      .set(row => ({ attempts: row('attempts', '+', 1), failure: null, applied_at: clock.now() }))
      .execute()
  },
})
