import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { testServices } from '../../../tests/support/services.ts'
import type { JobDefinition } from '../context.ts'
import { createLog } from '../log/log.ts'
import { defineJob, defineScheduledJob, defineSignal } from './define-job.ts'
import { lateSchedules, type Reaction } from './jobs.ts'
import { waitUntil } from '../../../tests/support/wait-until.ts'

const ran: { job: string; n: number; attempt: number }[] = []
let failures = 0
const data = z.object({ n: z.number() })
const note = (job: string, n: number, attempt: number) => ran.push({ job, n, attempt })

const plain = defineJob({ name: 'plain', data, run: async (_s, { n }, job) => void note('plain', n, job.attempt) })
const flaky = defineJob({
  name: 'flaky',
  data,
  retryLimit: 1,
  run: async (_s, { n }, job) => {
    note('flaky', n, job.attempt)
    if (failures-- > 0) throw new Error('not yet')
  },
})
const doomed: number[] = []
const hopeless = defineJob({
  name: 'hopeless',
  data,
  retryLimit: 0,
  run: async () => {
    if (doomed.length < 1) throw new Error('never')
  },
  onFinalFailure: async (_s, { n }) => void doomed.push(n),
})
const keyed = defineJob({
  name: 'keyed',
  data,
  policy: 'stately',
  run: async (_s, { n }, job) => void note('keyed', n, job.attempt),
})
const happened = defineSignal({ name: 'probe.happened', data })
const reacting = defineJob({
  name: 'reacting',
  data,
  run: async (_s, { n }, job) => void note('reacting', n, job.attempt),
})

// On days that these tests do not see.
const hourly = defineScheduledJob({ name: 'hourly', cron: '37 * 29 2 *', run: async () => undefined })
const daily = defineScheduledJob({ name: 'daily', cron: '17 3 29 2 *', run: async () => undefined })

const logged: string[] = []
let services: Awaited<ReturnType<typeof testServices>>
beforeAll(async () => {
  const jobs = [hourly, daily, plain, flaky, hopeless, keyed, reacting] as unknown as JobDefinition<never>[]
  services = await testServices({ jobs, reactions: [{ signal: happened, job: reacting } as unknown as Reaction] })
})
afterAll(() => services.close())

const timesOf = (job: string, n: number) => ran.filter(r => r.job === job && r.n === n)

test('sending a job that has no queue fails at once, also within a transaction', async () => {
  const unknown = defineJob({ name: 'unknown', data, run: async () => undefined })
  const sent = services.db.transaction(tx => services.jobs.send(tx, unknown, { n: 0 }))
  await expect(sent).rejects.toThrow('There is no queue of the job unknown.')
})

test('a job can be sent within a transaction before anything else was', async () => {
  const sent = await services.db.transaction(tx => services.jobs.send(tx, plain, { n: 0 }))
  expect(sent).not.toBeNull()
})

test('a job that waits is one however often it is asked for, by its key', async () => {
  const { jobs, db } = services
  expect(await jobs.send(db.system, keyed, { n: 1 }, { key: 'a' })).not.toBeNull()
  expect(await jobs.send(db.system, keyed, { n: 2 }, { key: 'a' })).toBeNull()
  expect(await jobs.send(db.system, keyed, { n: 3 }, { key: 'b' })).not.toBeNull()
})

test('a job that is sent again while it waits cannot begin before that transaction ends, of which it would see nothing', async () => {
  const { jobs, db } = services
  await jobs.send(db.system, keyed, { n: 4 }, { key: 'held' })
  const startable = sql`select from jobs.job where name = 'keyed' and singleton_key = 'held' for update skip locked`
  await db.transaction(async tx => {
    expect(await jobs.send(tx, keyed, { n: 5 }, { key: 'held' })).toBeNull()
    // The embedded database has one session, which this transaction uses.
    if (db.kind === 'server') expect((await startable.execute(db.system)).rows).toEqual([])
  })
  expect((await startable.execute(db.system)).rows).toHaveLength(1)
})

test('a job exists only if its transaction commits', async () => {
  const log = createLog({ level: 'error', destination: { write: line => void logged.push(line) } })
  await services.jobs.work({ ...services, log })
  await services.db.transaction(tx => services.jobs.send(tx, plain, { n: 1 }))
  const refused = services.db.transaction(async tx => {
    await services.jobs.send(tx, plain, { n: 2 })
    throw new Error('rolled back')
  })
  await expect(refused).rejects.toThrow('rolled back')
  await services.db.transaction(tx => services.jobs.send(tx, plain, { n: 3 }))
  await waitUntil(() => expect(timesOf('plain', 3)).toHaveLength(1))
  expect([timesOf('plain', 1).length, timesOf('plain', 2).length]).toEqual([1, 0])
})

test('a failed job is tried again', async () => {
  failures = 1
  await services.jobs.send(services.db.system, flaky, { n: 7 })
  await waitUntil(() => expect(timesOf('flaky', 7).map(r => r.attempt)).toEqual([0, 1]))
})

test('a job that failed for good is reported once, visible to an operator, and can be queued again', async () => {
  await services.jobs.send(services.db.system, hopeless, { n: 9 })
  await waitUntil(async () =>
    expect(await services.jobs.deadLetters()).toMatchObject([{ queue: 'hopeless', data: { n: 9 } }]),
  )
  expect(doomed).toEqual([9])
  expect(await services.jobs.redrive()).toBe(1)
  expect(await services.jobs.deadLetters()).toEqual([])
})

test('a job whose data cannot be read says so in the log, and an operator sees it', async () => {
  await services.jobs.send(services.db.system, hopeless, { n: 'nine' } as never)
  await waitUntil(async () =>
    expect(await services.jobs.deadLetters()).toMatchObject([{ queue: 'hopeless', data: { n: 'nine' } }]),
  )
  expect(logged.filter(line => line.includes('"job":"hopeless"')).at(-1)).toContain('expected number, received string')
  expect(doomed).toEqual([9])
})

test('a signal starts the jobs that listen to it', async () => {
  await services.db.transaction(tx => services.jobs.announce(tx, happened, { n: 5 }))
  await waitUntil(() => expect(timesOf('reacting', 5)).toHaveLength(1))
})

test('a tenant’s transaction may send, and sees no more rows than before for it', async () => {
  const roles = await services.db.tenant(7, async tx => {
    await services.jobs.send(tx, plain, { n: 70 })
    return (
      await sql<{
        role: string
        merchants: string
      }>`select current_setting('role') as role, current_setting('tideline.merchants') as merchants`.execute(tx)
    ).rows[0]
  })
  expect(roles).toEqual({ role: 'tideline_app', merchants: '7' })
  await waitUntil(() => expect(timesOf('plain', 70)).toHaveLength(1))
})

test('jobs that are queued at once are worked on one after another, without waiting in between', async () => {
  const numbers = Array.from({ length: 20 }, (_, i) => 1000 + i)
  const begin = performance.now()
  await services.db.transaction(async tx => {
    for (const n of numbers) await services.jobs.send(tx, plain, { n })
  })
  await waitUntil(() => expect(numbers.filter(n => timesOf('plain', n).length !== 1)).toEqual([]))
  // One each 5 seconds would be 95.
  expect(performance.now() - begin).toBeLessThan(20_000)
})

test('a schedule is late when none of its jobs began in time: two hours for hourly ones, 25 for others', async () => {
  const { system } = services.db
  const late = () => lateSchedules(system)
  const madeHoursAgo = (hours: number) =>
    sql`update jobs.schedule set created_on = now() - make_interval(hours => ${hours}) where name in ('hourly', 'daily')`.execute(
      system,
    )
  const counts = [await late()]
  for (const hours of [1, 3, 26]) {
    await madeHoursAgo(hours)
    counts.push(await late())
  }
  expect(counts).toEqual([0, 0, 1, 2])
  await services.jobs.send(system, hourly, {})
  await waitUntil(async () => expect(await late()).toBe(1))
  await sql`update jobs.job set started_on = now() - interval '3 hours' where name = 'hourly'`.execute(system)
  expect(await late()).toBe(2)
  await sql`delete from jobs.schedule where name in ('hourly', 'daily')`.execute(system)
})
