import { z } from 'zod'
import { ownedMerchants, tenancyOf } from '#features/accounts/server/public.ts'
import { isSessionActive } from '#features/auth/server/public.ts'
import type { PushOutcome } from '#integrations/web-push/index.ts'
import type { Jobs, Services } from '#server/context.ts'
import type { Db, Row } from '#server/db/tables.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { kinds } from '../contract.ts'
import { createTokens, type PushButton } from './push-buttons.ts'
import { bundleOf } from './bundle-pushes.ts'
import { countsOf, statusOf } from './notification-rows.ts'
import { preferenceOf, quietFor } from './preferences.ts'
import { type PushContent, pushPayload } from './push-payload.ts'
import { deleteSubscriptionById, openKeys } from './subscriptions.ts'

/** The delay before a push is retried: 1, 2, 4 … seconds, at most 5 minutes, or as long as the service asks for. */
export const waitSeconds = (attempts: number, retryAfterMs = 0): number =>
  Math.max(Math.min(2 ** attempts, 300), Math.ceil(retryAfterMs / 1000))

const deliveryKey = z.object({ notificationId: z.number(), subscriptionId: z.number() })
type DeliveryKey = z.infer<typeof deliveryKey>
type Delivery = NonNullable<Awaited<ReturnType<typeof deliveryToSend>>>

/** One push for a browser, and the notifications that it stands for. */
interface Outgoing {
  content: PushContent
  until: Date
  urgency: 'high' | 'normal' | 'low'
  notificationIds: number[]
}

/** What to send for a delivery: the notification alone, or with what else waits for a decision since a minute ago. */
async function outgoing({ db, clock }: Services, key: DeliveryKey, delivery: Delivery): Promise<Outgoing> {
  const now = clock.now()
  const { accountId, sessionId, cause } = delivery
  const rule = kinds[delivery.kind]
  const { merchantIds } = await tenancyOf(db.system, accountId)
  const { openCount } = await countsOf(db.system, { accountId, merchantIds }, now)
  const own = { until: delivery.until, urgency: rule.urgency, notificationIds: [key.notificationId] }
  const { title, body, url } = delivery
  if (!rule.isDecision) return { ...own, content: { title, body, url, tag: cause, openCount, isLoud: true } }
  const bundle = await bundleOf(db.system, { ...key, accountId }, now)
  if (bundle) return { ...bundle, content: { ...bundle.content, openCount } }
  const buttons = await buttonsOf(db.system, delivery)
  const tokens = await createTokens(db.system, { ...key, sessionId }, buttons, now)
  const card = `/notifications?id=${key.notificationId}`
  return { ...own, content: { title, body, url: card, tag: cause, openCount, isLoud: true, tokens } }
}

// A viewer may not act. Only two buttons fit beside snoozing.
async function buttonsOf(db: Db, { accountId, merchantId, campaignId, actions }: Delivery): Promise<PushButton[]> {
  if (merchantId === null) return []
  const mayAct = campaignId !== null && (await ownedMerchants(db, accountId)).includes(merchantId)
  return [...(mayAct ? (actions.slice(0, 2) as PushButton[]) : []), 'SNOOZE']
}

function send(
  { integrations, vault, clock, config }: Services,
  { endpoint, keyId, accountId, keysSealed }: Delivery,
  { content, until, urgency }: Outgoing,
): Promise<PushOutcome> {
  return integrations.webPush.send(
    { endpoint, keyId, keys: openKeys(vault, accountId, endpoint, keysSealed) },
    {
      payload: pushPayload(content, config.publicUrl),
      ttlSeconds: (until.getTime() - clock.now().getTime()) / 1000,
      urgency,
      topic: content.tag,
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
    await queuePush(jobs, tx, key, startAfterSeconds)
  })
}

/**
 * Sends one notification to one browser's push service, together with what else was raised for its user within a minute.
 * Sends nothing if the browser is gone, its session has ended, it belongs to another user now, or the notification was
 * decided or is over; in the user's quiet hours it waits for their end. Temporary failures are retried until the notification expires.
 */
export const sendPush: JobDefinition<DeliveryKey> = defineJob({
  name: 'send-push',
  data: deliveryKey,
  policy: 'singleton',
  concurrency: 4,
  run: async (services, key) => {
    const { db, log, clock } = services
    const now = clock.now()
    const delivery = await deliveryToSend(db.system, key, now)
    if (!delivery) return
    if (!delivery.isActive) return deleteSubscriptionById(db.system, key.subscriptionId)
    const isNeeded = delivery.until > now && ['OPEN', 'NEWS'].includes(statusOf(delivery, now))
    if (delivery.recipientId !== delivery.accountId || !isNeeded)
      return recordAttempt(db.system, key, null, { state: 'EXPIRED', settled_at: now })
    const preference = await preferenceOf(db.system, delivery.accountId, delivery.kind)
    const quiet = await quietFor(db.system, delivery.accountId, preference, now)
    if (quiet) {
      await queuePush(services.jobs, db.system, key, Math.ceil((quiet.getTime() - now.getTime()) / 1000))
      return
    }
    const push = await outgoing(services, key, delivery)
    const result = await send(services, delivery, push)
    if (result.outcome === 'retry') return retryLater(services, key, delivery, result)
    if (result.outcome === 'gone') return deleteSubscriptionById(db.system, key.subscriptionId)
    const reason = result.outcome === 'refused' ? result.reason : null
    if (reason !== null) log.error({ ...key, reason, host: new URL(delivery.endpoint).host }, 'a push was rejected')
    const state = reason === null ? 'ACCEPTED' : 'REFUSED'
    for (const notificationId of push.notificationIds)
      await recordAttempt(db.system, { ...key, notificationId }, reason, {
        state,
        settled_at: now,
        topic: push.content.tag,
      })
  },
})

/**
 * Queues a push to one browser. A browser gets one at a time, whichever processes work, since one push may stand for what
 * others were queued for.
 */
export async function queuePush(
  jobs: Pick<Jobs, 'send'>,
  tx: Db,
  key: DeliveryKey,
  startAfterSeconds = 0,
): Promise<void> {
  await jobs.send(tx, sendPush, key, { key: String(key.subscriptionId), startAfterSeconds })
}

/** A delivery that is still to be sent; undefined once it is settled or its browser is gone. */
function deliveryToSend(db: Db, { notificationId, subscriptionId }: DeliveryKey, now: Date) {
  return db
    .selectFrom('push_delivery as d')
    .innerJoin('notification as n', 'n.id', 'd.notification_id')
    .innerJoin('push_subscription as s', 's.id', 'd.subscription_id')
    .select(['d.attempts', 'n.kind', 'n.cause', 'n.title', 'n.body', 'n.url', 'n.push_until as until'])
    .select(['n.decision', 'n.settled_at', 'n.snoozed_until', 'n.actions'])
    .select(['n.merchant_id as merchantId', 'n.campaign_id as campaignId'])
    .select(['n.account_id as recipientId', 's.account_id as accountId', 's.endpoint', 's.keys_sealed as keysSealed'])
    .select(['s.key_id as keyId', 's.session_id as sessionId', isSessionActive('s.session_id', now).as('isActive')])
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
  end: Partial<Pick<Row<'push_delivery'>, 'state' | 'settled_at' | 'topic'>> = {},
): Promise<void> {
  await db
    .updateTable('push_delivery')
    .set(row => ({ attempts: row('attempts', '+', 1), last_error: reason, ...end }))
    .where('notification_id', '=', notificationId)
    .where('subscription_id', '=', subscriptionId)
    .where('state', '=', 'PENDING')
    .execute()
}
