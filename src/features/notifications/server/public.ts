export { notifyLaunchEnd } from './news/notify-launch-end.job.ts'
export { purgeSubscriptions } from './subscriptions/purge-subscriptions.job.ts'
