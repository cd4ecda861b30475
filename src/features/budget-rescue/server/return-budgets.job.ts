import { z } from 'zod'
import { AppError } from '#shared/errors.ts'
import { toMicros } from '#shared/money.ts'
import { type Profile, profileById } from '#features/accounts/server/public.ts'
import { lockRows, mirrorCampaigns, newGroup, type Owner } from '#features/structure/server/public.ts'
import type { Services } from '#server/context.ts'
import { UpstreamForbidden, UpstreamUnauthorized } from '#server/http-client/upstream-errors.ts'
import { defineJob, defineScheduledJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { holdingRaises } from '../rules.ts'
import { giveBack } from './give-back.ts'
import { dueAccounts, endRaises, openRaises, takeDue } from './sql.ts'

/**
 * Gives the campaigns of an account whose raise is over their budgets back. What somebody changed meanwhile is left alone, at
 * the marketplace itself too: it is asked first. Each campaign is one transaction with its raise, so that a killed job has
 * given a budget back whole or not at all, and the next one does the others; sending it is the work of the changes' own job.
 */
export const returnBudgets: JobDefinition<Owner> = defineJob<Owner>({
  name: 'return-budgets',
  data: z.object({ merchantId: z.number(), profileId: z.number() }),
  policy: 'stately',
  concurrency: 2,
  run: async (services, owner, { signal }) => {
    const { db, clock, log } = services
    const { merchantId, profileId } = owner
    const due = await db.tenant(merchantId, tx => takeDue(tx, owner, clock.now()))
    if (!due.length) return
    // Managed or not: what was raised goes back.
    const profile = await db.reading(merchantId, tx => profileById(tx, merchantId, profileId))
    try {
      const amazonIds = due.map(one => one.amazonId)
      await mirrorCampaigns(services, profile, amazonIds, signal)
    } catch (error) {
      if (!isLockedOut(error)) throw error
      log.warn({ err: error, merchantId, profileId }, 'an account does not let us in; its raised budgets wait')
      return
    }
    for (const { campaignId } of due) {
      signal.throwIfAborted()
      await returnBudget(services, profile, campaignId)
    }
  },
})

const isLockedOut = (error: unknown): boolean =>
  error instanceof UpstreamUnauthorized ||
  error instanceof UpstreamForbidden ||
  (error instanceof AppError && error.code === 'UPSTREAM_UNAUTHORIZED')

async function returnBudget(services: Services, profile: Profile, campaignId: number): Promise<void> {
  const { db, clock, jobs, events } = services
  await db.tenant(profile.merchantId, async tx => {
    const row = (await lockRows(tx, profile, 'campaign', [campaignId])).get(campaignId)?.row
    const open = await openRaises(tx, profile, campaignId)
    const now = clock.now()
    // A raise meanwhile made all of them last until the next midnight.
    if (!row || !open.some(({ untilAt }) => untilAt <= now)) return
    const { holding, isChanged } = holdingRaises(open, row.budget === null ? null : toMicros(row.budget))
    const undone = open.filter(one => !holding.includes(one))
    await endRaises(tx, profile, undone, isChanged ? 'LEFT' : 'REVERTED', now)
    if (!holding.length) return
    const rule = { jobs, events, actor: null }
    const problem = await giveBack(rule, tx, profile, row, holding, { origin: 'RULE', groupId: newGroup(), at: now })
    if (problem) services.log.warn({ campaignId, problem }, 'a raised budget could not be given back')
    await endRaises(tx, profile, holding, problem ? 'LEFT' : 'RETURNED', now)
  })
}

const TRY_AGAIN_MS = 10 * 60_000
const mostAccounts = 2000

/** Every minute: what is due although its job did not do it, because it was killed or could not reach the marketplace. */
const returnMissedBudgets = defineScheduledJob({
  name: 'return-missed-budgets',
  cron: '* * * * *',
  atStart: true,
  run: async ({ db, clock, jobs }) => {
    const now = clock.now()
    const triedBefore = new Date(now.getTime() - TRY_AGAIN_MS)
    for (const owner of await dueAccounts(db.system, now, triedBefore, mostAccounts))
      await jobs.send(db.system, returnBudgets, owner, { key: `${owner.profileId}` })
  },
})

export const budgetRescueJobs = [returnBudgets, returnMissedBudgets] as unknown as JobDefinition<never>[]
