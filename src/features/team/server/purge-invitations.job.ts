import { defineScheduledJob } from '#server/jobs/define-job.ts'

const retentionMs = 30 * 86_400_000

/** Every night, deletes invitations that were answered or expired more than 30 days ago: they hold addresses of strangers. */
export const purgeInvitationsJob = defineScheduledJob({
  name: 'purge-invitations',
  cron: '53 3 * * *',
  run: async ({ db, clock }) => {
    const before = new Date(clock.now().getTime() - retentionMs)
    await db.system
      .deleteFrom('invitation')
      .where(where => where.or([where('expires_at', '<', before), where('settled_at', '<', before)]))
      .execute()
  },
})
