import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { heldJob } from '../../../tests/support/hold-job.ts'
import { testServices } from '../../../tests/support/services.ts'
import type { JobDefinition } from '../context.ts'
import { createJobs } from './jobs.ts'
import { waitUntil } from '../../../tests/support/wait-until.ts'

const isServerStep = process.env.TEST_DATABASE_URL !== undefined
if (!isServerStep)
  process.stdout.write('The jobs of dead worker processes are tested in the step that has a PostgreSQL server.\n')

type Services = Awaited<ReturnType<typeof testServices>>
async function stateOf({ db }: Services, id: string | null) {
  return (
    await sql<{ state: string; attempt: number }>`
      select state, retry_count as attempt from jobs.job where id = ${id}::uuid`.execute(db.system)
  ).rows[0]
}

// The embedded database belongs to one process.
describe.skipIf(!isServerStep)('a job of another process', () => {
  const script = fileURLToPath(new URL('../../../tests/support/hold-job.ts', import.meta.url))
  const taken: { n: number; attempt: number; at: number }[] = []
  const here = heldJob(async (n, attempt) => void taken.push({ n, attempt, at: performance.now() }))
  const children: ChildProcess[] = []
  const stops: (() => Promise<void>)[] = []
  let services: Services
  beforeAll(async () => {
    services = await testServices({ jobs: [here] as unknown as JobDefinition<never>[] })
  })
  afterEach(async () => {
    children.splice(0).forEach(child => child.kill('SIGKILL'))
    for (const stop of stops.splice(0)) await stop()
  })
  afterAll(() => services.close())

  const holdElsewhere = async (n: number) => {
    const { raw } = services.db
    const child = fork(script, ['connectionString' in raw ? raw.connectionString : ''])
    children.push(child)
    const id = await services.jobs.send(services.db.system, here, { n }, { key: `held ${n}` })
    expect((await once(child, 'message'))[0]).toEqual({ holding: n })
    return { child, id }
  }
  /** A worker of this process, which ends with the test. */
  const workHere = async () => {
    const { db, log } = services
    const definitions = [here] as unknown as JobDefinition<never>[]
    const jobs = await createJobs({ definitions, reactions: [], db, log, supervise: true })
    stops.push(() => jobs.stop(0))
    await jobs.work({ ...services, jobs })
  }
  const takenOver = (n: number) =>
    vi.waitFor(
      () => {
        const one = taken.find(t => t.n === n)
        if (!one) throw new Error(`job ${n} is not taken over`)
        return one
      },
      { timeout: 25_000, interval: 50 },
    )

  test('that was killed is taken over within seconds, although its key was taken', async () => {
    const { child, id } = await holdElsewhere(1)
    await workHere()
    const died = performance.now()
    child.kill('SIGKILL')
    const { at, attempt } = await takenOver(1)
    // A quiet machine takes seven seconds; the queue by itself took 25 to 85.
    expect(at - died).toBeLessThan(20_000)
    expect(attempt).toBe(1)
    await waitUntil(async () => expect(await stateOf(services, id)).toEqual({ state: 'completed', attempt: 1 }))
  })

  test('that stalled loses it, learns of the loss, and its outcome is ignored', async () => {
    const { child, id } = await holdElsewhere(2)
    await workHere()
    child.send(9000)
    const { attempt } = await takenOver(2)
    expect(attempt).toBe(1)
    expect((await once(child, 'message'))[0]).toEqual({ lost: true })
    expect(await stateOf(services, id)).toEqual({ state: 'completed', attempt: 1 })
  })

  test('that lives and is only busy keeps it', async () => {
    const { child, id } = await holdElsewhere(3)
    await workHere()
    child.send(2500)
    await new Promise(resolve => setTimeout(resolve, 5000))
    expect(taken.filter(t => t.n === 3)).toEqual([])
    await vi.waitFor(async () => expect(await stateOf(services, id)).toEqual({ state: 'completed', attempt: 0 }), {
      timeout: 10_000,
    })
  })
})

// In the step with a server there is no embedded database.
describe.skipIf(isServerStep)('a job that was active when the process of the embedded database ended', () => {
  test('is taken over as soon as the next process works', async () => {
    const taken: number[] = []
    const job = heldJob(async (_n, attempt) => void taken.push(attempt))
    const services = await testServices({ jobs: [job] as unknown as JobDefinition<never>[] })
    const id = await services.jobs.send(services.db.system, job, { n: 1 }, { key: 'held' })
    await sql`update jobs.job set state = 'active', started_on = now(), heartbeat_on = now() where id = ${id}::uuid`.execute(
      services.db.system,
    )
    await services.jobs.work(services)
    await vi.waitFor(() => expect(taken).toEqual([1]), { timeout: 8000, interval: 50 })
    await waitUntil(async () => expect(await stateOf(services, id)).toEqual({ state: 'completed', attempt: 1 }))
    await services.close()
  })
})
