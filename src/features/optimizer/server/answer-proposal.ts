import { sql } from 'kysely'
import { adLimits, bidProblem } from '#shared/ad-limits.ts'
import { AppError } from '#shared/errors.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { fromMicros, toMicros } from '#shared/money.ts'
import { dayIn } from '#shared/time.ts'
import { currentProfile, type Profile } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { LogRow } from '../contract.ts'
import { announceAnswer } from './announce.ts'
import { holdingsOf } from './entities.ts'
import { adTermsOf } from './facts.ts'
import { changeDecision, lockDecisions, type StoredDecision } from './decisions.ts'
import { auditGroup } from './group-answers.ts'
import { type Group, readGroup, saveMemory } from './groups.ts'
import { logRowOf } from './log.ts'
import { addPins } from './pins.ts'
import { sendDecisions } from './send-decisions.job.ts'
import { pinsOf, placeOfDecision } from './undo-decision.ts'

interface Waiting {
  group: Group
  /** All of the decision group that wait, in their order. */
  waiting: StoredDecision[]
}

/** Locks a question of the account. Throws NOT_FOUND, CONFLICT where it was answered or is over. */
async function lockProposal(tx: Db, profile: Profile, id: number, now: Date): Promise<Waiting> {
  const { groupId, decisionGroup } = await placeOfDecision(tx, profile, id)
  const group = await readGroup(tx, profile, groupId, { lock: true })
  const all = await lockDecisions(tx, group, sql`d.decision_group = ${decisionGroup}`)
  const one = all.find(own => own.id === id)
  const isOver = one?.expiresAt !== null && one?.expiresAt !== undefined && one.expiresAt <= now
  if (one?.state !== 'PROPOSED' || isOver || group.state !== 'RUNNING')
    throw new AppError(
      'CONFLICT',
      isOver ? 'The time to answer this is over.' : 'This was answered already, or is over.',
    )
  return { group, waiting: all.filter(own => own.state === 'PROPOSED') }
}

/**
 * Says yes to a proposal of the current account, with its whole decision group, and sends it; with another number where one is given
 * (an amount in decimals, a raise in percent). Throws NOT_FOUND, CONFLICT, VALIDATION_FAILED where the number cannot be.
 */
export async function approveProposal(
  ctx: Ctx,
  id: number,
  { after }: { after?: number | undefined },
): Promise<LogRow> {
  const profile = await currentProfile(ctx)
  const now = ctx.clock.now()
  return ctx.db.tenant(profile.merchantId, async tx => {
    const { group, waiting } = await lockProposal(tx, profile, id, now)
    const changed = after === undefined ? null : await readNumber(tx, profile, group, waiting, id, after)
    for (const one of waiting)
      await changeDecision(tx, group, one.id, {
        state: 'QUEUED',
        settledAt: now,
        accountId: ctx.actor.accountId,
        ...(changed !== null && one.id === id && { after: changed }),
      })
    await rememberBids(tx, group, waiting, dayIn(now, profile.timezone))
    await announceAnswer(ctx, tx, profile.merchantId, await firstOf(tx, group, waiting))
    await auditGroup(ctx, tx, group, 'optimizer.approve', { decisions: waiting.map(one => one.id), after: changed })
    const { merchantId, profileId } = profile
    await ctx.jobs.send(tx, sendDecisions, { merchantId, profileId, groupId: group.id }, { key: `${group.id}` })
    return logRowOf(tx, profile, id, now)
  })
}

/** The question carries the name of the first decision that asked, whatever waits by now. */
async function firstOf(tx: Db, group: Group, waiting: readonly StoredDecision[]): Promise<number[]> {
  const name = waiting[0]?.decisionGroup ?? ''
  const all = await lockDecisions(tx, group, sql`d.decision_group = ${name}`)
  return all.map(one => one.id)
}

/** What is bid rests for some days, as after a change that needed no answer. */
export async function rememberBids(
  tx: Db,
  group: Group,
  waiting: readonly StoredDecision[],
  today: string,
): Promise<void> {
  const bids = waiting.filter(one => one.entity === 'target' && one.entityId !== null)
  if (!bids.length) return
  const targets = { ...group.memory.targets }
  for (const { entityId, before } of bids)
    targets[entityId ?? 0] = {
      ...targets[entityId ?? 0],
      changedOn: today,
      ...(typeof before === 'number' && { beforeMicros: before }),
    }
  await saveMemory(tx, group, { ...group.memory, targets })
}

const invalid = (message: string) =>
  new AppError('VALIDATION_FAILED', 'Some fields need another look.', {
    details: [message],
    extra: { fields: { after: message } },
  })

/** Another number than was proposed, as the engine names it: within the marketplace's limits and the seller's own. */
async function readNumber(
  tx: Db,
  profile: Profile,
  group: Group,
  waiting: readonly StoredDecision[],
  id: number,
  after: number,
): Promise<number> {
  const one = waiting.find(own => own.id === id)
  const market = marketplaceById(profile.marketplaceId)
  if (!one || !market || ['negative', 'hours', 'strategy'].includes(one.kind))
    throw invalid('This has no number to change.')
  if (one.kind === 'placement') {
    if (!Number.isInteger(after) || after < 0 || after > 900) throw invalid('Must be a whole number from 0 to 900')
    return after / 100
  }
  const held = await holdingsOf(tx, profile, one.campaignId === null ? [] : [one.campaignId])
  const [campaign] = held.campaigns
  if (!campaign) throw invalid('This campaign is no longer in the account.')
  const limits = adLimits(market, { ...adTermsOf(campaign, held.ads), advertiser: profile.accountType })
  if (Math.abs(after) > 1_000_000_000) throw invalid('Enter a smaller amount')
  const micros = toMicros(after)
  if (one.kind === 'budget') {
    if (micros < limits.minDailyBudgetMicros || micros > limits.maxDailyBudgetMicros)
      throw invalid('The marketplace takes no such budget.')
    if ((await totalWith(tx, group, waiting, one, micros)) > group.settings.budgetMicros)
      throw invalid('Together the budgets would be more than this group may spend on a day.')
    return micros
  }
  const problem = bidProblem(after, limits, { budgetMicros: null })
  if (problem !== null) throw invalid(problem)
  const { highestBidMicros } = group.settings
  if (highestBidMicros !== null && micros > highestBidMicros)
    throw invalid(`Above the highest bid of this group, ${fromMicros(highestBidMicros)}.`)
  return micros
}

/** What the budgets of the group would be together. */
async function totalWith(
  tx: Db,
  { merchantId, campaignIds }: Group,
  waiting: readonly StoredDecision[],
  one: StoredDecision,
  micros: number,
): Promise<number> {
  const { rows } = await sql<{ id: number; micros: number }>`select id, daily_budget_micros as micros from campaign
    where merchant_id = ${merchantId} and id = any(${campaignIds}::bigint[])`.execute(tx)
  const planned = new Map(waiting.filter(own => own.kind === 'budget').map(own => [own.entityId, Number(own.after)]))
  return rows.reduce((sum, row) => sum + (row.id === one.entityId ? micros : (planned.get(row.id) ?? row.micros)), 0)
}

/** Says no to a proposal of the current account, with its whole decision group, which is then left alone. Throws NOT_FOUND, CONFLICT. */
export async function rejectProposal(ctx: Ctx, id: number, { reason }: { reason: string | null }): Promise<LogRow> {
  const profile = await currentProfile(ctx)
  const now = ctx.clock.now()
  return ctx.db.tenant(profile.merchantId, async tx => {
    const { group, waiting } = await lockProposal(tx, profile, id, now)
    for (const one of waiting)
      await changeDecision(tx, group, one.id, {
        state: 'REJECTED',
        settledAt: now,
        accountId: ctx.actor.accountId,
        reason: reason || null,
      })
    await addPins(tx, group, profile, waiting.flatMap(pinsOf), now)
    await announceAnswer(ctx, tx, profile.merchantId, await firstOf(tx, group, waiting))
    await auditGroup(ctx, tx, group, 'optimizer.reject', { decisions: waiting.map(one => one.id), reason })
    return logRowOf(tx, profile, id, now)
  })
}
