import type { JobDefinition } from '#server/jobs/define-job.ts'
import { forgetRecordsJob, receiveHoursJob } from './receive-hours.job.ts'

// A list of jobs with different data has no common type but this.
export const metricsJobs = [receiveHoursJob, forgetRecordsJob] as unknown as JobDefinition<never>[]
