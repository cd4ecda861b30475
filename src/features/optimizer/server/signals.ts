import { raisedAlert, settledCause } from '#features/notifications/server/public.ts'
import { defineSignal } from '#server/jobs/define-job.ts'

/** A change waits for the seller's yes, or the optimizer holds back. */
export const optimizerAsked = defineSignal({ name: 'optimizer.asked', data: raisedAlert })

/** What it waited for was answered, or is over. */
export const optimizerAnswered = defineSignal({ name: 'optimizer.answered', data: settledCause })
