import { sql } from 'kysely'
import { z } from 'zod'
import type { JobDefinition, Services } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { defineJob } from './define-job.ts'

/** The queue of jobs that failed for good. */
export const deadLetters = 'dead-letters'
const batchSize = 200
// Longer than dead letters are kept, so that none is ever reported again.
const rememberedDays = 120

/**
 * Runs every minute and at each start of a worker. Calls `onFinalFailure` of jobs whose process could not call it, because
 * it was killed during the last attempt or because the call itself failed. A failed call is repeated at the next run.
 */
export function reportFailuresJob(definitions: readonly JobDefinition<never>[]): JobDefinition<Record<string, never>> {
  const jobs = new Map(definitions.map(job => [job.name, job as unknown as JobDefinition]))
  return defineJob({
    // The name is older than the function's, and queues cannot be renamed.
    name: 'tell-deaths',
    data: z.object({}),
    // One at a time, so that nothing is reported twice.
    policy: 'stately',
    retryLimit: 0,
    cron: '* * * * *',
    scheduledData: {},
    run: async (services, _data, { signal }) => {
      for (const failure of await unreportedFailures(services.db.system)) {
        signal.throwIfAborted()
        await report(services, jobs.get(failure.queue), failure)
      }
    },
  })
}

interface UnreportedFailure {
  jobId: string
  queue: string
  data: unknown
  message: string
}

async function report(services: Services, job: JobDefinition | undefined, failure: UnreportedFailure): Promise<void> {
  const { jobId: id, queue, message } = failure
  services.log.error({ dead: queue, id, why: message }, 'a job failed for good without reporting it')
  // Invalid data, for instance sent by another version, does not say whom to notify.
  const data = job?.data.safeParse(failure.data)
  try {
    if (data?.success) await job?.onFinalFailure?.(services, data.data, new Error(message))
  } catch (error) {
    services.log.error({ err: error, dead: queue, id }, 'the final failure of a job could not be reported')
    return
  }
  await markReported(services.db.system, id)
}

/** Remembers that a job's final failure was reported, and forgets those that are too old to come up again. */
export async function markReported(db: Db, jobId: string): Promise<void> {
  await sql`insert into told_job_death (job_id) values (${jobId}::uuid) on conflict do nothing`.execute(db)
  await sql`delete from told_job_death where told_at < now() - make_interval(days => ${rememberedDays})`.execute(db)
}

/** Oldest first, from the queue's own table of dead letters. */
async function unreportedFailures(db: Db): Promise<UnreportedFailure[]> {
  const { rows } = await sql<UnreportedFailure>`select j.source_id as "jobId", j.source_name as queue, j.data,
      coalesce(j.source_output #>> '{value,message}', j.source_output ->> 'message', 'no reason given') as message
    from jobs.job j where j.name = ${deadLetters} and j.source_id is not null and j.source_name is not null
      and not exists (select from told_job_death t where t.job_id = j.source_id)
    order by j.created_on limit ${batchSize}`.execute(db)
  return rows
}
