import { z } from 'zod'
import { defineSignal } from '#server/jobs/define-job.ts'
import { dismissReasons } from '../contract.ts'

/** A user decided that nothing is to be done about an alert, and why: its threshold may learn from that. */
export const alertDismissed = defineSignal({
  name: 'notifications.alert-dismissed',
  data: z.object({
    merchantId: z.number(),
    cause: z.string(),
    reason: z.enum(dismissReasons),
    /** ISO. */
    at: z.string(),
  }),
})
