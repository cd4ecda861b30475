import { z } from 'zod'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { type LaunchEnd, launchNotification } from '../../rules.ts'
import { notify } from '../push/notify.ts'

interface EndedLaunch extends LaunchEnd {
  merchantId: number
  launchId: number
  /** The user who launched it and is notified. */
  accountId: number
  /** ISO. */
  finishedAt: string
}

const pushForMs = 86_400_000

/** Notifies the user who launched when a launch has ended, once however often the job runs. */
export const notifyLaunchEnd: JobDefinition<EndedLaunch> = defineJob({
  name: 'tell-launch-end',
  data: z.object({
    merchantId: z.number(),
    launchId: z.number(),
    accountId: z.number(),
    name: z.string(),
    status: z.enum(['COMPLETED', 'PARTIAL', 'FAILED']),
    finishedAt: z.string(),
  }),
  run: async (services, { launchId, accountId, merchantId, finishedAt, ...end }) => {
    const cause = `launch-${launchId}`
    const notification = { ...launchNotification(end), accountId, merchantId, cause, occasion: finishedAt }
    await services.db.transaction(tx => notify(services, tx, notification, pushForMs))
  },
})
