import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { type Profile, profileById } from '#features/accounts/server/public.ts'
import { importDays } from '#features/metrics/server/public.ts'
import { markNewlyShown } from '#features/structure/server/import/mark-shown.job.ts'
import { createAmazonAds } from '#integrations/amazon-ads/index.ts'
import type { Services } from '#server/context.ts'
import type { Database } from '#server/db/open-database.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { silentLog } from '../support/scripted-host.ts'
import { type Figure, figureOf } from './figure.ts'
import { type DatabaseKind, emptyDatabase, fillDatabase, openMigrated } from './load/bench-database.ts'
import type { ReportContent } from './load/report-server.ts'
import { seed } from './load/seed.ts'
import { atEnd } from './stops.ts'

const goal = { atMost: 30 }

/**
 * The figures of the large account, from the download of its reports (campaigns, targets, search terms, ads) to all that is
 * summed from them: a day of which a fifth or all of 520,000 targets were shown, and that day again.
 */
export function measureImport(kind: DatabaseKind): Promise<Figure[]> {
  return withLargeAccount(kind, async (pull, lastDay) => {
    const first = addDays(lastDay, 1)
    const day = addDays(lastDay, 2)
    const small = await pull({ from: first, to: first, every: 5 })
    const whole = await pull({ from: day, to: day })
    return [
      secondsOf('a day, 104,000 targets shown', small, goal),
      memoryOf(small),
      markedOf(small),
      secondsOf('a day, all 520,000 targets shown', whole, goal),
      memoryOf(whole),
      markedOf(whole),
      secondsOf('· the same day again, unchanged', await pull({ from: day, to: day }), goal),
      secondsOf('· again, a fifth restated', await pull({ from: day, to: day, restated: 5, round: 1 }), goal),
      secondsOf('· again, all restated', await pull({ from: day, to: day, round: 2 }), goal),
    ]
  })
}

/** The same for the last month of the large account, of which a fiftieth was shown. */
export function measureMonth(kind: DatabaseKind): Promise<Figure[]> {
  return withLargeAccount(kind, async (pull, lastDay) => {
    const month = { from: addDays(lastDay, -29), to: lastDay, every: 50 }
    const whole = await pull(month)
    return [
      secondsOf('30 days, one target of fifty shown, all restated', whole),
      memoryOf(whole),
      secondsOf('· again, one in a hundred restated', await pull({ ...month, restated: 100, round: 1 })),
    ]
  })
}

type Import = Awaited<ReturnType<typeof imported>>

function secondsOf(name: string, { seconds, rows }: Import, goals?: typeof goal): Figure {
  console.log(`  ${name}: ${seconds.toFixed(1)} s`)
  return figureOf(name, 's', [seconds], { ...(goals && { goal: goals }), note: `${rows.toLocaleString('en-US')} rows` })
}
const memoryOf = ({ peakMb, beforeMb }: Import): Figure =>
  figureOf('· most memory of the process', 'MB', [peakMb], { note: `${beforeMb.toFixed(0)} MB before` })

const markedOf = ({ markedSeconds }: Import): Figure =>
  figureOf('· afterwards, in the background: marked as shown', 's', [markedSeconds])

/** Hands the import of such days to `measure`, beside the last day that has figures. */
async function withLargeAccount(
  kind: DatabaseKind,
  measure: (pull: (content: Partial<ReportContent>) => Promise<Import>, lastDay: string) => Promise<Figure[]>,
): Promise<Figure[]> {
  const env = await emptyDatabase(kind)
  const { lastDay } = await fillDatabase(env, 'large', db => seed(db.system, 'large'))
  const db = await openMigrated(env)
  const account = await largestAccount(db)
  const reports = await startReports()
  return measure(content => imported(db, account, reports, content), lastDay).finally(() => db.close())
}

async function largestAccount(db: Database): Promise<Profile> {
  const { rows } = await sql<{ merchantId: number; profileId: number }>`
    select merchant_id as "merchantId", profile_id as "profileId" from campaign
    group by 1, 2 order by count(*) desc limit 1`.execute(db.system)
  const [account] = rows
  if (!account) throw new Error('there is no account')
  return profileById(db.system, account.merchantId, account.profileId)
}

interface ReportServer {
  url: string
  /** Makes the files of the next reports; answers how many rows they have. */
  prepare(content: ReportContent): Promise<number>
}

async function startReports(): Promise<ReportServer> {
  const child = fork(fileURLToPath(new URL('load/report-server.ts', import.meta.url)))
  atEnd(async () => {
    child.disconnect()
    await once(child, 'exit')
  })
  const answer = async <T>() => (await once(child, 'message'))[0] as T
  const { url } = await answer<{ url: string }>()
  return {
    url,
    prepare: async content => {
      child.send(content)
      return (await answer<{ rows: number }>()).rows
    },
  }
}

async function imported(db: Database, profile: Profile, reports: ReportServer, content: Partial<ReportContent>) {
  const day = dayIn(new Date(), profile.timezone)
  const shape = { profileId: profile.profileId, campaigns: 20_000, keywordsPerGroup: 12 }
  const pull = { from: day, to: day, every: 1, restated: 1, round: 0, ...content }
  const rows = await reports.prepare({ ...shape, ...pull })
  const clock = { now: () => new Date() }
  const amazonAds = createAmazonAds({
    baseUrls: { NA: reports.url, EU: reports.url, FE: reports.url },
    clientId: 'measured',
    tokens: () => Promise.resolve('measured'),
    clock,
    log: silentLog,
  })
  // An import of days needs no more than these.
  const services = { db, clock, log: silentLog, integrations: { amazonAds } } as unknown as Services
  const memory = () => process.memoryUsage().rss / 1e6
  const [began, beforeMb] = [performance.now(), memory()]
  let peakMb = beforeMb
  const watch = setInterval(() => (peakMb = Math.max(peakMb, memory())), 20)
  const progress = { signal: new AbortController().signal, onProgress: async () => undefined }
  await importDays(services, profile, { from: pull.from, to: pull.to, ...progress })
  clearInterval(watch)
  const seconds = (performance.now() - began) / 1000
  // Some days later in the life of the account: what the import found was marked.
  await markNewlyShown(db, progress.signal)
  return { rows, seconds, markedSeconds: (performance.now() - began) / 1000 - seconds, beforeMb, peakMb }
}
