import type { JobDefinition } from '#server/jobs/define-job.ts'
import { notifyLaunchEnd } from './news/notify-launch-end.job.ts'
import { purgeNotifications } from './push/purge-notifications.job.ts'
import { sendPush } from './push/send-push.job.ts'
import { purgeSubscriptions } from './subscriptions/purge-subscriptions.job.ts'

// Jobs with different data have no other common type.
export const notificationsJobs = [
  notifyLaunchEnd,
  sendPush,
  purgeSubscriptions,
  purgeNotifications,
] as unknown as JobDefinition<never>[]
