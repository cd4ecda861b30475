import type { Services } from '#server/context.ts'
import { defineScheduledJob } from '#server/jobs/define-job.ts'
import { kinds } from '../contract.ts'
import { mailDigests } from './digest.ts'
import { mailDue } from './mail-notifications.ts'
import { isUndecided } from './notification-rows.ts'
import { announceChange, push } from './notify.ts'
import { preferenceOf, quietFor } from './preferences.ts'

/**
 * Every minute: snoozed notifications that are due are open again, with a push; what no device got is mailed, and digests
 * go out at their hour.
 */
export const workOnDue = defineScheduledJob({
  name: 'notifications-due',
  cron: '* * * * *',
  run: async services => {
    await wakeSnoozed(services)
    await mailDue(services)
    await mailDigests(services)
  },
})

const mostAtOnce = 500

async function wakeSnoozed(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  const due = await db.system
    .selectFrom('notification')
    .select('id')
    .where('snoozed_until', '<=', now)
    .orderBy('snoozed_until')
    .limit(mostAtOnce)
    .execute()
  for (const { id } of due)
    await db.transaction(async tx => {
      const woken = await tx
        .updateTable('notification')
        .set({ snoozed_until: null, read_at: null })
        .where('id', '=', id)
        .where('snoozed_until', '<=', now)
        .where(isUndecided('notification'))
        .returning(['account_id', 'kind'])
        .executeTakeFirst()
      if (!woken) return
      const preference = await preferenceOf(tx, woken.account_id, woken.kind)
      const quiet = await quietFor(tx, woken.account_id, preference, now)
      const until = new Date((quiet ?? now).getTime() + kinds[woken.kind].pushForMs)
      await tx.updateTable('notification').set({ push_until: until }).where('id', '=', id).execute()
      await announceChange(services, tx, [woken.account_id])
      if (preference.push) await push(services, tx, woken.account_id, id)
    })
}
