import { z } from 'zod'
import type { Services } from '#server/context.ts'
import type { Db, Row } from '#server/db/tables.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { sendPush } from './send-push.job.ts'
import { deleteExpiredSubscriptions, purgeSubscriptions } from './subscriptions.ts'
import { isSessionActive } from '#features/auth/server/public.ts'

interface NewNotification extends Pick<Row<'notification'>, 'kind' | 'title' | 'body' | 'url'> {
  accountId: number
  /** Null if it is about the account itself. */
  merchantId: number | null
  /** What it is about, at most 32 characters of base64url: the topic of the push. */
  cause: string
  /** Identifies one event of the cause. */
  occasion: string
}

/**
 * Notifies a user within the caller's transaction (not a tenant's): with a row, and with a push to each of their browsers
 * that expires after `pushForMs`. Does nothing if there is a notification for the same occasion already.
 */
async function notify(
  { jobs, clock, integrations }: Services,
  tx: Db,
  { accountId, merchantId, ...text }: NewNotification,
  pushForMs: number,
): Promise<void> {
  const now = clock.now()
  const row = await tx
    .insertInto('notification')
    .values({
      account_id: accountId,
      merchant_id: merchantId,
      ...text,
      created_at: now,
      read_at: null,
      push_until: new Date(now.getTime() + pushForMs),
    })
    .onConflict(conflict => conflict.columns(['account_id', 'cause', 'occasion']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row || !integrations.webPush.current) return
  const browsers = await tx
    .selectFrom('push_subscription')
    .select('id as subscriptionId')
    .where('account_id', '=', accountId)
    .where(isSessionActive('push_subscription.session_id', now))
    .execute()
  for (const { subscriptionId } of browsers) {
    await tx
      .insertInto('push_delivery')
      .values({ notification_id: row.id, subscription_id: subscriptionId, last_error: null, settled_at: null })
      .execute()
    await jobs.send(tx, sendPush, { notificationId: row.id, subscriptionId })
  }
}

const endedLaunch = z.object({
  merchantId: z.number(),
  launchId: z.number(),
  /** The user who launched it and is notified. */
  accountId: z.number(),
  name: z.string(),
  status: z.enum(['COMPLETED', 'PARTIAL', 'FAILED']),
  /** ISO. */
  finishedAt: z.string(),
})
type EndedLaunch = z.infer<typeof endedLaunch>

const launchTexts: Record<EndedLaunch['status'], [title: string, body: (name: string) => string]> = {
  COMPLETED: ['Campaign created successfully!', name => `“${name}” is enabled.`],
  PARTIAL: ['Only partly created', name => `“${name}”: see what failed and try again.`],
  FAILED: ['A campaign could not be created', name => `“${name}”: nothing was enabled, so nothing is spent.`],
}

/** The notification about the end of a launch. */
export function launchNotification({ name, status }: Pick<EndedLaunch, 'name' | 'status'>) {
  const [title, body] = launchTexts[status]
  const kind = status === 'COMPLETED' ? 'LAUNCH_FINISHED' : 'LAUNCH_FAILED'
  return { kind, title, body: body(name), url: '/create-campaign-logs' } as const
}

const dayMs = 86_400_000

/** Notifies the user who launched when a launch has ended, once however often the job runs. */
export const notifyLaunchEnd: JobDefinition<EndedLaunch> = defineJob({
  name: 'tell-launch-end',
  data: endedLaunch,
  run: async (services, { launchId, accountId, merchantId, finishedAt, ...end }) => {
    const cause = `launch-${launchId}`
    const notification = { ...launchNotification(end), accountId, merchantId, cause, occasion: finishedAt }
    await services.db.transaction(tx => notify(services, tx, notification, dayMs))
  },
})

/** Every night, deletes notifications older than 180 days, and browsers whose session has ended. */
export const purgeNotifications: JobDefinition<Record<string, never>> = defineJob({
  name: 'purge-notifications',
  data: z.object({}),
  cron: '53 3 * * *',
  scheduledData: {},
  run: async ({ db, clock, log }) => {
    const now = clock.now()
    const browsers = await deleteExpiredSubscriptions(db.system, now)
    const result = await db.system
      .deleteFrom('notification')
      .where('created_at', '<', new Date(now.getTime() - 180 * dayMs))
      .executeTakeFirst()
    log.info({ removed: Number(result.numDeletedRows), browsers }, 'old notifications removed')
  },
})

// Jobs with different data have no other common type.
export const notificationsJobs = [
  notifyLaunchEnd,
  sendPush,
  purgeSubscriptions,
  purgeNotifications,
] as unknown as JobDefinition<never>[]
