import { sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { Database } from '../db/open-database.ts'
import type { Log } from '../log/log.ts'

/** How often a worker says that it works on a job. */
export const beatSeconds = 1
// Three beats may fail. A job is taken over only when it is seen silent twice, so that after a pause of the database
// itself the living have time to speak first.
const silentSeconds = 4
const checkMs = 1500

interface SilentJob {
  id: string
  name: string
  retryCount: number
  beat: string
}

async function activeJobs(db: Database, silentForSeconds: number): Promise<SilentJob[]> {
  const { rows } = await sql<SilentJob>`
    select id, name, retry_count as "retryCount", heartbeat_on::text as beat from jobs.job
    where state = 'active' and heartbeat_seconds is not null
      and heartbeat_on <= now() - make_interval(secs => ${silentForSeconds})`.execute(db.system)
  return rows
}

interface Options {
  boss: PgBoss
  db: Database
  log: Log
  /** The ids of the jobs that this process works on. */
  running: ReadonlySet<string>
}

// Fenced by the attempt: should its worker still live, what it completes or fails from now on counts for nothing.
async function takeOver({ boss, db, log }: Options, { id, name, retryCount }: SilentJob): Promise<void> {
  await boss.fail(name, { id, retryCount }, new Error('its worker was not heard of any more'))
  log.warn({ id, job: name, attempt: retryCount }, 'a job of a dead worker is taken over')
  // It has done nothing wrong that it should wait for, and the queue remembers its key as active until it counts again.
  await boss.update(name, undefined, { id, startAfter: '0 seconds' })
  await sql`update jobs.queue q set singletons_active = array_remove(q.singletons_active, j.singleton_key)
    from jobs.job j where q.name = ${name} and j.name = ${name} and j.id = ${id}::uuid`.execute(db.system)
}

/**
 * Gives the jobs of dead workers to living ones, some seven seconds after their last word. The embedded database belongs
 * to one process, so that whatever is active at its start belonged to one that is gone. Answers how to stop.
 */
export async function takeOverDeadJobs(options: Options): Promise<() => Promise<void>> {
  const { db, log, running } = options
  if (db.kind === 'embedded') {
    for (const job of await activeJobs(db, 0)) await takeOver(options, job)
    return async () => undefined
  }
  let seen = new Set<string>()
  const check = async (): Promise<void> => {
    const silent = (await activeJobs(db, silentSeconds)).filter(job => !running.has(job.id))
    const before = seen
    seen = new Set(silent.map(job => `${job.id} ${job.beat}`))
    for (const job of silent) if (before.has(`${job.id} ${job.beat}`)) await takeOver(options, job)
  }
  let checking: Promise<void> | undefined
  const timer = setInterval(() => {
    checking ??= check()
      .catch((error: unknown) => log.warn({ err: error }, 'dead workers could not be looked for'))
      .finally(() => {
        checking = undefined
      })
  }, checkMs)
  return async () => {
    clearInterval(timer)
    await checking
  }
}
