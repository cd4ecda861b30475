import { z } from 'zod'
import { accountsOf } from '#features/accounts/server/public.ts'
import type { JobDefinition } from '#server/context.ts'
import { defineJob, defineScheduledJob } from '#server/jobs/define-job.ts'
import { endedLaunch, raisedAlert, settledCause } from './announcements.ts'
import { workOnDue } from './due.job.ts'
import { notify, settleCause } from './notify.ts'
import { sendPush } from './send-push.job.ts'
import { deleteExpiredSubscriptions, purgeSubscriptions } from './subscriptions.ts'

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

/** Notifies the user who launched when a launch has ended, once however often the job runs. */
export const notifyLaunchEnd: JobDefinition<EndedLaunch> = defineJob({
  name: 'tell-launch-end',
  data: endedLaunch,
  run: async (services, { launchId, accountId, merchantId, finishedAt, ...end }) => {
    const cause = `launch-${launchId}`
    await services.db.transaction(async tx => {
      // A failed launch that was tried again with success needs nobody any more.
      if (end.status === 'COMPLETED') await settleCause(services, tx, { merchantId, cause }, services.clock.now())
      await notify(services, tx, { ...launchNotification(end), accountId, merchantId, cause, occasion: finishedAt })
    })
  },
})

const alertNews = z.union([raisedAlert, settledCause])

/**
 * Notifies everybody who may see the merchant of an alert that was raised, and settles what one left open that is over. One
 * queue for both, and one cause at a time, so that the last word counts.
 */
export const notifyAlert: JobDefinition<z.infer<typeof alertNews>> = defineJob({
  name: 'notify-alert',
  data: alertNews,
  policy: 'singleton',
  concurrency: 4,
  run: (services, news) =>
    services.db.transaction(async tx => {
      if (!('kind' in news)) return settleCause(services, tx, news, services.clock.now())
      const members = await accountsOf(tx, news.merchantId)
      const { accountId: only } = news
      for (const accountId of members)
        if (only === undefined || only === accountId) await notify(services, tx, { ...news, accountId })
    }),
})

const dayMs = 86_400_000

/** Every night, deletes notifications older than 180 days, tokens that expired, and browsers whose session has ended. */
export const purgeNotifications = defineScheduledJob({
  name: 'purge-notifications',
  cron: '53 3 * * *',
  run: async ({ db, clock, log }) => {
    const now = clock.now()
    const browsers = await deleteExpiredSubscriptions(db.system, now)
    await db.system.deleteFrom('notification_token').where('expires_at', '<', now).execute()
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
  notifyAlert,
  workOnDue,
  sendPush,
  purgeSubscriptions,
  purgeNotifications,
] as unknown as JobDefinition<never>[]
