import type { JobDefinition } from '#server/jobs/define-job.ts'
import { accountMailJob } from './mails/account-mail.job.ts'
import { purgeAuthJob } from './purge-auth.job.ts'

// A list of jobs with different data has no common type but this.
export const authJobs = [accountMailJob, purgeAuthJob] as unknown as JobDefinition<never>[]
