import { z } from 'zod'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { deleteExpiredSubscriptions } from '../sql/subscriptions.ts'

/** Reacts to the end of sessions: deletes the account's browsers that belong to them. */
export const purgeSubscriptions: JobDefinition<{ accountId: number }> = defineJob({
  name: 'forget-push-subscriptions',
  data: z.object({ accountId: z.number() }),
  run: async ({ db, clock }, { accountId }) => {
    await deleteExpiredSubscriptions(db.system, clock.now(), accountId)
  },
})
