import { sql } from 'kysely'
import type { Stripe } from '#integrations/stripe/index.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { defineScheduledJob } from '#server/jobs/define-job.ts'
import { applyEvents } from './apply-events.job.ts'
import { objectOfType, paymentEvent } from './event-kinds.ts'
import { storeEvent } from './receive-event.ts'

const dayMs = 86_400_000
// As long as the provider has them.
const retainedMs = 30 * dayMs
// Events of one moment may be listed a little later than others.
const overlapMs = 15 * 60_000

/**
 * Every ten minutes, stores the events that the provider lists and that were never delivered, and sends the jobs of those
 * again that are not applied yet.
 */
export const fetchMissedEvents = defineScheduledJob({
  name: 'fetch-missed-payment-events',
  cron: '*/10 * * * *',
  atStart: true,
  run: async services => {
    if (!services.integrations.payments.isOn) return
    const missed = await storeListed(services)
    if (missed) services.log.warn({ missed }, 'events of the payment provider had not been delivered')
    await applyWaiting(services)
  },
})

async function storeListed(services: Services): Promise<number> {
  const { db, clock } = services
  const cursor = await db.system.selectFrom('payment_event_cursor').select('listed_until').executeTakeFirst()
  const since = cursor ? cursor.listed_until.getTime() - overlapMs : clock.now().getTime() - retainedMs
  let newest = cursor?.listed_until.getTime() ?? 0
  let missed = 0
  // The newest come first, so the cursor moves only once all of them are stored.
  for (let after: string | undefined; ; ) {
    const { data, has_more: hasMore } = await listEvents(services, since, after)
    newest = Math.max(newest, ...data.map(({ created }) => created * 1000))
    missed += await storeMissing(services, data)
    after = data.at(-1)?.id
    if (!hasMore || after === undefined) break
  }
  if (newest)
    await db.system
      .insertInto('payment_event_cursor')
      .values({ listed_until: new Date(newest) })
      .onConflict(conflict => conflict.column('is_only').doUpdateSet({ listed_until: new Date(newest) }))
      .execute()
  return missed
}

const listEvents = ({ integrations }: Services, sinceMs: number, after: string | undefined) =>
  integrations.payments.read('events.list', stripe =>
    stripe.events.list({
      limit: 100,
      created: { gte: Math.floor(sinceMs / 1000) },
      ...(after !== undefined && { starting_after: after }),
    }),
  )

async function storeMissing(services: Services, events: readonly Stripe.Event[]): Promise<number> {
  const { rows } = await sql<{ id: string }>`select id from unnest(${events.map(({ id }) => id)}::text[]) as listed (id)
    where not exists (select from payment_event e where e.id = listed.id)`.execute(services.db.system)
  const missing = new Set(rows.map(({ id }) => id))
  // The oldest first, so that they apply in their order where that is possible.
  const toStore = events.filter(({ id }) => missing.has(id)).reverse()
  await services.db.transaction(async tx => {
    for (const event of toStore) await storeEvent(services, tx, paymentEvent.parse(event))
  })
  return toStore.length
}

/** How many events failed to be applied and wait for another try. */
export async function failedEvents(system: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from payment_event
    where applied_at is null and failure is not null`.execute(system)
  return rows[0]?.count ?? 0
}

async function applyWaiting({ db, jobs }: Services): Promise<void> {
  const waiting = await db.system
    .selectFrom('payment_event')
    .select(['type', 'object_id as id'])
    .where('applied_at', 'is', null)
    .orderBy('received_at')
    .limit(1000)
    .execute()
  for (const { type, id } of waiting) {
    const object = objectOfType(type)
    if (object && id !== null) await jobs.send(db.system, applyEvents, { object, id }, { key: id })
  }
}

/**
 * Every night, reads every live subscription and every invoice that may still change again, whatever events came, and deletes
 * applied events that the provider no longer lists either.
 */
export const rereadPayments = defineScheduledJob({
  name: 'reread-payments',
  cron: '23 2 * * *',
  run: async ({ db, jobs, clock, integrations }) => {
    if (!integrations.payments.isOn) return
    const old = new Date(clock.now().getTime() - 3 * retainedMs)
    await db.system
      .deleteFrom('payment_event')
      .where('applied_at', 'is not', null)
      .where('received_at', '<', old)
      .where('happened_at', '<', old)
      .execute()
    const { rows } = await sql<{ object: 'subscription' | 'invoice'; id: string }>`
      select 'subscription' as object, stripe_subscription_id as id from subscription
      where stripe_subscription_id is not null and status not in ('canceled', 'incomplete_expired')
      union all
      select 'invoice', id from invoice where status in ('draft', 'open')`.execute(db.system)
    for (const { object, id } of rows) await jobs.send(db.system, applyEvents, { object, id }, { key: id })
  },
})
