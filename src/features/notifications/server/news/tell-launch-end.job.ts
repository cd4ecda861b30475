import { z } from 'zod'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { type LaunchEnd, newsOfLaunch } from '../../rules.ts'
import { notify } from '../push/notify.ts'

interface EndedLaunch extends LaunchEnd {
  merchantId: number
  launchId: number
  /** Who launched, and is told. */
  accountId: number
  /** ISO. */
  finishedAt: string
}

const pushForMs = 86_400_000

/** Reacts to the end of a launch: tells who launched, once for each end however often it is worked on. */
export const tellLaunchEnd: JobDefinition<EndedLaunch> = defineJob({
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
    const news = { ...newsOfLaunch(end), accountId, merchantId, cause, occasion: finishedAt }
    await services.db.transaction(tx => notify(services, tx, news, pushForMs))
  },
})
