import { z } from 'zod'
import { accountsOf, profileById } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import { defineJob, type JobDefinition, type JobRun } from '#server/jobs/define-job.ts'
import { isLockedOut, isWaiting, WAIT_SECONDS } from '../refusals.ts'
import { refreshStatistics } from '../refresh-statistics.ts'
import { seedingSteps } from '../seeding-steps.ts'
import { fillProductTrade } from './fill-product-trade.job.ts'
import { noteRefresh } from '../sql/refresh-state.ts'
import { type Owner, type SeedingChange, type SeedingRow, seedingJobsOf, setSeeding } from '../sql/seeding-jobs.ts'

const data = z.object({ merchantId: z.number(), profileId: z.number() })

/**
 * Brings in a connected account's data, one kind after the other. What is done stays done: a run that was cut off goes on
 * with the kind at which it was. While the marketplace is still making reports the job ends and comes back in a minute.
 */
export const seedProfile: JobDefinition<Owner> = defineJob({
  name: 'seed-profile',
  data,
  policy: 'stately',
  retryLimit: 8,
  concurrency: 3,
  run: async (services, owner, job) => {
    const run = new SeedingRun(services, owner, job)
    await run.all()
  },
  onFinalFailure: async (services, owner, error) => {
    const rows = await services.db.tenant(owner.merchantId, tx => seedingJobsOf(tx, owner))
    for (const row of rows)
      if (row.status === 'IN_PROGRESS' || row.status === 'PENDING')
        await tell(services, row, { status: 'FAILED', description: row.description, failure: wordsFor(error) })
  },
})

/** Writes how far a kind is and hints it to everyone who may see the merchant. */
function tell(services: Services, row: SeedingRow, change: SeedingChange): Promise<void> {
  return services.db.tenant(row.merchantId, async tx => {
    await setSeeding(tx, row, change, services.clock.now())
    const accounts = await accountsOf(tx, row.merchantId)
    await services.events.publish(tx, accounts, 'seeding', { ids: [row.id] })
  })
}

function wordsFor(error: unknown): string {
  return isLockedOut(error)
    ? 'The marketplace no longer lets us in. Connect the account again.'
    : 'This could not be brought in. Please try again; what is there already stays.'
}

class SeedingRun {
  readonly #services: Services
  readonly #owner: Owner
  readonly #job: JobRun
  constructor(services: Services, owner: Owner, job: JobRun) {
    this.#services = services
    this.#owner = owner
    this.#job = job
  }

  async all(): Promise<void> {
    const { db } = this.#services
    const rows = await db.tenant(this.#owner.merchantId, tx => seedingJobsOf(tx, this.#owner))
    const failures: unknown[] = []
    let structureStands = true
    for (const row of rows) {
      if (row.status === 'COMPLETED' || row.status === 'FAILED') {
        if (row.kind === 'STRUCTURE') structureStands = row.status === 'COMPLETED'
        continue
      }
      // Figures hang on campaigns; products do not.
      if (!structureStands && row.kind !== 'INVENTORY') continue
      const failure = await this.#one(row)
      if (failure && row.kind === 'STRUCTURE') structureStands = false
      if (failure) failures.push(failure.error)
    }
    await this.#conclude(failures)
  }

  async #one(row: SeedingRow): Promise<{ error: unknown } | undefined> {
    const services = this.#services
    let { progress, description } = row
    const onProgress = async (share: number, what: string) => {
      if (what === description && Math.floor(share * 100) === Math.floor(progress * 100)) return
      // A second run over what is there already must not seem to lose ground.
      progress = Math.max(progress, share)
      description = what
      await tell(services, row, { status: 'IN_PROGRESS', progress, description })
    }
    try {
      const profile = await services.db.tenant(row.merchantId, tx => profileById(tx, row.merchantId, row.profileId))
      await tell(services, row, { status: 'IN_PROGRESS', description })
      const done = await seedingSteps[row.kind]({ services, profile, signal: this.#job.signal, onProgress })
      await tell(services, row, { status: 'COMPLETED', progress: 1, description: done })
      return undefined
    } catch (error) {
      this.#job.signal.throwIfAborted()
      if (isLockedOut(error)) {
        await tell(services, row, { status: 'FAILED', description, failure: wordsFor(error) })
        services.log.warn({ err: error, kind: row.kind, ...this.#owner }, 'a seeding needs the user')
        return undefined
      }
      if (isWaiting(error))
        await tell(services, row, { status: 'IN_PROGRESS', description: 'Waiting for the marketplace' })
      return { error }
    }
  }

  async #conclude(failures: readonly unknown[]): Promise<void> {
    const { db, jobs, clock } = this.#services
    const [broken] = failures.filter(error => !isWaiting(error))
    if (broken) throw broken
    const { merchantId, profileId } = this.#owner
    if (failures.length) {
      const options = { key: `${profileId}`, startAfterSeconds: WAIT_SECONDS }
      await db.transaction(tx => jobs.send(tx, seedProfile, this.#owner, options))
      return
    }
    const rows = await db.tenant(merchantId, tx => seedingJobsOf(tx, this.#owner))
    if (rows.some(row => row.status !== 'COMPLETED')) return
    await db.transaction(async tx => {
      await noteRefresh(tx, this.#owner, 'WHOLE', clock.now())
      await jobs.send(tx, fillProductTrade, this.#owner, { key: `${profileId}` })
    })
    await refreshStatistics(this.#services)
  }
}
