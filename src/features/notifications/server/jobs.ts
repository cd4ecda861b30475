import type { JobDefinition } from '#server/jobs/define-job.ts'
import { tellLaunchEnd } from './news/tell-launch-end.job.ts'
import { purgeNotifications } from './push/purge-notifications.job.ts'
import { sendPush } from './push/send-push.job.ts'
import { forgetSubscriptions } from './subscriptions/forget-subscriptions.job.ts'

// The list forgets each job's own data; the queue parses it before it runs.
export const notificationsJobs = [
  tellLaunchEnd,
  sendPush,
  forgetSubscriptions,
  purgeNotifications,
] as unknown as JobDefinition<never>[]
