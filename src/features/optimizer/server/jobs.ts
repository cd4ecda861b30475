import type { JobDefinition } from '#server/jobs/define-job.ts'
import { judgeChanges } from './receipts.job.ts'
import { runGroup, runGroups } from './run-group.job.ts'
import { sendDecisions } from './send-decisions.job.ts'
import { settleDecisions } from './settle-decisions.job.ts'
import { watchSpend } from './watch-spend.job.ts'

// Jobs with different data have no other common type.
export const optimizerJobs = [
  runGroup,
  runGroups,
  sendDecisions,
  settleDecisions,
  judgeChanges,
  watchSpend,
] as unknown as JobDefinition<never>[]
