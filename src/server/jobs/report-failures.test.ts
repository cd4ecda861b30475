import { sql } from 'kysely'
import { fromPglite, PgBoss } from 'pg-boss'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { testServices } from '../../../tests/support/services.ts'
import type { JobDefinition } from '../context.ts'
import { createLog } from '../log/log.ts'
import { defineJob } from './define-job.ts'
import { reportFailuresJob } from './report-failures.job.ts'
import { waitUntil } from '../../../tests/support/wait-until.ts'

const data = z.object({ n: z.number() })
const reported: [n: number, why: string][] = []
let failing = 0
const cutOff = defineJob({
  name: 'cut-off',
  data,
  retryLimit: 0,
  run: async (_s, { n }) => {
    throw new Error(`failed by itself: ${n}`)
  },
  onFinalFailure: async (_s, { n }, error) => {
    if (failing-- > 0) throw new Error('not now')
    reported.push([n, error.message])
  },
})
const silent = defineJob({ name: 'silent', data, retryLimit: 0, run: async () => undefined })
const definitions = [cutOff, silent] as unknown as JobDefinition<never>[]

type Opened = Awaited<ReturnType<typeof testServices>>
const logged: string[] = []
let services: Opened
beforeAll(async () => {
  services = await testServices({ jobs: definitions })
})
afterAll(() => services.close())

function work() {
  return services.jobs.work({
    ...services,
    log: createLog({ level: 'error', destination: { write: line => void logged.push(line) } }),
  })
}
/** A job as a process leaves it that was killed in the middle of its last try. */
async function leaveBehind(job: JobDefinition<{ n: number }>, n: number): Promise<string> {
  const id = await services.jobs.send(services.db.system, job, { n }, { startAfterSeconds: 3600 })
  await sql`update jobs.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '1 minute'
    where name = ${job.name} and id = ${id}::uuid`.execute(services.db.system)
  return id ?? ''
}
const deaths = async () => (await services.jobs.deadLetters()).map(({ queue }) => queue).toSorted()
const run = { id: 'sweep', attempt: 0, lastAttempt: true, signal: new AbortController().signal }
const sweep = () => reportFailuresJob(definitions).run(services, {}, run)
/** Looks after the queues at once, as the queue does by itself every ten seconds. */
async function expire() {
  const { raw } = services.db
  const engine =
    'pglite' in raw
      ? { db: fromPglite(raw.pglite as never), backend: 'pglite' as const }
      : { connectionString: raw.connectionString, backend: 'postgres' as const }
  const boss = new PgBoss({ ...engine, schema: 'jobs', supervise: false, schedule: false })
  await boss.start()
  await boss.supervise()
  await boss.stop({ close: 'connectionString' in raw })
}

test('the failure of a job whose process was killed in its last attempt is reported at the next start, to feature and operator', async () => {
  await leaveBehind(cutOff, 1)
  await leaveBehind(silent, 2)
  await expire()
  await waitUntil(async () => expect(await deaths()).toEqual(['cut-off', 'silent']))
  expect(reported).toEqual([])
  await work()
  await waitUntil(() => expect(reported).toEqual([[1, 'job heartbeat timeout']]))
  await waitUntil(() => expect(logged.filter(line => line.includes('heartbeat timeout'))).toHaveLength(2))
})

test('no failure is reported twice, not even one that the job reported itself', async () => {
  await services.jobs.send(services.db.system, cutOff, { n: 3 })
  await waitUntil(async () => expect(await deaths()).toEqual(['cut-off', 'cut-off', 'silent']))
  await sweep()
  expect(reported).toEqual([
    [1, 'job heartbeat timeout'],
    [3, 'failed by itself: 3'],
  ])
})

test('a failure that could not be reported is reported by the next sweep, and a requeued job may fail again', async () => {
  failing = 2
  await services.jobs.send(services.db.system, cutOff, { n: 4 })
  await waitUntil(async () => expect(await deaths()).toHaveLength(4))
  await sweep()
  await sweep()
  expect(reported.at(-1)).toEqual([4, 'failed by itself: 4'])
  expect(reported).toHaveLength(3)
  const again = (await services.jobs.deadLetters()).filter(dead => (dead.data as { n: number }).n === 1)
  expect(await services.jobs.redrive(again.map(({ id }) => id))).toBe(1)
  await waitUntil(() => expect(reported.at(-1)).toEqual([1, 'failed by itself: 1']))
})
