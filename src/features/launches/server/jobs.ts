import type { JobDefinition } from '#server/jobs/define-job.ts'
import { launchJob } from './launch-job.ts'

// The list forgets the type of each job's data; the queue parses it by the job's own schema.
export const launchJobs = [launchJob] as unknown as JobDefinition<never>[]
