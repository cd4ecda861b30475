import { type Config, readConfig } from '#server/config/config.ts'
import { readSecrets, readVapidKeys } from '#server/config/secrets.ts'
import type { Services, Jobs } from '#server/context.ts'
import { followClock } from '#server/clock/follow-clock.ts'
import { createVault } from '#server/crypto/envelope.ts'
import { requireSpread } from '#server/db/distribute/distribute.ts'
import { keepStatistics } from '#server/db/keep-statistics.ts'
import { migrate } from '#server/db/migrate.ts'
import { type Database, openEmbedded, openServer } from '#server/db/open-database.ts'
import { createInvalidations, withoutInvalidations } from '#server/db/invalidations.ts'
import { createSharedQuotas } from '#server/db/shared-quotas.ts'
import { createEvents } from '#server/events/events.ts'
import { createTokenBuckets } from '#server/http-client/token-buckets.ts'
import { createJobs } from '#server/jobs/jobs.ts'
import { createLog, type Log } from '#server/log/log.ts'
import { systemClock } from '#shared/time.ts'

/**
 * Reads the settings, opens and migrates the database, and opens the queue and the clients of outside services. With
 * JOBS=off a process only sends jobs, unless it is the worker. Waits for a database server that is still starting. Rejects
 * with one sentence if a setting is invalid, the data folder is in use or not writable, the database cannot be reached, or a
 * cluster has tables that are not spread yet.
 */
export async function openServices(
  env: Record<string, string | undefined>,
  role: 'web' | 'worker',
): Promise<Services & { close(graceMs: number): Promise<void> }> {
  const config = readConfig(env)
  const log = createLog({ level: config.LOG_LEVEL })
  const secrets = readSecrets(config)
  const vault = createVault(secrets.encryptionKeys)
  // The product's code loads while the database opens; each takes half a second.
  const [db, { jobs: definitions, reactions }, { openIntegrations }] = await Promise.all([
    openDatabase(config, log),
    import('./api.ts'),
    import('./integrations.ts'),
  ])
  const applied = await migrate(db.system)
  if (applied.length) log.info({ applied }, 'the schema is up to date')
  if (db.kind === 'server') await requireSpread(db.system)
  const stopStatistics = db.kind === 'embedded' ? keepStatistics(db.system, log) : undefined
  const supervise = role === 'worker' || config.JOBS === 'inline'
  const jobs = await createJobs({
    definitions,
    reactions,
    db,
    log,
    supervise,
  })
  const [events, invalidations] = await Promise.all([
    createEvents(db, log),
    role === 'web' ? createInvalidations(db) : withoutInvalidations,
  ])
  const followed = config.CLOCK_URL ? await followClock(config.CLOCK_URL, log) : undefined
  if (supervise) followed?.onMove(() => runScheduled(jobs, log))
  const base = { config, log, db, jobs, events, invalidations, vault, clock: followed ?? systemClock }
  // The embedded database has one process.
  const buckets = createTokenBuckets(db.kind === 'server' ? createSharedQuotas(db.system) : undefined)
  return {
    ...base,
    integrations: openIntegrations(base, {}, readVapidKeys(config), buckets),
    close: async graceMs => {
      followed?.close()
      await jobs.stop(graceMs)
      await events.close()
      await invalidations.close()
      await stopStatistics?.()
      await db.close()
    },
  }
}

// The queue's schedule uses the machine's time, so jobs that became due when the other clock was moved are sent now.
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
