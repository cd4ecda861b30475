import { accountsOf } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import { launchRejectionMessage } from '#shared/marketplace-rejections.ts'
import { statusOf } from './run/finish-launch.ts'
import { launchFinished } from './signals.ts'
import { itemsOf } from './sql/items.ts'
import type { LaunchKey } from './sql/launch-key.ts'
import { launchById, releaseNames, stepsOf, updateLaunch, updateStep } from './sql/launches.ts'

/**
 * Closes a launch whose job failed for good, saying at which step; it can be retried. An undo that failed for
 * good is PARTIAL and can be asked again.
 */
export const giveUpLaunch = async (services: Services, key: LaunchKey): Promise<void> => {
  await services.db.tenant(key.merchantId, async tx => {
    const launch = await launchById(tx, key, true)
    if (!launch) return
    if (launch.finished_at) {
      // The undo's own job: one that is asked for while a launch is under way has another job behind that of the launch.
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
    const told = { ...key, ...ended, accountId: launch.account_id, finishedAt: now.toISOString() }
    await services.jobs.announce(tx, launchFinished, told)
    await services.events.publish(tx, await accountsOf(tx, key.merchantId), 'launch-finished', ended)
  })
}
