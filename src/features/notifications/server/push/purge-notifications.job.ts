import { z } from 'zod'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { deleteNotificationsBefore } from '../sql/notifications.ts'
import { deleteOrphans } from '../sql/subscriptions.ts'

const keptMs = 180 * 86_400_000

/** Forgets, every night, what was told more than 180 days ago, and browsers whose log-in ran out. */
export const purgeNotifications: JobDefinition<Record<string, never>> = defineJob({
  name: 'purge-notifications',
  data: z.object({}),
  cron: '53 3 * * *',
  scheduledData: {},
  run: async ({ db, clock, log }) => {
    const now = clock.now()
    const browsers = await deleteOrphans(db.system, now)
    const removed = await deleteNotificationsBefore(db.system, new Date(now.getTime() - keptMs))
    log.info({ removed, browsers }, 'old notifications removed')
  },
})
