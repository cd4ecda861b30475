import { z } from 'zod'
import type { PushOutcome } from '#integrations/web-push/index.ts'
import type { Services } from '#server/context.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { type NotificationKind, waitSeconds, type NotificationText } from '../../rules.ts'
import { type DeliveryKey, deliveryToSend, recordAttempt, settleDelivery } from '../sql/deliveries.ts'
import { deleteSubscriptionById } from '../sql/subscriptions.ts'
import { openKeys } from '../subscriptions/seal-keys.ts'

// Cut by code points, because half a surrogate pair is not valid text.
function shorten(text: string, maxLength: number): string {
  const points = Array.from(text)
  return points.length <= maxLength ? text : `${points.slice(0, maxLength - 1).join('')}…`
}

/**
 * The payload of a declarative push, which Safari shows on its own and our worker reads in other browsers. Always below
 * 3,000 bytes, which every push service accepts.
 */
export function pushPayload(notification: NotificationText & { cause: string }, publicUrl: string): string {
  return JSON.stringify({
    web_push: 8030,
    notification: {
      title: shorten(notification.title, 80),
      body: shorten(notification.body, 300),
      navigate: new URL(notification.url, publicUrl).href,
      tag: notification.cause,
    },
  })
}

type Delivery = NonNullable<Awaited<ReturnType<typeof deliveryToSend>>>

// These wake a phone that is saving battery.
const urgent: readonly NotificationKind[] = ['LAUNCH_FAILED', 'OUT_OF_BUDGET', 'SPEND_SPIKE', 'PAYMENT_PROBLEM']

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
  services: Services,
  key: DeliveryKey,
  { attempts, until }: Delivery,
  { reason, retryAfterMs }: { reason: string; retryAfterMs?: number },
): Promise<void> {
  const now = services.clock.now()
  const startAfterSeconds = waitSeconds(attempts, retryAfterMs)
  if (now.getTime() + startAfterSeconds * 1000 >= until.getTime())
    return settleDelivery(services.db.system, key, { state: 'EXPIRED', reason, now })
  await services.db.transaction(async tx => {
    await recordAttempt(tx, key, reason)
    await services.jobs.send(tx, sendPush, key, { startAfterSeconds })
  })
}

/**
 * Sends one notification to one browser's push service. Sends nothing if the browser is gone, its session has ended, or it
 * belongs to another user now. Temporary failures are retried until the notification expires.
 */
export const sendPush: JobDefinition<DeliveryKey> = defineJob({
  name: 'send-push',
  data: z.object({ notificationId: z.number(), subscriptionId: z.number() }),
  concurrency: 4,
  run: async (services, key) => {
    const { db, log, clock } = services
    const now = clock.now()
    const delivery = await deliveryToSend(db.system, key, now)
    if (!delivery) return
    if (!delivery.isActive) return deleteSubscriptionById(db.system, key.subscriptionId)
    if (delivery.recipientId !== delivery.accountId || delivery.until <= now)
      return settleDelivery(db.system, key, { state: 'EXPIRED', reason: null, now })
    const result = await send(services, delivery)
    if (result.outcome === 'retry') return retryLater(services, key, delivery, result)
    if (result.outcome === 'gone') return deleteSubscriptionById(db.system, key.subscriptionId)
    const isRejected = result.outcome === 'refused'
    if (isRejected)
      log.error({ ...key, reason: result.reason, host: new URL(delivery.endpoint).host }, 'a push was rejected')
    const end = { state: isRejected ? 'REFUSED' : 'ACCEPTED', reason: isRejected ? result.reason : null, now } as const
    await settleDelivery(db.system, key, end)
  },
})
