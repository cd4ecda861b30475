import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { issueAccessToken } from '#features/auth/server/authenticate.ts'
import { insertSession } from '#features/auth/server/sql.ts'
import { readConfig } from '#server/config/config.ts'
import { readSecrets } from '#server/config/secrets.ts'
import type { Jobs, Services } from '#server/context.ts'
import { createVault } from '#server/crypto/envelope.ts'
import type { Database } from '#server/db/open-database.ts'
import { createJobs } from '#server/jobs/jobs.ts'
import { createLog } from '#server/log/log.ts'
import { systemClock } from '#shared/time.ts'
import { jobs as definitions } from '../../../src/main/api.ts'
import { outsideWorld } from '../../support/processes.ts'
import { atEnd } from '../stops.ts'
import { emptyDatabase, openMigrated } from './bench-database.ts'
import { type SeededMerchant, seedMerchants } from './seed-merchants.ts'
import { measuredSecrets } from './server-process.ts'

export interface ManyMerchants {
  /** The settings of web and worker processes. */
  env: Record<string, string>
  db: Database
  /** Sends jobs, and works on none. */
  jobs: Jobs
  merchants: SeededMerchant[]
  /** Of as many merchants' owners, spread over all: each answers an access token that is valid now. */
  tokens: (() => Promise<string>)[]
  /** The process that plays the marketplace. */
  marketplace: { url: string; pid: number }
  /** Of the database server's first process. */
  postgresPid: number
}

/** A PostgreSQL database with small merchants and a marketplace that has reports of them. */
export async function createManyMerchants(
  count: number,
  sessions: number,
  ofPostgres?: Record<string, string>,
): Promise<ManyMerchants> {
  const database = await emptyDatabase('PostgreSQL', ofPostgres)
  const marketplace = await startMarketplace()
  const settings = {
    ...outsideWorld(marketplace.url, 9),
    ...measuredSecrets,
    ADS_STREAM_QUEUE_URL: '',
    LOG_LEVEL: 'error',
  }
  for (const region of ['NA', 'EU', 'FE']) settings[`ADS_URL_${region}` as keyof typeof settings] = marketplace.url
  const env = { ...database, ...settings, JOBS: 'off', CLIENT: 'off' }
  const config = readConfig(env)
  const db = await openMigrated(env)
  atEnd(() => db.close())
  const began = performance.now()
  const merchants = await seedMerchants({ db, vault: createVault(readSecrets(config).encryptionKeys) }, count)
  console.log(`${merchants.length} merchants in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  const tokens = await openSessions({ db, config }, merchants, sessions)
  const log = createLog({ level: 'error' })
  const jobs = await createJobs({ definitions, reactions: [], db, log, supervise: false })
  atEnd(() => jobs.stop(1000))
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db.system)
  return { env, db, jobs, merchants, tokens, marketplace, postgresPid: parentOf(rows[0]?.pid ?? 0) }
}

async function startMarketplace(): Promise<ManyMerchants['marketplace']> {
  const program = fileURLToPath(new URL('report-of-profile.ts', import.meta.url))
  const child = fork(program)
  atEnd(async () => void child.kill())
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  return { url, pid: child.pid ?? 0 }
}

/** Sessions of as many merchants' owners, each with a token that is renewed as the client does, before it expires. */
async function openSessions(
  services: Pick<Services, 'db' | 'config'>,
  merchants: readonly SeededMerchant[],
  count: number,
): Promise<ManyMerchants['tokens']> {
  const tokens: ManyMerchants['tokens'] = []
  for (let n = 0; n < count; n++) {
    const { accountId } = merchants[Math.floor((n * merchants.length) / count)] as SeededMerchant
    const id = randomUUID()
    const now = new Date()
    const expiresAt = new Date(now.getTime() + 86_400_000)
    await insertSession(services.db.system, { id, accountId, tokenHash: id, now, expiresAt, userAgent: '' })
    const issue = () => issueAccessToken({ ...services, clock: systemClock }, { accountId, sessionId: id })
    let [token, since] = [await issue(), performance.now()]
    tokens.push(async () => {
      if (performance.now() - since > renewMs) [token, since] = [await issue(), performance.now()]
      return token
    })
  }
  return tokens
}
const renewMs = 10 * 60_000

/** State, parent and times of a process, after its name, which may hold spaces; null if it is gone. */
function statOf(pid: number): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
  } catch {
    return null
  }
}
const parentOf = (pid: number): number => Number(statOf(pid)?.[1] ?? 0)

// Linux counts in hundredths of a second.
const tickMs = 10
/** Processor time used so far by a process, in ms; with `children`, by those it has started too, ended or not. */
export function cpuMsOf(pid: number, children?: 'children'): number {
  const own = statOf(pid)
  const ticks = (own ?? []).slice(11, children ? 15 : 13).reduce((sum, time) => sum + Number(time), 0)
  if (!children) return ticks * tickMs
  const living = readdirSync('/proc').filter(name => /^\d+$/.test(name) && parentOf(Number(name)) === pid)
  return ticks * tickMs + living.reduce((sum, child) => sum + cpuMsOf(Number(child)), 0)
}
