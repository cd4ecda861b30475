import { z } from 'zod'
import { defineSignal } from '#server/jobs/define-job.ts'
import { dismissReasons } from '../contract.ts'

/** A user decided that nothing is to be done about an alert, and why, or undid that: its threshold may learn from it. */
export const alertDismissed = defineSignal({
  name: 'notifications.alert-dismissed',
  data: z.object({
    merchantId: z.number(),
    cause: z.string(),
    /** Null where the dismissal was undone. */
    reason: z.enum(dismissReasons).nullable(),
    /** ISO. */
    at: z.string(),
  }),
})
