import { endedLaunch } from '#features/notifications/server/public.ts'
import { defineSignal } from '#server/jobs/define-job.ts'

/** A launch has come to an end: whole, in part, or not at all. Announced again after a retry. */
export const launchFinished = defineSignal({ name: 'launches.launch-finished', data: endedLaunch })
