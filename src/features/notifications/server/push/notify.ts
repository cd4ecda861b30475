import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { insertDeliveries } from '../sql/deliveries.ts'
import { insertNotification, type News } from '../sql/notifications.ts'
import { subscriptionsInForce } from '../sql/subscriptions.ts'
import { sendPush } from './send-push.job.ts'

/**
 * Tells a person something, within the caller's transaction (the owner's, not a tenant's): as a row, and as a push to each
 * browser that takes them, which stops to matter after `pushForMs`. False when the occasion was told already.
 */
export async function notify(
  services: Pick<Services, 'jobs' | 'clock' | 'integrations'>,
  tx: Db,
  news: News,
  pushForMs: number,
): Promise<boolean> {
  const now = services.clock.now()
  const notificationId = await insertNotification(tx, news, now, new Date(now.getTime() + pushForMs))
  if (notificationId === null) return false
  if (!services.integrations.webPush.current) return true
  const browsers = await subscriptionsInForce(tx, news.accountId, now)
  await insertDeliveries(tx, notificationId, browsers)
  for (const subscriptionId of browsers) await services.jobs.send(tx, sendPush, { notificationId, subscriptionId })
  return true
}
