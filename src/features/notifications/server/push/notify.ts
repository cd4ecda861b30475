import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { insertDeliveries } from '../sql/deliveries.ts'
import { insertNotification, type NewNotification } from '../sql/notifications.ts'
import { activeSubscriptions } from '../sql/subscriptions.ts'
import { sendPush } from './send-push.job.ts'

/**
 * Notifies a user within the caller's transaction (not a tenant's): with a row, and with a push to each of their browsers
 * that expires after `pushForMs`. False if there is a notification for the same occasion already.
 */
export async function notify(
  services: Pick<Services, 'jobs' | 'clock' | 'integrations'>,
  tx: Db,
  notification: NewNotification,
  pushForMs: number,
): Promise<boolean> {
  const now = services.clock.now()
  const notificationId = await insertNotification(tx, notification, now, new Date(now.getTime() + pushForMs))
  if (notificationId === null) return false
  if (!services.integrations.webPush.current) return true
  const browsers = await activeSubscriptions(tx, notification.accountId, now)
  await insertDeliveries(tx, notificationId, browsers)
  for (const subscriptionId of browsers) await services.jobs.send(tx, sendPush, { notificationId, subscriptionId })
  return true
}
