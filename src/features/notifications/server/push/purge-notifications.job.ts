import { z } from 'zod'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { deleteNotificationsBefore } from '../sql/notifications.ts'
import { deleteExpiredSubscriptions } from '../sql/subscriptions.ts'

const retentionMs = 180 * 86_400_000

/** Every night, deletes notifications older than 180 days, and browsers whose session has ended. */
export const purgeNotifications: JobDefinition<Record<string, never>> = defineJob({
  name: 'purge-notifications',
  data: z.object({}),
  cron: '53 3 * * *',
  scheduledData: {},
  run: async ({ db, clock, log }) => {
    const now = clock.now()
    const browsers = await deleteExpiredSubscriptions(db.system, now)
    const removed = await deleteNotificationsBefore(db.system, new Date(now.getTime() - retentionMs))
    log.info({ removed, browsers }, 'old notifications removed')
  },
})
