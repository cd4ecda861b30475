export { tellLaunchEnd } from './news/tell-launch-end.job.ts'
export { forgetSubscriptions } from './subscriptions/forget-subscriptions.job.ts'
