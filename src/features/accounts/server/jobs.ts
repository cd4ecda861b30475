import type { JobDefinition } from '#server/jobs/define-job.ts'
import { purgeMerchantsJob } from './purge/purge-merchants.job.ts'

export const accountsJobs = [purgeMerchantsJob] as unknown as JobDefinition<never>[]
