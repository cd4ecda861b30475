import { z } from 'zod'
import { defineSignal } from '#server/jobs/define-job.ts'

/** The marketplace listed changes of an account since a moment (ISO); those of others than us are in the ledger. */
export const structureSynchronized = defineSignal({
  name: 'structure.synchronized',
  data: z.object({ merchantId: z.number(), profileId: z.number(), since: z.string() }),
})
