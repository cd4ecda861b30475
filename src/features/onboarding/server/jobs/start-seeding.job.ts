import { z } from 'zod'
import { accountsOf } from '#features/accounts/server/public.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { addSeedingJobs, seedingJobsOf, type SeedingRow } from '../sql/seeding-jobs.ts'
import { seedProfile } from './seed-profile.job.ts'

interface Connected {
  merchantId: number
  profileIds: number[]
}

/** Reacts to newly connected accounts: records what must be imported and queues a job for each account. */
export const startSeeding: JobDefinition<Connected> = defineJob({
  name: 'start-seeding',
  data: z.object({ merchantId: z.number(), profileIds: z.array(z.number()) }),
  run: async ({ db, jobs, events, clock }, { merchantId, profileIds }) => {
    await db.transaction(async tx => {
      const rows: SeedingRow[] = []
      for (const profileId of profileIds) {
        const owner = { merchantId, profileId }
        await addSeedingJobs(tx, owner, clock.now())
        rows.push(...(await seedingJobsOf(tx, owner)))
        await jobs.send(tx, seedProfile, owner, { key: `${profileId}` })
      }
      await events.publish(tx, await accountsOf(tx, merchantId), 'seeding', { ids: rows.map(row => row.id) })
    })
  },
})
