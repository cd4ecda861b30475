import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { dayIn } from '#shared/time.ts'
import { currentProfile } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { LogRow } from '../contract.ts'
import { rememberBids } from './answer-proposal.ts'
import { changeDecision, lockDecisions } from './decisions.ts'
import { auditGroup } from './group-answers.ts'
import { readGroup } from './groups.ts'
import { logRowOf } from './log.ts'
import { endPinsOf, pinHandEdits } from './pins.ts'
import { fieldOf, isSame, lockSubjects, valueNow } from './place-values.ts'
import { sendDecisions } from './send-decisions.job.ts'
import { pinsOf, placeOfDecision, requireValues } from './undo-decision.ts'

/**
 * Does what was undone again, and what the marketplace rejected, a harvest whole: it is sent where the value is still the one from
 * before, and no longer left alone. Throws NOT_FOUND, RULE_VIOLATED where it was neither or the group does not run, CONFLICT with
 * the `values` where there is something else by now.
 */
export async function redoDecision(ctx: Ctx, id: number): Promise<LogRow> {
  const profile = await currentProfile(ctx)
  const now = ctx.clock.now()
  return ctx.db.tenant(profile.merchantId, async tx => {
    const { groupId, decisionGroup } = await placeOfDecision(tx, profile, id)
    const group = await readGroup(tx, profile, groupId, { lock: true })
    if (group.state !== 'RUNNING') throw new AppError('RULE_VIOLATED', 'This group does not run.')
    const which = decisionGroup.startsWith('harvest') ? sql`d.decision_group = ${decisionGroup}` : sql`d.id = ${id}`
    const due = (await lockDecisions(tx, group, which)).filter(({ state }) => state === 'UNDONE' || state === 'FAILED')
    if (!due.length) throw new AppError('RULE_VIOLATED', 'This was neither undone nor rejected.')
    const locked = await lockSubjects(tx, profile, due)
    requireValues(due, locked, one => {
      const value = valueNow(locked, one)
      return fieldOf(one) === null || isSame(value, one.before) || isSame(value, one.after)
    })
    // The undo itself was a change by hand.
    await pinHandEdits(tx, group, profile, now)
    await endPinsOf(tx, group, due.flatMap(pinsOf), now)
    for (const one of due)
      await changeDecision(tx, group, one.id, {
        state: 'QUEUED',
        answer: null,
        settledAt: now,
        accountId: ctx.actor.accountId,
      })
    await rememberBids(tx, group, due, dayIn(now, profile.timezone))
    await auditGroup(ctx, tx, group, 'optimizer.redo', { decisions: due.map(one => one.id) })
    const { merchantId, profileId } = profile
    await ctx.jobs.send(tx, sendDecisions, { merchantId, profileId, groupId }, { key: `${groupId}` })
    return logRowOf(tx, profile, id, now)
  })
}
