import { z } from 'zod'
import { defineSignal } from '#server/jobs/define-signal.ts'

/** A launch has come to an end: whole, in part, or not at all. Announced again after a retry. */
export const launchFinished = defineSignal({
  name: 'launches.launch-finished',
  data: z.object({
    merchantId: z.number(),
    launchId: z.number(),
    /** Who launched. */
    accountId: z.number(),
    status: z.enum(['PENDING', 'IN_PROGRESS', 'COMPLETED', 'PARTIAL', 'FAILED']),
  }),
})
