import type { Db } from '#server/db/tables.ts'
import { launchFinished } from '../signals.ts'
import { forgetCalls } from '../sql/calls.ts'
import { itemsOf, type JournalItem } from '../sql/items.ts'
import { launchById, releaseNames, updateLaunch, stepsOf, updateStep } from '../sql/launches.ts'
import { inJournal, type LaunchRun } from './launch-run.ts'
import { accountsOf } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import { launchRejectionMessage } from '#shared/marketplace-rejections.ts'
import type { LaunchKey } from '../sql/launch-key.ts'

/**
 * Closes a launch whose job failed for good, saying at which step; it can be retried. An undo that failed for
 * good is PARTIAL and can be requested again.
 */
export async function giveUpLaunch(services: Services, key: LaunchKey): Promise<void> {
  await services.db.tenant(key.merchantId, async tx => {
    const launch = await launchById(tx, key, true)
    if (!launch) return
    if (launch.finished_at) {
      // The undo's own job: a request during a launch queues another job behind that of the launch.
      if (launch.undo !== 'PENDING') return
      await updateLaunch(tx, key, { undo: 'PARTIAL', waiting_until: null })
      await services.events.publish(tx, await accountsOf(tx, key.merchantId), 'launch', { launchId: key.launchId })
      return
    }
    const steps = await stepsOf(tx, key.merchantId, [key.launchId])
    const at = steps.find(s => s.status === 'IN_PROGRESS') ?? steps.find(s => s.status === 'PENDING')
    const stop = { status: 'FAILED', reason: 'INTERNAL', message: launchRejectionMessage('INTERNAL') } as const
    if (at) await updateStep(tx, key, at.name, stop)
    const made = statusOf(await itemsOf(tx, key))
    const status = made === 'COMPLETED' ? ('PARTIAL' as const) : made
    if (status === 'FAILED') await releaseNames(tx, key)
    const now = services.clock.now()
    await updateLaunch(tx, key, { status, finished_at: now, waiting_until: null })
    const ended = { launchId: key.launchId, name: launch.campaign_name, status }
    const end = { ...key, ...ended, accountId: launch.account_id, finishedAt: now.toISOString() }
    await services.jobs.announce(tx, launchFinished, end)
    await services.events.publish(tx, await accountsOf(tx, key.merchantId), 'launch-finished', ended)
  })
}

/** What a launch has come to, by its items: COMPLETED when all is made, FAILED when nothing is. */
export function statusOf(items: readonly JournalItem[]): 'COMPLETED' | 'PARTIAL' | 'FAILED' {
  const made = items.filter(i => i.step !== 'ENABLE' && (i.state === 'CREATED' || i.state === 'ARCHIVED'))
  if (!made.length) return 'FAILED'
  return items.every(i => i.state === 'CREATED') ? 'COMPLETED' : 'PARTIAL'
}

// Long enough for a dispute about a launch; what it made stays in the journal for good.
const CALLS_KEPT_MS = 180 * 86_400_000

async function close(tx: Db, run: LaunchRun): Promise<void> {
  const { key, services } = run
  const status = statusOf(await itemsOf(tx, key))
  const now = services.clock.now()
  await forgetCalls(tx, key.merchantId, new Date(now.getTime() - CALLS_KEPT_MS))
  await updateLaunch(tx, key, { status, finished_at: now, waiting_until: null, waits: 0 })
  // Nothing of it exists, or the account's structure has all of it and shows which names are taken.
  if (status !== 'PARTIAL') await releaseNames(tx, key)
  const launch = await launchById(tx, key)
  const ended = { launchId: key.launchId, name: launch?.campaign_name ?? '', status }
  // The end of an undo is no news of a launch: nothing failed.
  const undone = launch?.undo === 'DONE' ? 'UNDONE' : launch?.undo === 'PARTIAL' ? 'UNDONE_IN_PART' : null
  if (undone === null)
    await services.jobs.announce(tx, launchFinished, {
      ...key,
      ...ended,
      accountId: launch?.account_id ?? 0,
      finishedAt: now.toISOString(),
    })
  await services.events.publish(tx, run.accounts, 'launch-finished', { ...ended, ...(undone && { status: undone }) })
}

/** Closes a launch and notifies its listeners, in one transaction. */
export const finishLaunch = (run: LaunchRun): Promise<void> => inJournal(run, tx => close(tx, run))
