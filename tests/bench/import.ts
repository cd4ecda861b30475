import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { type Profile, profileById } from '#features/accounts/server/public.ts'
import { importDays } from '#features/metrics/server/public.ts'
import { createAmazonAds } from '#integrations/amazon-ads/index.ts'
import type { Services } from '#server/context.ts'
import type { Database } from '#server/db/open-database.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { silentLog } from '../support/scripted-host.ts'
import { type Figure, figureOf } from './figure.ts'
import { type DatabaseKind, emptyDatabase, openMigrated } from './load/bench-database.ts'
import type { ReportContent } from './load/report-server.ts'
import { seed } from './load/seed.ts'
import { atEnd } from './stops.ts'

const goal = { atMost: 30 }

/**
 * The figures of the large account, from the download of its reports (campaigns, targets, search terms, ads) to all that is
 * summed from them: a day of which a fifth or all of 520,000 targets were shown, that day again, and a month again.
 */
export async function measureImport(kind: DatabaseKind): Promise<Figure[]> {
  const env = await emptyDatabase(kind)
  const db = await openMigrated(env)
  const { lastDay } = await seed(db.system, 'large')
  const account = await largestAccount(db)
  const reports = await startReports()
  const pull = (content: Partial<ReportContent>) => imported(db, account, reports, content)
  const first = addDays(lastDay, 1)
  const day = addDays(lastDay, 2)
  const small = await pull({ from: first, to: first, every: 5 })
  const whole = await pull({ from: day, to: day })
  const same = await pull({ from: day, to: day })
  const fifth = await pull({ from: day, to: day, restated: 5, round: 1 })
  const all = await pull({ from: day, to: day, round: 2 })
  const from = addDays(lastDay, -29)
  const month = await pull({ from, to: lastDay, every: 50 })
  const later = await pull({ from, to: lastDay, every: 50, restated: 100, round: 1 })
  await db.close()
  const seconds = (name: string, one: typeof small, goals?: typeof goal) =>
    figureOf(name, 's', [one.seconds], {
      ...(goals && { goal: goals }),
      note: `${one.rows.toLocaleString('en-US')} rows`,
    })
  const memory = (name: string, one: typeof small) =>
    figureOf(name, 'MB', [one.peakMb], { note: `${one.beforeMb.toFixed(0)} MB before` })
  return [
    seconds('a day, 104,000 targets shown', small, goal),
    memory('· most memory of the process', small),
    seconds('a day, all 520,000 targets shown', whole, goal),
    memory('· most memory of the process', whole),
    seconds('· the same day again, unchanged', same, goal),
    seconds('· again, a fifth restated', fifth, goal),
    seconds('· again, all restated', all, goal),
    seconds('30 days, one target of fifty shown, all restated', month),
    seconds('· again, one in a hundred restated', later),
    memory('· most memory of the process', month),
  ]
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
  return { rows, seconds: (performance.now() - began) / 1000, beforeMb, peakMb }
}
