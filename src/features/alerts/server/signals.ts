import { raisedAlert, settledCause } from '#features/notifications/server/public.ts'
import { defineSignal } from '#server/jobs/define-job.ts'

/** Something at a merchant needs a decision. */
export const alertRaised = defineSignal({ name: 'alerts.alert-raised', data: raisedAlert })

/** The cause of an alert is over: its open notifications settle. */
export const alertSettled = defineSignal({ name: 'alerts.alert-settled', data: settledCause })
