import { z } from 'zod'
import { openServer } from '#server/db/open-database.ts'
import type { JobDefinition } from '#server/jobs/define-job.ts'
import { defineJob } from '#server/jobs/define-job.ts'
import { createJobs } from '#server/jobs/jobs.ts'
import { createLog } from '#server/log/log.ts'

/** A job that reports its start to the parent process and runs until the parent tells it how to end. */
export function heldJob(hold: (n: number, attempt: number, signal: AbortSignal) => Promise<void>) {
  return defineJob({
    name: 'held',
    data: z.object({ n: z.number() }),
    policy: 'stately',
    run: (_services, { n }, { attempt, signal }) => hold(n, attempt, signal),
  })
}

// As a process of its own: a worker that dies, or pauses for a given time.
const [url] = process.argv.slice(2)
if (url && process.send) {
  const db = await openServer(url)
  const log = createLog({ level: 'silent' })
  const job = heldJob(async (n, _attempt, signal) => {
    process.send?.({ holding: n })
    const standStillMs = await new Promise<number>(resolve => process.once('message', ms => resolve(Number(ms))))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, standStillMs)
    await new Promise(resolve => setTimeout(resolve, 3000))
    process.send?.({ lost: signal.aborted })
  })
  const definitions = [job] as unknown as JobDefinition<never>[]
  const jobs = await createJobs({ definitions, reactions: [], db, log, supervise: true })
  await jobs.work({ db, log, jobs } as never)
}
