import { z } from 'zod'
import { isSessionActive } from '#features/auth/server/public.ts'
import type { PushOutcome } from '#integrations/web-push/index.ts'
import type { Services } from '#server/context.ts'
import type { Db, Row } from '#server/db/tables.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { deleteSubscriptionById, openKeys } from './subscriptions.ts'

// Cut by code points, because half a surrogate pair is not valid text.
function shorten(text: string, maxLength: number): string {
  const points = Array.from(text)
  return points.length <= maxLength ? text : `${points.slice(0, maxLength - 1).join('')}…`
}

/**
 * The payload of a declarative push, which Safari shows on its own and our worker reads in other browsers. Always below
 * 3,000 bytes, which every push service accepts.
 */
export function pushPayload(
  { title, body, url, cause }: Pick<Row<'notification'>, 'title' | 'body' | 'url' | 'cause'>,
  publicUrl: string,
): string {
  return JSON.stringify({
    web_push: 8030,
    notification: {
      title: shorten(title, 80),
      body: shorten(body, 300),
      navigate: new URL(url, publicUrl).href,
      tag: cause,
    },
  })
}

/** The delay before a push is retried: 1, 2, 4 … seconds, at most 5 minutes, or as long as the service asks for. */
export const waitSeconds = (attempts: number, retryAfterMs = 0): number =>
  Math.max(Math.min(2 ** attempts, 300), Math.ceil(retryAfterMs / 1000))

const deliveryKey = z.object({ notificationId: z.number(), subscriptionId: z.number() })
type DeliveryKey = z.infer<typeof deliveryKey>
type Delivery = NonNullable<Awaited<ReturnType<typeof deliveryToSend>>>

// These wake a phone that is saving battery.
const urgent: readonly Delivery['kind'][] = ['LAUNCH_FAILED', 'OUT_OF_BUDGET', 'SPEND_SPIKE', 'PAYMENT_PROBLEM']

function send({ integrations, vault, clock, config }: Services, delivery: Delivery): Promise<PushOutcome> {
  const { endpoint, keyId, cause, accountId, until } = delivery
  return integrations.webPush.send(
    { endpoint, keyId, keys: openKeys(vault, accountId, endpoint, delivery.keysSealed) },
    {
      payload: pushPayload(delivery, config.publicUrl),
      ttlSeconds: (until.getTime() - clock.now().getTime()) / 1000,
      urgency: urgent.includes(delivery.kind) ? 'high' : 'normal',
      topic: cause,
    },
  )
}

async function retryLater(
  { db, jobs, clock }: Services,
  key: DeliveryKey,
  { attempts, until }: Delivery,
  { reason, retryAfterMs }: { reason: string; retryAfterMs?: number },
): Promise<void> {
  const now = clock.now()
  const startAfterSeconds = waitSeconds(attempts, retryAfterMs)
  if (now.getTime() + startAfterSeconds * 1000 >= until.getTime())
    return recordAttempt(db.system, key, reason, { state: 'EXPIRED', settled_at: now })
  await db.transaction(async tx => {
    await recordAttempt(tx, key, reason)
    await jobs.send(tx, sendPush, key, { startAfterSeconds })
  })
}

/**
 * Sends one notification to one browser's push service. Sends nothing if the browser is gone, its session has ended, or it
 * belongs to another user now. Temporary failures are retried until the notification expires.
 */
export const sendPush: JobDefinition<DeliveryKey> = defineJob({
  name: 'send-push',
  data: deliveryKey,
  concurrency: 4,
  run: async (services, key) => {
    const { db, log, clock } = services
    const now = clock.now()
    const delivery = await deliveryToSend(db.system, key, now)
    if (!delivery) return
    if (!delivery.isActive) return deleteSubscriptionById(db.system, key.subscriptionId)
    if (delivery.recipientId !== delivery.accountId || delivery.until <= now)
      return recordAttempt(db.system, key, null, { state: 'EXPIRED', settled_at: now })
    const result = await send(services, delivery)
    if (result.outcome === 'retry') return retryLater(services, key, delivery, result)
    if (result.outcome === 'gone') return deleteSubscriptionById(db.system, key.subscriptionId)
    const reason = result.outcome === 'refused' ? result.reason : null
    if (reason !== null) log.error({ ...key, reason, host: new URL(delivery.endpoint).host }, 'a push was rejected')
    const state = reason === null ? 'ACCEPTED' : 'REFUSED'
    await recordAttempt(db.system, key, reason, { state, settled_at: now })
  },
})

/** A delivery that is still to be sent; undefined once it is settled or its browser is gone. */
function deliveryToSend(db: Db, { notificationId, subscriptionId }: DeliveryKey, now: Date) {
  return db
    .selectFrom('push_delivery as d')
    .innerJoin('notification as n', 'n.id', 'd.notification_id')
    .innerJoin('push_subscription as s', 's.id', 'd.subscription_id')
    .select(['d.attempts', 'n.kind', 'n.cause', 'n.title', 'n.body', 'n.url', 'n.push_until as until'])
    .select(['n.account_id as recipientId', 's.account_id as accountId', 's.endpoint', 's.keys_sealed as keysSealed'])
    .select(['s.key_id as keyId', isSessionActive('s.session_id', now).as('isActive')])
    .where('d.notification_id', '=', notificationId)
    .where('d.subscription_id', '=', subscriptionId)
    .where('d.state', '=', 'PENDING')
    .executeTakeFirst()
}

/** Records an attempt, and with `end` that it was the last one. */
async function recordAttempt(
  db: Db,
  { notificationId, subscriptionId }: DeliveryKey,
  reason: string | null,
  end: Partial<Pick<Row<'push_delivery'>, 'state' | 'settled_at'>> = {},
): Promise<void> {
  await db
    .updateTable('push_delivery')
    .set(row => ({ attempts: row('attempts', '+', 1), last_error: reason, ...end }))
    .where('notification_id', '=', notificationId)
    .where('subscription_id', '=', subscriptionId)
    .where('state', '=', 'PENDING')
    .execute()
}
