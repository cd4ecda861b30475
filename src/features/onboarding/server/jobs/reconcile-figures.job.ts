import { z } from 'zod'
import { profilesOf } from '#features/accounts/server/public.ts'
import { reconcile } from '#features/metrics/server/public.ts'
import type { Services } from '#server/context.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { queueMail } from '#server/mail/outbox.ts'
import { renderMail } from '#server/mail/render-mail.ts'
import { isLockedOut, isWaiting, WAIT_SECONDS } from '../refusals.ts'
import type { Owner } from '../seeding-jobs.ts'

/**
 * Compares an account's settled days with the marketplace's, once a day after its whole refresh. What still differs after
 * the days were imported again needs an operator: it is logged as an error, counted in /metrics and mailed.
 */
export const reconcileFigures: JobDefinition<Owner> = defineJob({
  name: 'reconcile-figures',
  data: z.object({ merchantId: z.number(), profileId: z.number() }),
  policy: 'stately',
  run: async (services, owner, { signal }) => {
    const { db, jobs, log } = services
    const { merchantId, profileId } = owner
    const profiles = await db.reading(merchantId, tx => profilesOf(tx, merchantId))
    const profile = profiles.find(p => p.profileId === profileId)
    if (!profile) return
    try {
      const differing = await reconcile(services, profile, signal)
      if (!differing.length) return
      const days = differing.map(({ adType, date, differences }) => ({ adType, date, differences }))
      log.error({ code: 'FIGURES_DIFFER', merchantId, profileId, days }, 'figures differ from the marketplace’s')
      await mailOperator(services, owner, days)
    } catch (error) {
      if (isLockedOut(error)) return
      if (!isWaiting(error)) throw error
      const options = { key: `${profileId}`, startAfterSeconds: WAIT_SECONDS }
      await db.transaction(tx => jobs.send(tx, reconcileFigures, owner, options))
    }
  },
})

async function mailOperator(services: Services, owner: Owner, days: readonly { adType: string; date: string }[]) {
  const { config, db, clock } = services
  if (!config.OPERATOR_MAIL) return
  const mail = renderMail({
    subject: `Figures of account ${owner.profileId} differ from the marketplace’s`,
    greeting: 'Figures differ',
    paragraphs: [
      `The daily check of merchant ${owner.merchantId}, account ${owner.profileId} found ${days.length} days whose sums differ from the marketplace’s, even after they were imported again.`,
      days.map(({ adType, date }) => `${date} ${adType}`).join(', '),
      'The log has the sums under the code FIGURES_DIFFER, the table reconciliation has them until the days agree.',
    ],
  })
  const day = clock.now().toISOString().slice(0, 10)
  const dedupeKey = `figures-differ:${owner.profileId}:${day}`
  await db.transaction(tx => queueMail(services, tx, { to: config.OPERATOR_MAIL ?? '', dedupeKey, ...mail }))
}
