import { sql } from 'kysely'
import { fromPglite, PgBoss } from 'pg-boss'
import type { Services } from '#server/context.ts'
import type { JobDefinition, JobRun } from '#server/jobs/define-job.ts'
import { reportFailuresJob } from '#server/jobs/report-failures.job.ts'

/** A try of a job, as a worker process takes it up. */
export interface JobLife<T> {
  data: T
  run: Omit<JobRun, 'signal'>
}

/** The queue of one job seen by workers that die: each takes up what waits, and may never be heard of again. */
export interface JobLives<T> {
  /** Takes up the job that waits; null when none does. */
  next(): Promise<JobLife<T> | null>
  finish(life: JobLife<T>): Promise<void>
  /** A silent worker: the queue notices, and its job waits for another worker, or its failure is reported. */
  bury(): Promise<void>
  /** Forgets what waits. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** Opens the queue of a job. */
export const openJobLives = async <T>(services: Services, job: JobDefinition<T>): Promise<JobLives<T>> => {
  const { raw, system } = services.db
  const boss = new PgBoss({
    ...('pglite' in raw
      ? { db: fromPglite(raw.pglite as never), backend: 'pglite' as const }
      : { connectionString: raw.connectionString, backend: 'postgres' as const }),
    schema: 'jobs',
    supervise: false,
    schedule: false,
    // It remembers for so long which jobs were active, and would pass those over that died meanwhile.
    queueCacheIntervalSeconds: 3600,
  })
  await boss.start()
  const sweep = reportFailuresJob([job] as unknown as JobDefinition<never>[])
  const never = new AbortController().signal
  const active = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from jobs.job where name = ${job.name} and state = 'active'`.execute(system)
    return rows[0]?.count ?? 0
  }
  return {
    next: async () => {
      const [claimed] = await boss.fetch<object>(job.name, { includeMetadata: true })
      if (!claimed) return null
      const { id, retryCount, data } = claimed
      const run = { id, attempt: retryCount, lastAttempt: retryCount >= (job.retryLimit ?? 5) }
      return { data: job.data.parse(data) as T, run }
    },
    finish: async ({ run }) => {
      await boss.complete(job.name, run.id)
    },
    bury: async () => {
      // The queue may be looked after by another just now, who saw a heart that still beat.
      for (let tries = 0; tries < 100 && (await active()) > 0; tries++) {
        await sql`update jobs.job set heartbeat_on = now() - interval '1 hour' where name = ${job.name} and state = 'active'`.execute(
          system,
        )
        // The queue looks at most so often; this much time has passed.
        await sql`update jobs.queue set monitor_claim_on = null, monitor_on = null where name = ${job.name}`.execute(
          system,
        )
        await boss.supervise(job.name)
      }
      await sql`update jobs.job set start_after = now() - interval '1 second' where name = ${job.name} and state = 'retry'`.execute(
        system,
      )
      await sweep.run(services, {}, { id: 'sweep', attempt: 0, lastAttempt: true, signal: never })
    },
    clear: () => boss.deleteAllJobs(job.name),
    close: () => boss.stop({ close: 'connectionString' in raw }),
  }
}
