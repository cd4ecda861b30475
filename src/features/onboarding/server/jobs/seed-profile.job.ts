import { z } from 'zod'
import { accountsOf, profileById } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { isLockedOut, isWaiting, WAIT_SECONDS } from '../refusals.ts'
import {
  addSeedingJobs,
  type Owner,
  type SeedingChange,
  type SeedingRow,
  seedingFinished,
  seedingRows,
  setSeeding,
} from '../seeding-jobs.ts'
import { seedingSteps, type Step } from '../seeding-steps.ts'
import { fillProductTrade } from './fill-product-trade.job.ts'
import { noteRefresh, refreshStatistics } from './refresh-profile.job.ts'

/** Reacts to newly connected accounts: records what must be imported and queues a job for each account. */
export const startSeeding: JobDefinition<{ merchantId: number; profileIds: number[] }> = defineJob({
  name: 'start-seeding',
  data: z.object({ merchantId: z.number(), profileIds: z.array(z.number()) }),
  run: async ({ db, jobs, events, clock }, { merchantId, profileIds }) => {
    await db.transaction(async tx => {
      const ids: number[] = []
      for (const profileId of profileIds) {
        const owner = { merchantId, profileId }
        await addSeedingJobs(tx, owner, clock.now())
        ids.push(...(await rowsOf(tx, owner)).map(row => row.id))
        await jobs.send(tx, seedProfile, owner, { key: `${profileId}` })
      }
      await events.publish(tx, await accountsOf(tx, merchantId), 'seeding', { ids })
    })
  },
})

/**
 * Brings in a connected account's data, one kind after the other. What is done stays done: a run that was cut off goes on
 * with the kind at which it was. While the marketplace is still making reports the job ends and comes back in a minute.
 */
export const seedProfile: JobDefinition<Owner> = defineJob({
  name: 'seed-profile',
  data: z.object({ merchantId: z.number(), profileId: z.number() }),
  policy: 'stately',
  retryLimit: 8,
  concurrency: 3,
  run: async (services, owner, { signal }) => {
    const { db, jobs, clock } = services
    const failures = await importAll(services, owner, signal)
    const broken = failures.filter(error => !isWaiting(error))
    if (broken.length) throw broken[0]
    const key = `${owner.profileId}`
    if (failures.length) {
      await db.transaction(tx => jobs.send(tx, seedProfile, owner, { key, startAfterSeconds: WAIT_SECONDS }))
      return
    }
    if ((await readRows(services, owner)).some(row => row.status !== 'COMPLETED')) return
    await db.transaction(async tx => {
      await noteRefresh(tx, owner, 'WHOLE', clock.now())
      await jobs.announce(tx, seedingFinished, owner)
      await jobs.send(tx, fillProductTrade, owner, { key })
    })
  },
  onFinalFailure: async (services, owner, error) => {
    for (const row of await readRows(services, owner))
      if (row.status === 'IN_PROGRESS' || row.status === 'PENDING')
        await change(services, row, { status: 'FAILED', description: row.description, failure: messageOf(error) })
  },
})

const rowsOf = (tx: Db, { merchantId, profileId }: Owner): Promise<SeedingRow[]> =>
  seedingRows(tx, [merchantId]).where('profile_id', '=', profileId).execute()
const readRows = ({ db }: Services, owner: Owner) => db.tenant(owner.merchantId, tx => rowsOf(tx, owner))

/** Writes how far a kind is and publishes it to everyone who may see the merchant. */
function change(services: Services, row: SeedingRow, to: SeedingChange): Promise<void> {
  return services.db.tenant(row.merchantId, async tx => {
    await setSeeding(tx, row, to, services.clock.now())
    const accounts = await accountsOf(tx, row.merchantId)
    await services.events.publish(tx, accounts, 'seeding', { ids: [row.id] })
  })
}

const messageOf = (error: unknown): string =>
  isLockedOut(error)
    ? 'The marketplace no longer accepts our permission. Connect the account again.'
    : 'This could not be imported. Please try again: nothing imported so far is lost.'

/** Imports the kinds that are not done yet; returns the errors of those that must be repeated. */
async function importAll(services: Services, owner: Owner, signal: AbortSignal): Promise<unknown[]> {
  const failures: unknown[] = []
  let hasStructure = true
  for (const row of await readRows(services, owner)) {
    if (row.status === 'COMPLETED' || row.status === 'FAILED') {
      if (row.kind === 'STRUCTURE') hasStructure = row.status === 'COMPLETED'
      continue
    }
    // Figures hang on campaigns; products do not.
    if (!hasStructure && row.kind !== 'INVENTORY') continue
    try {
      await importOne(services, row, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (row.kind === 'STRUCTURE') hasStructure = false
      failures.push(error)
    }
  }
  return failures
}

async function importOne(services: Services, row: SeedingRow, signal: AbortSignal): Promise<void> {
  const { merchantId, profileId } = row
  let { progress, description } = row
  const onProgress: Step['onProgress'] = async (share, what, days) => {
    if (what === description && Math.floor(share * 100) === Math.floor(progress * 100)) return
    // A second run over what is there already must not seem to lose ground.
    progress = Math.max(progress, share)
    description = what
    await change(services, row, { status: 'IN_PROGRESS', progress, description, ...(days && { days }) })
  }
  try {
    const profile = await services.db.tenant(merchantId, tx => profileById(tx, merchantId, profileId))
    await change(services, row, { status: 'IN_PROGRESS', description, days: row.days })
    const done = await seedingSteps[row.kind]({ services, profile, signal, onProgress })
    // Screens show each kind as soon as it is there, and the next may wait for the marketplace.
    await refreshStatistics(services)
    await change(services, row, { status: 'COMPLETED', progress: 1, description: done })
  } catch (error) {
    signal.throwIfAborted()
    if (isWaiting(error))
      await change(services, row, { status: 'IN_PROGRESS', description: 'Waiting for the marketplace' })
    if (!isLockedOut(error)) throw error
    await change(services, row, { status: 'FAILED', description, failure: messageOf(error) })
    services.log.warn({ err: error, kind: row.kind, merchantId, profileId }, 'a seeding needs the user')
  }
}
