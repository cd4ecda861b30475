import { z } from 'zod'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import type { EntityName } from '../../contract.ts'
import type { Owner } from '../sql/entity-sql.ts'
import { adTypesOf, negativesAfter, type PushKey, readLongPending } from '../sql/pending-rows.ts'
import { pushRows } from './push-rows.ts'

/**
 * Queues what rows of one account wait with for the marketplace, in the caller's transaction: the only way to do so. The
 * rows are PENDING already. However many they are, they become one job for each ad type.
 */
export async function sendChanges(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Db,
  { merchantId, profileId }: Owner,
  entity: EntityName,
  ids: readonly number[],
): Promise<void> {
  for (const adType of await adTypesOf(tx, entity, { merchantId, profileId }, ids))
    await queue({ jobs }, tx, entity, { merchantId, profileId, adType })
}

const queue = ({ jobs }: Pick<Services, 'jobs'>, tx: Db, entity: EntityName, key: PushKey) =>
  jobs.send(tx, pushJobs[entity], key, { key: `${key.merchantId}:${key.profileId}:${key.adType}` })

/** The jobs that send the pending rows of each entity: per account and ad type one that waits and one that runs. */
export const pushJobs: Record<EntityName, JobDefinition<PushKey>> = {
  campaign: pushJob('campaign', 'push-campaign'),
  adGroup: pushJob('adGroup', 'push-ad-group'),
  ad: pushJob('ad', 'push-product-ad'),
  target: pushJob('target', 'push-target'),
  negative: pushJob('negative', 'push-negative'),
}

function pushJob(entity: EntityName, name: string): JobDefinition<PushKey> {
  return defineJob<PushKey>({
    name,
    data: z.object({ merchantId: z.number(), profileId: z.number(), adType: z.string() }),
    policy: 'stately',
    retryLimit: 8,
    concurrency: 4,
    run: async (services, key, job) => {
      const isDone = await pushRows(services, entity, key, job, async (tx, targetIds) => {
        const negativeIds = targetIds.length ? await negativesAfter(tx, key.merchantId, targetIds) : []
        if (negativeIds.length) await sendChanges(services, tx, key, 'negative', negativeIds)
      })
      if (!isDone) await queue(services, services.db.system, entity, key)
    },
  })
}

const minWaitMs = 15 * 60_000
const maxJobs = 1000

/**
 * Every ten minutes: rows that wait for the marketplace although their job is long over (its process was killed in the
 * last try, for instance) are sent again, so that none waits for ever.
 */
export const resendPendingJob = defineJob<object>({
  name: 'resend-pending',
  data: z.object({}),
  policy: 'stately',
  cron: '*/10 * * * *',
  run: async services => {
    const { clock, db } = services
    const before = new Date(clock.now().getTime() - minWaitMs)
    for (const entity of Object.keys(pushJobs) as EntityName[])
      for (const key of await readLongPending(db.system, entity, before, maxJobs))
        await queue(services, db.system, entity, key)
  },
})

// A list of jobs with different data has no other common type.
export const structureJobs = [...Object.values(pushJobs), resendPendingJob] as unknown as JobDefinition<never>[]
