import type { JobDefinition } from '../context.ts'
import { purgeMailsJob } from './purge-mails.job.ts'
import { sendMailJob } from './send-mail.job.ts'

// A list of jobs with different data has no common type but this.
export const mailJobs = [sendMailJob, purgeMailsJob] as unknown as JobDefinition<never>[]
