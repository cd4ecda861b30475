import { z } from 'zod'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { deleteOrphans } from '../sql/subscriptions.ts'

/** Reacts to the end of log-ins: forgets the account's browsers that took pushes by them. */
export const forgetSubscriptions: JobDefinition<{ accountId: number }> = defineJob({
  name: 'forget-push-subscriptions',
  data: z.object({ accountId: z.number() }),
  run: async ({ db, clock }, { accountId }) => {
    await deleteOrphans(db.system, clock.now(), accountId)
  },
})
