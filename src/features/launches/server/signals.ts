import { z } from 'zod'
import { defineSignal } from '#server/jobs/define-job.ts'

/** A launch has come to an end: whole, in part, or not at all. Announced again after a retry. */
export const launchFinished = defineSignal({
  name: 'launches.launch-finished',
  data: z.object({
    merchantId: z.number(),
    launchId: z.number(),
    /** Who launched. */
    accountId: z.number(),
    /** The campaign's name. */
    name: z.string(),
    status: z.enum(['COMPLETED', 'PARTIAL', 'FAILED']),
    /** ISO: tells this end from that of a retry. */
    finishedAt: z.string(),
  }),
})
