import { AppError } from '#shared/errors.ts'
import { accountsOf, profileById } from '#features/accounts/server/public.ts'
import type { ItemOutcome, ProfileAds } from '#integrations/amazon-ads/index.ts'
import type { JobRun, Services } from '#server/context.ts'
import { UpstreamForbidden, UpstreamRejected, UpstreamUnauthorized } from '#server/http-client/upstream-errors.ts'
import { editable, type EditedTable } from '../sql/edits.ts'
import { noteSent, type PendingRow, pendingRow, settleRefused, settleTaken } from '../sql/pending.ts'
import { changeRejectionMessage } from '#shared/marketplace-rejections.ts'

export interface PushedRow {
  merchantId: number
  id: number
}

type Send = (ads: ProfileAds, row: PendingRow, columns: readonly string[]) => Promise<ItemOutcome<unknown>[]>

const gaveUp =
  'The marketplace did not answer, so the change was given up. The next import shows what it holds; please look before you try again.'
const notLetIn = 'The marketplace no longer lets us in. Please connect the account again.'

/** The columns that differ from the base, and those of which it is not known whether they were taken. */
export const columnsToSend = (table: EditedTable, { wanted, base }: Pick<PendingRow, 'wanted' | 'base'>): string[] =>
  editable[table].filter(
    column => JSON.stringify(wanted[column]) !== JSON.stringify(base[column]) || base.sent?.includes(column),
  )

/**
 * Sends what waits of one row to the marketplace and saves the outcome. Sending it twice does no harm, since a change
 * names the wished end: so whatever is unclear is thrown, for the queue to try again, and given up with the last try.
 */
export const pushChange = async (
  services: Services,
  table: EditedTable,
  { merchantId, id }: PushedRow,
  job: JobRun,
  send: Send,
): Promise<void> => {
  const { db, clock } = services
  const row = await pendingRow(db.system, table, merchantId, id)
  if (!row) return
  const columns = columnsToSend(table, row)
  const settle = (words: string | null) =>
    db.tenant(merchantId, async tx => {
      if (words === null) await settleTaken(tx, table, merchantId, id, row, clock.now())
      else await settleRefused(tx, table, merchantId, id, { version: row.version, words }, clock.now())
      await services.events.publish(tx, await accountsOf(tx, merchantId), 'campaigns', { ids: [id], table })
    })
  if (!columns.length) return settle(null)
  await noteSent(db.system, table, merchantId, id, columns)
  try {
    const ads = await doorOf(services, merchantId, row.profileId)
    return await settle(refusalOf(row, await send(ads, row, columns)))
  } catch (error) {
    const words = finalWords(error)
    if (words !== null) return settle(words)
    if (job.lastAttempt) await settle(gaveUp)
    throw error
  }
}

const doorOf = async ({ db, integrations }: Services, merchantId: number, profileId: number): Promise<ProfileAds> => {
  const profile = await db.tenant(merchantId, tx => profileById(tx, merchantId, profileId))
  return integrations.amazonAds.forProfile({
    connectionId: profile.connectionId,
    region: profile.region,
    profileId: profile.amazonProfileId,
  })
}

// Null when it was taken. What may yet succeed, or may have happened unseen, is thrown to be tried again.
const refusalOf = ({ wanted }: PendingRow, [outcome]: ItemOutcome<unknown>[]): string | null => {
  if (!outcome) throw new Error('the marketplace answered nothing about the change')
  if (outcome.ok) return null
  if (outcome.retryable || outcome.reason === 'OUTCOME_UNKNOWN')
    throw new Error(`the marketplace did not take the change yet: ${outcome.reason} ${outcome.message}`)
  // Archived already, perhaps by an answer that was lost: that is what was wanted.
  if (wanted.state === 'ARCHIVED' && outcome.reason === 'ARCHIVED_ENTITY_CANNOT_BE_MODIFIED') return null
  return changeRejectionMessage(outcome.reason, outcome.message)
}

// Trying these again would not help; null for all others.
const finalWords = (error: unknown): string | null => {
  if (error instanceof AppError) return error.message
  if (error instanceof UpstreamUnauthorized || error instanceof UpstreamForbidden) return notLetIn
  if (error instanceof UpstreamRejected) return changeRejectionMessage(error.code ?? '', error.message)
  return null
}
