import { sql } from 'kysely'
import type { JobDefinition, Services } from '../context.ts'
import type { Db } from '../db/tables.ts'
import { defineScheduledJob } from './define-job.ts'

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
  return defineScheduledJob({
    // The name is older than the function's, and queues cannot be renamed.
    name: 'tell-deaths',
    // One at a time, so that nothing is reported twice.
    policy: 'stately',
    retryLimit: 0,
    cron: '* * * * *',
    run: async (services, _data, { signal }) => {
      for (const { jobId: id, queue, data, message } of await unreportedFailures(services.db.system)) {
        signal.throwIfAborted()
        services.log.error({ dead: queue, id, why: message }, 'a job failed for good without reporting it')
        const job = jobs.get(queue)
        await reportFailure(services, job, { id, data: job?.data.safeParse(data).data, error: new Error(message) })
      }
    },
  })
}

/** Calls `onFinalFailure`, unless the data is undefined (invalid), and remembers that. Logs it if that fails. */
export async function reportFailure(
  services: Services,
  job: Pick<JobDefinition, 'name' | 'onFinalFailure'> | undefined,
  { id, data, error }: { id: string; data: unknown; error: Error },
): Promise<void> {
  const { system } = services.db
  try {
    if (data !== undefined) await job?.onFinalFailure?.(services, data, error)
    await sql`insert into told_job_death (job_id) values (${id}::uuid) on conflict do nothing`.execute(system)
    await sql`delete from told_job_death where told_at < now() - make_interval(days => ${rememberedDays})`.execute(
      system,
    )
  } catch (failure) {
    services.log.error({ err: failure, dead: job?.name, id }, 'the final failure of a job was not reported yet')
  }
}

interface UnreportedFailure {
  jobId: string
  queue: string
  data: unknown
  message: string
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
