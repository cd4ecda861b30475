import { z } from 'zod'
import { defineSignal } from '#server/jobs/define-job.ts'

const campaigns = z.object({ merchantId: z.number(), profileId: z.number(), campaignIds: z.array(z.number()) })

/** The stream brought figures or budget use of the last hours, of these campaigns; they are saved. */
export const hoursReceived = defineSignal({
  name: 'metrics.hours-received',
  data: z.object({
    accounts: z.array(campaigns),
    /** ISO: when the marketplace sent the last of it. */
    sentAt: z.string(),
  }),
})
