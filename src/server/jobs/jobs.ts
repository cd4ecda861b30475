import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { type ConstructorOptions, fromKysely, fromPglite, type Job, PgBoss, type QueueResult } from 'pg-boss'
import type { JobDefinition, Jobs, SendOptions, Services, Signal } from '../context.ts'
import type { Database } from '../db/open-database.ts'
import type { Db } from '../db/tables.ts'
import type { Log } from '../log/log.ts'
import { beatSeconds, takeOverDeadJobs } from './take-over.ts'
import { reportFailuresJob } from './report-failures.job.ts'
import { deadLetters, markReported } from './failure-reports.ts'

export type { Jobs, SendOptions } from '../context.ts'

const noJob = '00000000-0000-0000-0000-000000000000'

/** A job that reacts to a signal: its data is the signal's. `key` makes reactions to the same thing one at a time. */
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
  /** False in a process that only sends. */
  supervise: boolean
}

function bossOptions(db: Database): ConstructorOptions {
  return 'pglite' in db.raw
    ? { db: fromPglite(db.raw.pglite as never), backend: 'pglite' }
    : { connectionString: db.raw.connectionString, backend: 'postgres', max: 4 }
}

/** Opens the queue on the database, creating what is missing. */
export async function createJobs({ definitions: given, reactions, db, log, supervise }: Options): Promise<Jobs> {
  const sweep = reportFailuresJob(given)
  const definitions = given.length ? [...given, sweep as unknown as JobDefinition<never>] : given
  const boss = new PgBoss({
    ...bossOptions(db),
    schema: 'jobs',
    useListenNotify: true,
    supervise,
    schedule: supervise,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    monitorVacuum: false,
    // By this cache it passes over keys that were active; at its usual minute a key would wait for as long.
    queueCacheIntervalSeconds: 2,
  })
  boss.on('error', error => log.error({ err: error }, 'the job queue failed'))
  boss.on('warning', warning => log.warn({ warning }, 'the job queue warns'))
  await boss.start()
  await openQueues(boss, db, definitions)
  const running = new Set<string>()
  let stopTakingOver = async (): Promise<void> => undefined
  const send = <T>(tx: Db, job: JobDefinition<T>, data: T, { key, group, startAfterSeconds }: SendOptions = {}) =>
    asOwner(tx, () =>
      boss.send(job.name, data as object, {
        db: fromKysely(tx),
        ...(key && { singletonKey: key }),
        ...(group && { group: { id: group } }),
        ...(startAfterSeconds && { startAfter: startAfterSeconds }),
      }),
    )
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
      for (const job of definitions) await startWorkers(boss, job as unknown as JobDefinition, services, running)
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
      await stopTakingOver()
      await boss.stop({ graceful: true, timeout: graceMs, close: true })
    },
  }
}

// A tenant's role has no business in the queue's tables; the transaction takes it off for this one statement.
async function asOwner<T>(tx: Db, run: () => Promise<T>): Promise<T> {
  const { rows } = await sql<{
    role: string
  }>`select current_setting('role') as role, set_config('role', 'none', true)`.execute(tx)
  const result = await run()
  const role = rows[0]?.role ?? 'none'
  if (role !== 'none') await sql`select set_config('role', ${role}, true)`.execute(tx)
  return result
}

// A start asks for all queues and schedules at once, and writes only those that are not as they should be.
async function openQueues(boss: PgBoss, db: Database, definitions: readonly JobDefinition<never>[]) {
  const queues = new Map((await boss.getQueues()).map(queue => [queue.name, queue]))
  const schedules = new Map((await boss.getSchedules()).map(schedule => [schedule.name, schedule]))
  if (!queues.has(deadLetters)) await boss.createQueue(deadLetters, { retentionSeconds: 90 * 86_400 })
  for (const job of definitions) {
    await openQueue(boss, db, job, queues.get(job.name))
    const data = (job.scheduledData ?? {}) as object
    const held = schedules.get(job.name)
    if (job.cron && !(held && held.cron === job.cron && isDeepStrictEqual(held.data, data)))
      await boss.schedule(job.name, job.cron, data, { tz: 'UTC' })
  }
}

async function openQueue(boss: PgBoss, db: Database, job: JobDefinition<never>, known: QueueResult | undefined) {
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
  const held = known as Record<string, unknown> | undefined
  // The library changes everything of a queue but this.
  if (held && held.policy !== policy)
    await sql`update jobs.queue set policy = ${policy} where name = ${job.name}`.execute(db.system)
  if (held && Object.entries({ ...options, policy }).every(([name, value]) => held[name] === value)) return
  if (held) await boss.updateQueue(job.name, options)
  else await boss.createQueue(job.name, { ...options, policy })
  // The queue looks a name up before it first sends to it, unless it was there when it started; within a transaction
  // that would wait for ever on the one connection of the embedded engine, so it is looked up here.
  await boss.touch(job.name, noJob)
}

async function startWorkers(boss: PgBoss, job: JobDefinition, services: Services, running: Set<string>) {
  const log = services.log.child({ job: job.name })
  const work = async ([claimed]: Job[]) => {
    if (!claimed) return
    running.add(claimed.id)
    try {
      await carryOut(claimed)
    } finally {
      running.delete(claimed.id)
    }
  }
  const carryOut = async (claimed: Job) => {
    const lastAttempt = claimed.retryCount >= (job.retryLimit ?? 5)
    let data: unknown
    try {
      data = job.data.parse(claimed.data)
      await job.run({ ...services, log }, data, {
        id: claimed.id,
        attempt: claimed.retryCount,
        lastAttempt,
        signal: claimed.signal,
      })
    } catch (error) {
      log.error({ err: error, id: claimed.id, attempt: claimed.retryCount, lastAttempt }, 'a job failed')
      if (lastAttempt) await tellDeath(services, log, job, { id: claimed.id, data, error: error as Error })
      throw error
    }
  }
  await boss.work<object>(
    job.name,
    {
      pollingIntervalSeconds: 2,
      notifyPollingIntervalSeconds: 5,
      localConcurrency: job.concurrency ?? 1,
      ...(job.groupLimit && { groupConcurrency: job.groupLimit }),
      ...(services.db.kind === 'server' && { heartbeatRefreshSeconds: beatSeconds }),
    },
    work,
  )
}

interface OwnDeath {
  id: string
  /** Undefined where it could not be read: what another version sent tells nobody of whom it was. */
  data: unknown
  error: Error
}

// Before the queue hears of the failure, so that the sweep finds it noted with the dead letter.
async function tellDeath(services: Services, log: Log, job: JobDefinition, { id, data, error }: OwnDeath) {
  try {
    if (data !== undefined) await job.onFinalFailure?.(services, data, error)
    await markReported(services.db.system, id)
  } catch (failure) {
    log.error({ err: failure, id }, 'the end of a job could not be told yet')
  }
}
