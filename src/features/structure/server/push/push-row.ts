import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import { changeRejectionMessage } from '#shared/marketplace-rejections.ts'
import { accountsOf, profileById } from '#features/accounts/server/public.ts'
import type { ItemOutcome, ProfileAds } from '#integrations/amazon-ads/index.ts'
import type { JobRun, Services } from '#server/context.ts'
import { UpstreamForbidden, UpstreamRejected, UpstreamUnauthorized } from '#server/http-client/upstream-errors.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { type EditableEntity, entities } from '../../contract.ts'
import { recordRejections } from '../changes/record-rejections.ts'
import { portLists } from '../import/import-structure.ts'
import {
  noteSent,
  type PendingRow,
  type RowKey,
  pushedColumns,
  pushedFields,
  readPending,
  settleAccepted,
  settleRejected,
  readLongPending,
} from '../sql/edit-rows.ts'

/** One row has at most one job that waits and one that runs. */
export const pushKey = ({ merchantId, id }: RowKey): string => `${merchantId}:${id}`

/** The jobs that send the pending edits of each entity. */
export const pushJobs: Record<EditableEntity, JobDefinition<RowKey>> = {
  campaign: pushJob('campaign', 'push-campaign'),
  adGroup: pushJob('adGroup', 'push-ad-group'),
  ad: pushJob('ad', 'push-product-ad'),
  target: pushJob('target', 'push-target'),
}

function pushJob(entity: EditableEntity, name: string): JobDefinition<RowKey> {
  return defineJob<RowKey>({
    name,
    data: z.object({ merchantId: z.number(), id: z.number() }),
    policy: 'stately',
    retryLimit: 8,
    concurrency: 4,
    run: (services, row, job) => pushRow(services, entity, row, job),
  })
}

const gaveUp =
  'The marketplace did not answer, so Tideline stopped trying. The next import shows the current values: please check them before you try again.'
const notLetIn = 'The marketplace no longer accepts our permission. Please connect the account again.'

/** The columns that differ from the base, and those that may not have been accepted. */
export function columnsToSend(
  entity: EditableEntity,
  { requested, base }: Pick<PendingRow, 'requested' | 'base'>,
): string[] {
  return pushedColumns(entity).filter(
    column => JSON.stringify(requested[column]) !== JSON.stringify(base[column]) || base.sent?.includes(column),
  )
}

/**
 * Sends the pending edits of one row to the marketplace and saves the outcome. Sending twice does no harm, since a change
 * names the wished end: so whatever is unclear is thrown, for the queue to try again, and given up with the last try.
 */
async function pushRow(services: Services, entity: EditableEntity, key: RowKey, job: JobRun): Promise<void> {
  const { db, clock } = services
  const { merchantId, id } = key
  const row = await readPending(db.system, entity, key)
  if (!row) return
  const columns = columnsToSend(entity, row)
  const settle = (rejection: string | null) =>
    db.tenant(merchantId, async tx => {
      const at = clock.now()
      if (rejection === null) await settleAccepted(tx, entity, key, row, at)
      else {
        const owner = { merchantId, profileId: row.profileId }
        await recordRejections(tx, owner, entity, new Map([[id, rejection]]), at, () =>
          settleRejected(tx, entity, key, { version: row.version, message: rejection }, at),
        )
      }
      const event = { ids: [id], table: entities[entity].table }
      await services.events.publish(tx, await accountsOf(tx, merchantId), 'campaigns', event)
    })
  if (!columns.length) return settle(null)
  await noteSent(db.system, entity, key, columns)
  try {
    const ads = await openAccount(services, merchantId, row.profileId)
    return await settle(rejectionOf(row, await send(ads, entity, row, columns)))
  } catch (error) {
    const rejection = finalRejection(error)
    if (rejection !== null) return settle(rejection)
    if (job.lastAttempt) await settle(gaveUp)
    throw error
  }
}

async function openAccount(services: Services, merchantId: number, profileId: number): Promise<ProfileAds> {
  const profile = await services.db.tenant(merchantId, tx => profileById(tx, merchantId, profileId))
  return services.integrations.amazonAds.forProfile({
    connectionId: profile.connectionId,
    region: profile.region,
    profileId: profile.amazonProfileId,
  })
}

const listOf = { campaign: 'campaigns', adGroup: 'adGroups', ad: 'productAds', target: 'targets' } as const

function send(ads: ProfileAds, entity: EditableEntity, row: PendingRow, columns: readonly string[]) {
  const list = row.kind === 'KEYWORD' ? 'keywords' : listOf[entity]
  // Archiving is a call of its own, and leaves nothing else to change.
  if (row.requested.state === 'ARCHIVED') return ads[list].archive([row.amazonId])
  const change = { [portLists[list].idName]: row.amazonId, ...portValues(entity, row, columns) }
  // The names and values are the port's own: the import read them from there.
  return ads[list].update([change as never])
}

/** The columns under the port's names. A part of a value is sent with the whole: the marketplace may not keep the rest. */
function portValues(entity: EditableEntity, { requested }: PendingRow, columns: readonly string[]) {
  const changed = pushedFields(entity).filter(({ column }) => columns.includes(column))
  return Object.fromEntries(
    changed.map(({ column, port, part }) => {
      const [name = port] = port.split('.')
      return [name, requested[part?.column ?? column]]
    }),
  )
}

// Null when the change was accepted. What may yet succeed, or may have happened unseen, is thrown to be tried again.
function rejectionOf({ requested }: PendingRow, [outcome]: ItemOutcome<unknown>[]): string | null {
  if (!outcome) throw new Error('the marketplace answered nothing about the change')
  if (outcome.ok) return null
  if (outcome.retryable || outcome.reason === 'OUTCOME_UNKNOWN')
    throw new Error(`the marketplace did not accept the change yet: ${outcome.reason} ${outcome.message}`)
  // Archived already, perhaps by a call with a lost answer: that is what the user wants.
  if (requested.state === 'ARCHIVED' && outcome.reason === 'ARCHIVED_ENTITY_CANNOT_BE_MODIFIED') return null
  return changeRejectionMessage(outcome.reason, outcome.message)
}

// Trying these again would not help; null for all others.
function finalRejection(error: unknown): string | null {
  if (error instanceof AppError) return error.message
  if (error instanceof UpstreamUnauthorized || error instanceof UpstreamForbidden) return notLetIn
  if (error instanceof UpstreamRejected) return changeRejectionMessage(error.code ?? '', error.message)
  return null
}

const minWaitMs = 15 * 60_000
const maxRows = 1000

/**
 * Every ten minutes: edits that wait for the marketplace although their job is long over (its process was killed in the
 * last try, for instance) are sent again, so that none waits for ever.
 */
export const resendPendingJob = defineJob<object>({
  name: 'resend-pending',
  data: z.object({}),
  policy: 'stately',
  cron: '*/10 * * * *',
  run: async ({ clock, db, jobs }) => {
    const before = new Date(clock.now().getTime() - minWaitMs)
    for (const entity of Object.keys(pushJobs) as EditableEntity[])
      for (const row of await readLongPending(db.system, entity, before, maxRows))
        await jobs.send(db.system, pushJobs[entity], row, { key: pushKey(row) })
  },
})

// A list of jobs with different data has no other common type.
export const structureJobs = [...Object.values(pushJobs), resendPendingJob] as unknown as JobDefinition<never>[]
