import { randomBytes } from 'node:crypto'
import { readConfig } from '#server/config/config.ts'
import { readSecrets } from '#server/config/secrets.ts'
import type { Integrations, Services } from '#server/context.ts'
import { createVault } from '#server/crypto/envelope.ts'
import { createInvalidations } from '#server/db/invalidations.ts'
import { createEvents } from '#server/events/events.ts'
import type { JobDefinition } from '#server/jobs/define-job.ts'
import { createJobs, type Reaction } from '#server/jobs/jobs.ts'
import { createLog } from '#server/log/log.ts'
import { systemClock } from '#shared/time.ts'
import { openTestDatabase } from './database.ts'

interface Options extends Partial<Pick<Services, 'db' | 'clock'>> {
  env?: Record<string, string>
  integrations?: Partial<Integrations>
  jobs?: readonly JobDefinition<never>[]
  reactions?: readonly Reaction[]
  /** Whether the queue looks after itself every few seconds; as a rule where there are jobs. */
  supervise?: boolean
}

/** The services of a verb on a database of its own, with the system clock by default; `close` ends them. */
export async function testServices(options: Options = {}): Promise<Services & { close(): Promise<void> }> {
  const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent', ...options.env })
  const log = createLog({ level: config.LOG_LEVEL })
  const db = options.db ?? (await openTestDatabase())
  const jobs = await createJobs({
    definitions: options.jobs ?? [],
    reactions: options.reactions ?? [],
    db,
    log,
    supervise: options.supervise ?? Boolean(options.jobs),
  })
  const [events, invalidations] = await Promise.all([createEvents(db, log), createInvalidations(db)])
  return {
    config,
    log,
    db,
    jobs,
    events,
    invalidations,
    clock: options.clock ?? systemClock,
    vault: createVault(
      config.TOKEN_SECRET && config.ENCRYPTION_KEYS
        ? readSecrets(config).encryptionKeys
        : [{ id: 'test', key: randomBytes(32) }],
    ),
    integrations: (options.integrations ?? {}) as Integrations,
    close: async () => {
      await jobs.stop(1000)
      await events.close()
      await invalidations.close()
      await db.close()
    },
  }
}
