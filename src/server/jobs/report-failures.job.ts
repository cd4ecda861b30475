import { z } from 'zod'
import type { JobDefinition, Services } from '../context.ts'
import { defineJob } from './define-job.ts'
import { type UnreportedFailure, markReported, unreportedFailures } from './failure-reports.ts'

const atOnce = 200

/**
 * Every minute, and at each start of a worker: tells the ends of jobs that could not tell them, since their process was
 * killed in the last try or the telling itself failed. One that cannot be told is tried again the next time.
 */
export function reportFailuresJob(definitions: readonly JobDefinition<never>[]): JobDefinition<Record<string, never>> {
  const known = new Map(definitions.map(job => [job.name, job as unknown as JobDefinition]))
  return defineJob({
    name: 'tell-deaths',
    data: z.object({}),
    // Never two at a time, so that nothing is told twice.
    policy: 'stately',
    retryLimit: 0,
    cron: '* * * * *',
    scheduledData: {},
    run: async (services, _data, { signal }) => {
      for (const death of await unreportedFailures(services.db.system, atOnce)) {
        signal.throwIfAborted()
        await tell(services, known.get(death.queue), death)
      }
    },
  })
}

async function tell(services: Services, job: JobDefinition | undefined, death: UnreportedFailure): Promise<void> {
  const { jobId: id, queue, message } = death
  services.log.error({ dead: queue, id, why: message }, 'a job ended for good without telling it')
  // What another version sent and this one cannot read tells nobody of whom it was.
  const data = job?.data.safeParse(death.data)
  try {
    if (data?.success) await job?.onFinalFailure?.(services, data.data, new Error(message))
  } catch (error) {
    services.log.error({ err: error, dead: queue, id }, 'the end of a job could not be told')
    return
  }
  await markReported(services.db.system, id)
}
