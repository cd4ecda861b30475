import { z } from 'zod'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { giveUpLaunch } from './run/finish-launch.ts'
import type { Timing } from './run/launch-run.ts'
import { runLaunch, usualTiming } from './run/run-launch.ts'
import type { LaunchKey } from './sql/launches.ts'

/** The job that runs launches, with the given timing. */
export function launchJobOf(timing: Timing) {
  return defineJob({
    name: 'launch-campaigns',
    data: z.object({ merchantId: z.number(), launchId: z.number(), profileId: z.number() }),
    retryLimit: 8,
    concurrency: 6,
    groupLimit: 3,
    run: async (services, { profileId, ...key }, job) => {
      const result = await runLaunch(services, key, job, timing)
      if (!result.again) return
      await services.db.transaction(tx => sendLaunch(services, tx, key, profileId, result.afterSeconds))
    },
    onFinalFailure: (services, { merchantId, launchId }) => giveUpLaunch(services, { merchantId, launchId }),
  })
}

/**
 * Carries launches out, three at a time per advertising account; a launch itself is always in one pair of hands, by its
 * lease. That of a killed process is taken over; while the marketplace is out of reach the job sends itself again and ends.
 */
export const launchJob = launchJobOf(usualTiming)

/** Asks for a launch to be carried out, in the caller's transaction. */
export async function sendLaunch(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Db,
  key: LaunchKey,
  profileId: number,
  startAfterSeconds?: number,
): Promise<void> {
  const options = { group: `profile:${profileId}`, ...(startAfterSeconds !== undefined && { startAfterSeconds }) }
  await jobs.send(tx, launchJob, { ...key, profileId }, options)
}

// The list forgets the type of each job's data; the queue parses it by the job's own schema.
export const launchJobs = [launchJob] as unknown as JobDefinition<never>[]
