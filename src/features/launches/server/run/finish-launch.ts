import { accountsOf } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { launchRejectionMessage } from '#shared/marketplace-rejections.ts'
import { releaseNames } from '../launch-names.ts'
import { launchFinished } from '../signals.ts'
import { itemsOf, type JournalItem } from '../sql/items.ts'
import { type LaunchKey, launchById, markStopped, updateLaunch } from '../sql/launches.ts'
import { inJournal, type LaunchRun } from './launch-run.ts'

/** What a launch has come to, by its items: COMPLETED when all is made, FAILED when nothing is. */
function statusOf(items: readonly JournalItem[]): 'COMPLETED' | 'PARTIAL' | 'FAILED' {
  const made = items.filter(i => i.step !== 'ENABLE' && (i.state === 'CREATED' || i.state === 'ARCHIVED'))
  if (!made.length) return 'FAILED'
  return items.every(i => i.state === 'CREATED') ? 'COMPLETED' : 'PARTIAL'
}

// Long enough for a dispute about a launch; what it made stays in the journal for good.
const CALLS_KEPT_MS = 180 * 86_400_000

async function close(
  tx: Db,
  { clock, jobs, events }: Services,
  key: LaunchKey,
  accounts: readonly number[],
  isWhole: boolean,
): Promise<void> {
  const made = statusOf(await itemsOf(tx, key))
  const status = made === 'COMPLETED' && !isWhole ? 'PARTIAL' : made
  const now = clock.now()
  const oldest = new Date(now.getTime() - CALLS_KEPT_MS)
  await tx.deleteFrom('launch_call').where('merchant_id', '=', key.merchantId).where('at', '<', oldest).execute()
  await updateLaunch(tx, key, { status, finished_at: now, waiting_until: null, waits: 0 })
  // Nothing of it exists, or the account's structure has all of it and shows which names are taken.
  if (status !== 'PARTIAL') await releaseNames(tx, key)
  const launch = await launchById(tx, key)
  const ended = { launchId: key.launchId, name: launch?.campaign_name ?? '', status }
  // The end of an undo is no news of a launch: nothing failed.
  const undone = launch?.undo === 'DONE' ? 'UNDONE' : launch?.undo === 'PARTIAL' ? 'UNDONE_IN_PART' : null
  if (undone === null) {
    const end = { ...key, ...ended, accountId: launch?.account_id ?? 0, finishedAt: now.toISOString() }
    await jobs.announce(tx, launchFinished, end)
  }
  await events.publish(tx, accounts, 'launch-finished', { ...ended, ...(undone && { status: undone }) })
}

/** Closes a launch and notifies its listeners, in one transaction. */
export const finishLaunch = (run: LaunchRun): Promise<void> =>
  inJournal(run, tx => close(tx, run.services, run.key, run.accounts, true))

/**
 * Closes a launch whose job failed for good, saying at which step; it can be retried. An undo that failed for
 * good is PARTIAL and can be requested again.
 */
export async function giveUpLaunch(services: Services, key: LaunchKey): Promise<void> {
  await services.db.tenant(key.merchantId, async tx => {
    const launch = await launchById(tx, key, true)
    if (!launch) return
    const accounts = await accountsOf(tx, key.merchantId)
    if (!launch.finished_at) {
      await markStopped(tx, key, 'INTERNAL', launchRejectionMessage('INTERNAL'))
      await close(tx, services, key, accounts, false)
    } else if (launch.undo === 'PENDING') {
      // The undo's own job: a request during a launch queues another job behind that of the launch.
      await updateLaunch(tx, key, { undo: 'PARTIAL', waiting_until: null })
      await services.events.publish(tx, accounts, 'launch', { launchId: key.launchId })
    }
  })
}
