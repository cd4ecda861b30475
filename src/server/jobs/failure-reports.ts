import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

/** The queue of jobs that failed for good. */
export const deadLetters = 'dead-letters'

/** A job that failed for good, of which its feature was not told. */
export interface UnreportedFailure {
  jobId: string
  queue: string
  data: unknown
  message: string
}

// Longer than a dead letter is kept, so that none is ever new again.
const rememberedDays = 120

/** Notes that a job's end was told, and forgets those of which nobody can ask any more. */
export async function markReported(db: Db, jobId: string): Promise<void> {
  await sql`insert into told_job_death (job_id) values (${jobId}::uuid) on conflict do nothing`.execute(db)
  await sql`delete from told_job_death where told_at < now() - make_interval(days => ${rememberedDays})`.execute(db)
}

/** At most so many deaths that were not told, oldest first; they are read from the queue's own table of dead letters. */
export async function unreportedFailures(db: Db, limit: number): Promise<UnreportedFailure[]> {
  const { rows } = await sql<UnreportedFailure>`select j.source_id as "jobId", j.source_name as queue, j.data,
      coalesce(j.source_output #>> '{value,message}', j.source_output ->> 'message', 'it ended without a word') as message
    from jobs.job j where j.name = ${deadLetters} and j.source_id is not null and j.source_name is not null
      and not exists (select from told_job_death t where t.job_id = j.source_id)
    order by j.created_on limit ${limit}`.execute(db)
  return rows
}
