import type { JobDefinition } from '#server/jobs/define-job.ts'
import { pushAdGroupJob, pushAdJob, pushCampaignJob, pushTargetJob } from './push/push-jobs.ts'
import { resendPendingJob } from './push/resend-pending.job.ts'

// A list of jobs with different data has no common type but this.
export const campaignsJobs = [
  pushCampaignJob,
  pushAdGroupJob,
  pushAdJob,
  pushTargetJob,
  resendPendingJob,
] as unknown as JobDefinition<never>[]
