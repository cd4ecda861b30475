import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { type ConstructorOptions, fromKysely, fromPglite, type Job, PgBoss, type QueueResult } from 'pg-boss'
import type { JobDefinition, Jobs, SendOptions, Services, Signal } from '../context.ts'
import type { Database } from '../db/open-database.ts'
import type { Db } from '../db/tables.ts'
import type { Log } from '../log/log.ts'
import { deadLetters, reportFailure, reportFailuresJob } from './report-failures.job.ts'

const noJob = '00000000-0000-0000-0000-000000000000'

/** A job that reacts to a signal and gets its data. Reactions with the same `key` run one at a time. */
export interface Reaction<T = never> {
  signal: Signal<T>
  job: JobDefinition<T>
  key?: (data: T) => string
}

interface Options {
  definitions: readonly JobDefinition<never>[]
  reactions: readonly Reaction[]
  db: Database
  log: Log
  /** False in a process that only sends jobs. */
  supervise: boolean
}

function bossOptions(db: Database): ConstructorOptions {
  return 'pglite' in db.raw
    ? { db: fromPglite(db.raw.pglite as never), backend: 'pglite' }
    : { connectionString: db.raw.connectionString, backend: 'postgres', max: 4 }
}

/** Opens the queue on the database, and creates what is missing. */
export async function createJobs({ definitions: featureJobs, reactions, db, log, supervise }: Options): Promise<Jobs> {
  const sweep = reportFailuresJob(featureJobs)
  const definitions = featureJobs.length ? [...featureJobs, sweep as unknown as JobDefinition<never>] : featureJobs
  const boss = new PgBoss({
    ...bossOptions(db),
    schema: 'jobs',
    useListenNotify: true,
    supervise,
    schedule: supervise,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    monitorVacuum: false,
    // The cache holds the keys that are active. With the default of a minute, a freed key would have to wait that long.
    queueCacheIntervalSeconds: 2,
  })
  boss.on('error', error => log.error({ err: error }, 'the job queue failed'))
  boss.on('warning', warning => log.warn({ warning }, 'the job queue warns'))
  await boss.start()
  await openQueues(boss, db, definitions)
  const running = new Set<string>()
  const stopping = new AbortController()
  let stopTakingOver = async (): Promise<void> => undefined
  const queues = new Set(definitions.map(job => job.name))
  async function send<T>(tx: Db, job: JobDefinition<T>, data: T, options: SendOptions = {}): Promise<string | null> {
    // The library would look for the queue, which inside a transaction waits forever for the embedded engine's connection.
    if (!queues.has(job.name)) throw new Error(`There is no queue of the job ${job.name}.`)
    const { key, group, startAfterSeconds } = options
    return asOwner(tx, async () => {
      for (;;) {
        const id = await boss.send(job.name, data as object, {
          db: fromKysely(tx),
          ...(key && { singletonKey: key }),
          ...(group && { group: { id: group } }),
          ...(startAfterSeconds && { startAfter: startAfterSeconds }),
        })
        // One that began before it could be held may have read too early, so that another one is needed.
        if (id !== null || job.policy !== 'stately' || (await holdWaiting(tx, job.name, key ?? ''))) return id
      }
    })
  }
  const sendScheduled = (job: JobDefinition<never>) => send(db.system, job, job.scheduledData ?? ({} as never))
  return {
    send,
    announce: async (tx, signal, data) => {
      for (const reaction of reactions as unknown as readonly Reaction<unknown>[])
        if (reaction.signal.name === signal.name)
          await send(tx, reaction.job, data, reaction.key ? { key: reaction.key(data) } : {})
    },
    work: async services => {
      stopTakingOver = await takeOverDeadJobs({ boss, db, log, running })
      for (const job of definitions)
        await startWorkers(boss, job as unknown as JobDefinition, services, { running, stopping: stopping.signal })
      if (definitions.length) await send(db.system, sweep, {})
      for (const job of definitions) if (job.atStart) await sendScheduled(job)
    },
    runScheduled: async () => {
      for (const job of definitions) if (job.cron) await sendScheduled(job)
    },
    state: async () => {
      const queues = await boss.getQueues()
      return queues.map(q => ({ name: q.name, queued: q.queuedCount, active: q.activeCount, failed: q.failedCount }))
    },
    deadLetters: async () => {
      const jobs = await boss.findJobs<object>(deadLetters)
      return jobs.map(j => ({ id: j.id, queue: j.sourceName ?? '?', data: j.data, failure: j.output, at: j.createdOn }))
    },
    redrive: ids => boss.redrive(deadLetters, ids ? { ids } : {}),
    stop: async (graceMs = 5000) => {
      stopping.abort()
      await stopTakingOver()
      await boss.stop({ graceful: true, timeout: graceMs, close: true })
    },
  }
}

/** How many schedules have no run that began in time: within two hours for hourly and more frequent ones, else within 25. */
export async function lateSchedules(system: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from jobs.schedule s,
    lateral (select now() - make_interval(hours => case when split_part(s.cron, ' ', 2) = '*' then 2 else 25 end) as since) l
    where s.created_on < l.since
      and not exists (select from jobs.job j where j.name = s.name and j.started_on > l.since)`.execute(system)
  return rows[0]?.count ?? 0
}

/**
 * Keeps the job that waits with this key from being started until the transaction has ended: started earlier, it would not
 * see what the transaction writes, and nobody would send it again. False when none waits any longer.
 */
async function holdWaiting(tx: Db, name: string, key: string): Promise<boolean> {
  // The library's channel. The worker that passed the job over would look again at its next poll only, in five seconds.
  const { rows } = await sql`select pg_notify('pgboss_' || left(encode(sha224('jobs'), 'hex'), 24), w.name) from (
      select name from jobs.job where name = ${name} and coalesce(singleton_key, '') = ${key} and state = 'created'
      for key share) w`.execute(tx)
  return rows.length > 0
}

// A tenant's role has no access to the queue's tables, so the transaction resets the role for this statement.
async function asOwner<T>(tx: Db, run: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{
    role: string
  }>`select current_setting('role') as role, set_config('role', 'none', true)`.execute(tx)
  const result = await run()
  const role = rows[0]?.role ?? 'none'
  if (role !== 'none') await sql`select set_config('role', ${role}, true)`.execute(tx)
  return result
}

// Reads all queues and schedules at once, and writes only those that differ, because most starts change nothing.
async function openQueues(boss: PgBoss, db: Database, definitions: readonly JobDefinition<never>[]) {
  const queues = new Map((await boss.getQueues()).map(queue => [queue.name, queue]))
  const schedules = new Map((await boss.getSchedules()).map(schedule => [schedule.name, schedule]))
  if (!queues.has(deadLetters)) await boss.createQueue(deadLetters, { retentionSeconds: 90 * 86_400 })
  for (const job of definitions) {
    await openQueue(boss, db, job, queues.get(job.name))
    const data = (job.scheduledData ?? {}) as object
    const schedule = schedules.get(job.name)
    if (job.cron && !(schedule?.cron === job.cron && isDeepStrictEqual(schedule.data, data)))
      await boss.schedule(job.name, job.cron, data, { tz: 'UTC' })
  }
}

async function openQueue(boss: PgBoss, db: Database, job: JobDefinition<never>, existing: QueueResult | undefined) {
  const policy = job.policy ?? 'standard'
  const options = {
    notify: true,
    retryLimit: job.retryLimit ?? 5,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 300,
    heartbeatSeconds: 15,
    expireInSeconds: 3600,
    deadLetter: deadLetters,
  }
  const current = existing as Record<string, unknown> | undefined
  // The library can change everything about a queue except its policy.
  if (current && current.policy !== policy)
    await sql`update jobs.queue set policy = ${policy} where name = ${job.name}`.execute(db.system)
  if (current && Object.entries({ ...options, policy }).every(([name, value]) => current[name] === value)) return
  if (current) await boss.updateQueue(job.name, options)
  else await boss.createQueue(job.name, { ...options, policy })
  // The library looks up a queue that it has not seen yet when it first sends to it. Inside a transaction, that would
  // wait forever for the one connection of the embedded engine, so it is looked up here.
  await boss.touch(job.name, noJob)
}

interface OfProcess {
  running: Set<string>
  stopping: AbortSignal
}

async function startWorkers(boss: PgBoss, job: JobDefinition, services: Services, { running, stopping }: OfProcess) {
  const log = services.log.child({ job: job.name })
  const ofJob = { ...services, log }
  const execute = async ({ id, retryCount: attempt, data: sent, signal }: Job) => {
    const lastAttempt = attempt >= (job.retryLimit ?? 5)
    let data: unknown
    try {
      data = job.data.parse(sent)
      await job.run(ofJob, data, { id, attempt, lastAttempt, signal, stopping })
    } catch (error) {
      log.error({ err: error, id, attempt, lastAttempt }, 'a job failed')
      // Before the queue learns of the failure, so that it is marked as reported before its dead letter exists.
      if (lastAttempt) await reportFailure(ofJob, job, { id, data, error: error as Error })
      throw error
    }
  }
  const options = {
    pollingIntervalSeconds: 2,
    notifyPollingIntervalSeconds: 5,
    ...(job.groupLimit && { groupConcurrency: job.groupLimit }),
    ...(services.db.kind === 'server' && { heartbeatRefreshSeconds: heartbeatSeconds }),
  }
  for (let i = 0; i < (job.concurrency ?? 1); i++) {
    const workerId = await boss.work<object>(job.name, options, async ([claimed]) => {
      if (!claimed) return
      running.add(claimed.id)
      // A notification wakes a worker for one job. Without this the next one that is queued would wait for the poll.
      boss.notifyWorker(workerId)
      await execute(claimed).finally(() => running.delete(claimed.id))
    })
  }
}

/** How often a worker sends a heartbeat for each of its jobs. */
const heartbeatSeconds = 1
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

interface OpenQueue {
  boss: PgBoss
  db: Database
  log: Log
  /** The ids of the jobs that this process is running. */
  running: ReadonlySet<string>
}

// The attempt's number is the fence: if the worker is alive after all, whatever it reports from now on has no effect.
async function takeOver({ boss, db, log }: OpenQueue, { id, name, retryCount }: SilentJob): Promise<void> {
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
async function takeOverDeadJobs(queue: OpenQueue): Promise<() => Promise<void>> {
  const { db, log, running } = queue
  if (db.kind === 'embedded') {
    for (const job of await activeJobs(db, 0)) await takeOver(queue, job)
    return async () => undefined
  }
  let silentBefore = new Set<string>()
  const check = async (): Promise<void> => {
    const silent = (await activeJobs(db, silentSeconds)).filter(job => !running.has(job.id))
    const before = silentBefore
    silentBefore = new Set(silent.map(job => `${job.id} ${job.heartbeat}`))
    for (const job of silent) if (before.has(`${job.id} ${job.heartbeat}`)) await takeOver(queue, job)
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
