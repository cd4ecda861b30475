import { setTimeout as sleep } from 'node:timers/promises'
import { addDays } from '#shared/time.ts'
import { type Figure, figureOf } from './figure.ts'
import { type DatabaseKind, emptyDatabase, fillDatabase } from './load/bench-database.ts'
import { benchAccount, seed } from './load/seed.ts'
import { startServer } from './load/server-process.ts'

const requests = [
  ['ACCOUNT', 'PDF'],
  ['CAMPAIGNS', 'PDF'],
  ['CAMPAIGNS', 'XLSX'],
  ['KEYWORDS', 'CSV'],
  ['SEARCH_TERMS', 'CSV'],
] as const

interface State {
  status: string
  sizeBytes: number | null
  problem: string | null
}

/** Reports of a year of 20,000 campaigns: how long each takes, and the most memory that the process holds meanwhile. */
export async function measureReports(kind: DatabaseKind): Promise<Figure[]> {
  const env = await emptyDatabase(kind)
  const { facts, lastDay, seconds } = await fillDatabase(env, 'year', db => seed(db.system, 'year'))
  console.log(`${kind}: ${facts.toLocaleString('en-US')} facts in ${seconds.toFixed(0)} s`)
  const server = await startServer(env)
  const send = async <T>(method: string, path: string, token?: string, body?: object): Promise<T> => {
    const headers = {
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
      ...(token && { authorization: `Bearer ${token}` }),
    }
    const answer = await fetch(`${server.url}/api${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const { accessToken: token } = await send<{ accessToken: string }>('POST', '/auth/login', undefined, benchAccount)
  const figures: Figure[] = []
  const days = { dateFrom: addDays(lastDay, -364), dateTo: lastDay }
  for (const [about, format] of requests) {
    const beforeMb = await server.residentMb()
    const began = performance.now()
    const { id } = await send<{ id: number }>('POST', '/performance-reports', token, { kind: about, format, ...days })
    let [peakMb, report] = [beforeMb, null as State | null]
    while (report?.status !== 'READY') {
      await sleep(100)
      peakMb = Math.max(peakMb, await server.residentMb())
      report = await send<State>('GET', `/performance-reports/${id}`, token)
      if (report.status === 'FAILED') throw new Error(`The report failed: ${report.problem}`)
    }
    const name = `${about.toLowerCase().replace('_', ' ')} as ${format}`
    const size = `${((report.sizeBytes ?? 0) / 1e6).toFixed(2)} MB of file`
    figures.push(
      figureOf(name, 's', [(performance.now() - began) / 1000], { note: size }),
      figureOf('· most memory of the process', 'MB', [peakMb], { note: `${beforeMb.toFixed(0)} MB before` }),
    )
  }
  await server.stop()
  return figures
}
