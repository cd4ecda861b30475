import { type Config, readConfig } from '#server/config/config.ts'
import { readSecrets, readVapidKeys } from '#server/config/secrets.ts'
import type { Services } from '#server/context.ts'
import { followClock } from '#server/clock/follow-clock.ts'
import { createVault } from '#server/crypto/envelope.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Database, openEmbedded, openServer } from '#server/db/open-database.ts'
import { createEvents } from '#server/events/events.ts'
import { createJobs, type Jobs } from '#server/jobs/jobs.ts'
import { createLog, type Log } from '#server/log/log.ts'
import { systemClock } from '#shared/time.ts'

/**
 * Reads the settings, opens the database and brings it up to date, opens the queue and the doors to the outside.
 * A process whose settings say JOBS=off only sends jobs, unless it is the worker. A database server that is still coming up
 * is waited for. Rejects with one sentence when a setting is broken, the data folder is taken or cannot be written, or the
 * database cannot be reached.
 */
export async function openServices(
  env: Record<string, string | undefined>,
  role: 'web' | 'worker',
): Promise<Services & { close(graceMs: number): Promise<void> }> {
  const config = readConfig(env)
  const log = createLog({ level: config.LOG_LEVEL })
  const secrets = readSecrets(config)
  const vault = createVault(secrets.encryptionKeys)
  // The product's own code is read while the database opens: each takes half a second.
  const [db, { jobs: definitions, reactions }, { openIntegrations }] = await Promise.all([
    openDatabase(config, log),
    import('./api.ts'),
    import('./integrations.ts'),
  ])
  const applied = await migrate(db.system)
  if (applied.length) log.info({ applied }, 'the schema is up to date')
  const supervise = role === 'worker' || config.JOBS === 'inline'
  const jobs = await createJobs({
    definitions,
    reactions,
    db,
    log,
    supervise,
  })
  const events = await createEvents(db, log)
  const followed = config.CLOCK_URL ? await followClock(config.CLOCK_URL, log) : undefined
  if (supervise) followed?.onMove(() => runScheduled(jobs, log))
  const base = { config, log, db, jobs, events, vault, clock: followed ?? systemClock }
  return {
    ...base,
    integrations: openIntegrations(base, {}, readVapidKeys(config)),
    close: async graceMs => {
      followed?.close()
      await jobs.stop(graceMs)
      await events.close()
      await db.close()
    },
  }
}

// The queue's schedule goes by the machine's time: what fell due in the time that was skipped is sent now.
const runScheduled = (jobs: Jobs, log: Log): void =>
  void jobs.runScheduled().catch((error: unknown) => log.error({ err: error }, 'the scheduled jobs could not be sent'))

function openDatabase(config: Config, log: Log): Promise<Database> {
  return config.DATABASE_URL
    ? openServer(config.DATABASE_URL, {
        poolSize: config.DATABASE_POOL,
        waitMs: config.DATABASE_WAIT_SECONDS * 1000,
        onWait: reason => log.warn({ reason, seconds: config.DATABASE_WAIT_SECONDS }, 'waiting for the database'),
      })
    : openEmbedded({ dataDir: `${config.TIDELINE_DATA}/database` })
}
