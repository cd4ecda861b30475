import type { JobDefinition } from '#server/context.ts'
import { applyEvents } from './events/apply-events.job.ts'
import { announceFirstCharges } from './events/dunning.ts'
import { fetchMissedEvents, rereadPayments } from './events/fetch-missed.job.ts'
import { feeJobs } from './fee/bill-account.job.ts'

// Jobs with different data have no other common type.
export const billingJobs = [
  ...feeJobs,
  applyEvents,
  fetchMissedEvents,
  rereadPayments,
  announceFirstCharges,
] as unknown as JobDefinition<never>[]
