import { sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { Database } from '../db/open-database.ts'
import type { Log } from '../log/log.ts'

/** How often a worker sends a heartbeat for each of its jobs. */
export const heartbeatSeconds = 1
// Three heartbeats may fail. A job is taken over only after two checks without a heartbeat in between, so that after a pause
// of the database itself, live workers have time to send one.
const silentSeconds = 4
const checkMs = 1500

interface SilentJob {
  id: string
  name: string
  retryCount: number
  heartbeat: string
}

async function activeJobs(db: Database, silentForSeconds: number): Promise<SilentJob[]> {
  const { rows } = await sql<SilentJob>`
    select id, name, retry_count as "retryCount", heartbeat_on::text as heartbeat from jobs.job
    where state = 'active' and heartbeat_seconds is not null
      and heartbeat_on <= now() - make_interval(secs => ${silentForSeconds})`.execute(db.system)
  return rows
}

interface Options {
  boss: PgBoss
  db: Database
  log: Log
  /** The ids of the jobs that this process is running. */
  running: ReadonlySet<string>
}

// The attempt's number is the fence: if the worker is alive after all, whatever it reports from now on has no effect.
async function takeOver({ boss, db, log }: Options, { id, name, retryCount }: SilentJob): Promise<void> {
  await boss.fail(name, { id, retryCount }, new Error('its worker stopped sending heartbeats'))
  log.warn({ id, job: name, attempt: retryCount }, 'took over a job of a dead worker')
  // It runs again without the delay of a failed job. The queue would treat its key as active until its next count.
  await boss.update(name, undefined, { id, startAfter: '0 seconds' })
  await sql`update jobs.queue q set singletons_active = array_remove(q.singletons_active, j.singleton_key)
    from jobs.job j where q.name = ${name} and j.name = ${name} and j.id = ${id}::uuid`.execute(db.system)
}

/**
 * Restarts the jobs of dead workers, about seven seconds after their last heartbeat. The embedded database belongs to one
 * process, so at its start every active job belongs to a dead process. Returns a function that stops it.
 */
export async function takeOverDeadJobs(options: Options): Promise<() => Promise<void>> {
  const { db, log, running } = options
  if (db.kind === 'embedded') {
    for (const job of await activeJobs(db, 0)) await takeOver(options, job)
    return async () => undefined
  }
  let silentBefore = new Set<string>()
  const check = async (): Promise<void> => {
    const silent = (await activeJobs(db, silentSeconds)).filter(job => !running.has(job.id))
    const before = silentBefore
    silentBefore = new Set(silent.map(job => `${job.id} ${job.heartbeat}`))
    for (const job of silent) if (before.has(`${job.id} ${job.heartbeat}`)) await takeOver(options, job)
  }
  let checking: Promise<void> | undefined
  const timer = setInterval(() => {
    checking ??= check()
      .catch((error: unknown) => log.warn({ err: error }, 'could not look for dead workers'))
      .finally(() => {
        checking = undefined
      })
  }, checkMs)
  return async () => {
    clearInterval(timer)
    await checking
  }
}
