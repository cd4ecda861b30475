import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { fromMicros, type Micros, moneyText, toMicros } from '#shared/money.ts'
import { currentProfile, type Profile } from '#features/accounts/server/public.ts'
import { editMany, lockRows, newGroup } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { budgetRescueEndpoints } from '../contract.ts'
import { holdingRaises, raiseByPercent, recommendBudget } from '../rules.ts'
import { evidenceFor, readAgain } from './evidence.ts'
import { giveBack } from './give-back.ts'
import { returnBudgets } from './return-budgets.job.ts'
import { addRaise, endRaises, openRaises, raiseOf } from './sql.ts'
import { budgetOf, type Campaign, midnightAfter, mostBudget, noCampaign, obstacleTo, readState } from './state.ts'

type Changed = EndpointOutput<typeof budgetRescueEndpoints.raise>

/** The campaign and its open raises, locked; what no longer holds of them is ended. Throws NOT_FOUND. */
async function lockHolding(tx: Db, profile: Profile, campaignId: number, now: Date) {
  const row = (await lockRows(tx, profile, 'campaign', [campaignId])).get(campaignId)?.row
  if (!row) throw noCampaign()
  const open = await openRaises(tx, profile, campaignId)
  const { holding, isChanged } = holdingRaises(open, budgetOf(row))
  const over = open.filter(one => !holding.includes(one))
  await endRaises(tx, profile, over, isChanged ? 'LEFT' : 'REVERTED', now)
  return { row, holding }
}

interface NewRaise {
  campaignId: number
  /** Of the budget as it is now: what it is to be. */
  toMicros: (budgetMicros: Micros, row: Campaign) => Micros
  /** The budget that the caller saw; null where it does not matter. */
  fromMicros: Micros | null
  groupId: string
}

const amount = (micros: Micros, { currency }: Profile): string => moneyText(micros, currency)

/**
 * Raises the daily budget of a campaign until the profile's midnight, in the caller's transaction: the campaign as PENDING, the
 * ledger, the raise, and the job that gives it back, all or nothing. Throws NOT_FOUND, RULE_VIOLATED where it cannot be raised,
 * CONFLICT when the budget is not what the caller saw, VALIDATION_FAILED when the marketplace would not take it.
 */
async function raiseIn(ctx: Ctx, tx: Db, profile: Profile, raise: NewRaise): Promise<Micros> {
  const now = ctx.clock.now()
  const { row, holding } = await lockHolding(tx, profile, raise.campaignId, now)
  const obstacle = obstacleTo(row, mostBudget(profile, row))
  const beforeMicros = budgetOf(row)
  if (obstacle !== null || beforeMicros === null)
    throw new AppError('RULE_VIOLATED', obstacle ?? '', { details: [obstacle ?? ''] })
  const isChanged = new AppError(
    'CONFLICT',
    `The budget is ${amount(beforeMicros, profile)} by now. Look at it again first.`,
  )
  if (raise.fromMicros !== null && raise.fromMicros !== beforeMicros) throw isChanged
  const raisedMicros = raise.toMicros(beforeMicros, row)
  // Who taps a notification typed nothing: somebody else has raised it since it was shown.
  if (raisedMicros <= beforeMicros && raise.fromMicros === null) throw isChanged
  if (raisedMicros <= beforeMicros)
    throw invalidBudget(`Enter more than the budget of ${amount(beforeMicros, profile)}`)
  const { groupId } = raise
  const edit = {
    entity: 'campaign' as const,
    id: row.id,
    version: row.version,
    set: { budget: fromMicros(raisedMicros) },
  }
  const [outcome] = await editMany(ctx, tx, profile, [edit], { origin: 'USER', groupId, at: now })
  if (outcome?.status !== 'CHANGED') throw invalidBudget(outcome?.message ?? 'The budget cannot be changed.')
  const untilAt = midnightAfter(now, profile.timezone)
  const { accountId } = ctx.actor
  await addRaise(
    tx,
    profile,
    row.id,
    { beforeMicros, raisedMicros, groupId, accountId, beganAt: now, untilAt },
    holding,
  )
  const { merchantId, profileId } = profile
  await ctx.jobs.send(
    tx,
    returnBudgets,
    { merchantId, profileId },
    // One for all raises of the day. The clock on the wall decides only when it looks, never whether it is time.
    {
      key: `${profileId} ${untilAt.toISOString()}`,
      startAfterSeconds: Math.ceil((untilAt.getTime() - now.getTime()) / 1000),
    },
  )
  return raisedMicros
}

const invalidBudget = (message: string) =>
  new AppError('VALIDATION_FAILED', 'Some fields need another look.', {
    details: [message],
    extra: { fields: { budget: message } },
  })

/** Raises the budget of a campaign of the current account. Throws what `raiseIn` does. */
export async function raiseBudget(
  ctx: Ctx,
  campaignId: number,
  { budget, from }: { budget: number; from: number },
): Promise<Changed> {
  const profile = await profileToChange(ctx)
  const [wanted, seen] = [microsOf(budget), microsOf(from)]
  await readAgain(ctx, profile, campaignId)
  return ctx.db.tenant(profile.merchantId, async tx => {
    const groupId = newGroup()
    await raiseIn(ctx, tx, profile, { campaignId, toMicros: () => wanted, fromMicros: seen, groupId })
    const { state } = await readState(tx, profile, campaignId, ctx.clock.now())
    const answer = { ...state, groupId }
    await ctx.saveAnswer(tx, answer)
    return answer
  })
}

// Beyond it an amount is no whole number of micros any more.
const HIGHEST = 1_000_000_000
function microsOf(value: number): Micros {
  if (Math.abs(value) > HIGHEST) throw invalidBudget('Valid budget amount is required')
  return toMicros(value)
}

/**
 * Raises the budget of a campaign of the current account by so many percent, to an amount or to what is recommended, with the changes in
 * this group. Repeated with the same group it changes nothing more and answers the same. Throws like `raiseBudget`.
 */
export async function raiseBudgetToday(
  ctx: Ctx,
  {
    campaignId,
    groupId,
    raise,
  }: { campaignId: number; groupId: string; raise?: { percent: number } | { budget: number } },
): Promise<{ message: string; changeGroup: string | null }> {
  const profile = await profileToChange(ctx)
  await readAgain(ctx, profile, campaignId)
  const evidence = raise ? null : await evidenceFor(ctx, campaignId, true)
  const wantedMicros = raise && 'budget' in raise ? microsOf(raise.budget) : null
  return ctx.db.tenant(profile.merchantId, async tx => {
    // Two taps at once: the second one sees what the first did only once it has the lock.
    await lockRows(tx, profile, 'campaign', [campaignId])
    const done = await raiseOf(tx, profile, groupId)
    const toMicros = (budgetMicros: Micros, row: Campaign): Micros => {
      const limits = { budgetMicros, mostMicros: mostBudget(profile, row), currency: profile.currency }
      if (wantedMicros !== null) return wantedMicros
      if (raise && 'percent' in raise) return raiseByPercent(limits, raise.percent)
      const suggestedMicros = evidence?.suggestedMicros ?? null
      const projectedMicros = evidence?.today.projectedMicros ?? null
      return recommendBudget({ ...limits, suggestedMicros, projectedMicros })?.micros ?? budgetMicros
    }
    const task = { campaignId, toMicros, fromMicros: null, groupId }
    const raisedMicros = done?.raisedMicros ?? (await raiseIn(ctx, tx, profile, task))
    return {
      message: `Today’s budget is raised to ${amount(raisedMicros, profile)}. It goes back by itself at midnight.`,
      changeGroup: groupId,
    }
  })
}

/** Gives a campaign of the current account its budget back at once. Throws NOT_FOUND. */
export async function revertRaise(ctx: Ctx, campaignId: number): Promise<Changed> {
  const profile = await profileToChange(ctx)
  return ctx.db.tenant(profile.merchantId, async tx => {
    const now = ctx.clock.now()
    const { row, holding } = await lockHolding(tx, profile, campaignId, now)
    const groupId = holding.length ? newGroup() : null
    if (groupId) {
      const problem = await giveBack(ctx, tx, profile, row, holding, { origin: 'USER', groupId, at: now })
      if (problem) throw new AppError('RULE_VIOLATED', problem, { details: [problem] })
      await endRaises(tx, profile, holding, 'REVERTED', now)
    }
    return { ...(await readState(tx, profile, campaignId, now)).state, groupId }
  })
}

async function profileToChange(ctx: Ctx): Promise<Profile> {
  const profile = await currentProfile(ctx)
  return profile
}
