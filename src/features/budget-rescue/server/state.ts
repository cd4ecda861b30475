import { sql } from 'kysely'
import { adLimits } from '#shared/ad-limits.ts'
import { AppError } from '#shared/errors.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { fromMicros, type Micros, toMicros } from '#shared/money.ts'
import { addDays, dayIn, startOfDayIn } from '#shared/time.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import { accountNames } from '#features/auth/server/public.ts'
import type { Row } from '#features/structure/contract.ts'
import { matching, selectList, tableOf } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { RescueState } from '../contract.ts'
import { holdingRaises } from '../rules.ts'
import { lastEnded, openRaises } from './sql.ts'

export type Campaign = Row<'campaign'>

export const noCampaign = () => new AppError('NOT_FOUND', 'There is no such campaign.')
const SHOWN_FOR_MS = 48 * 3_600_000

/** The midnight at which a raise of this moment goes back: the end of the profile's day, be it 23, 24 or 25 hours long. */
export const midnightAfter = (now: Date, timezone: string): Date =>
  startOfDayIn(addDays(dayIn(now, timezone), 1), timezone)

export const budgetOf = ({ budget }: Campaign): Micros | null => (budget === null ? null : toMicros(budget))

/** The highest daily budget that the marketplace takes of a campaign. */
export function mostBudget({ marketplaceId, accountType }: Profile, row: Campaign): Micros {
  const market = marketplaceById(marketplaceId)
  if (!market) throw new Error(`an account in an unknown marketplace: ${marketplaceId}`)
  return adLimits(market, { ...row, advertiser: accountType }).maxDailyBudgetMicros
}

/** Why the budget of a campaign cannot be raised for a day; null where it can. */
export function obstacleTo(row: Campaign, most: Micros): string | null {
  if (row.state === 'ARCHIVED') return 'An archived campaign cannot be changed.'
  if (row.budget === null) return 'This campaign has a budget for its whole run, not for a day.'
  if (row.state !== 'ENABLED') return 'This campaign is paused, so that it uses no budget.'
  return toMicros(row.budget) >= most ? 'The budget is the highest that the marketplace takes.' : null
}

/** A campaign of the account with what is raised of it; throws NOT_FOUND. */
export async function readState(
  tx: Db,
  profile: Profile,
  campaignId: number,
  now: Date,
): Promise<{ row: Campaign; state: RescueState }> {
  const { rows } = await sql<Campaign>`select ${selectList('campaign', profile)} from ${tableOf('campaign')} t
    where ${matching(profile, [sql`t.id = ${campaignId}`])}`.execute(tx)
  const [row] = rows
  if (!row) throw noCampaign()
  return { row, state: await stateOf(tx, profile, row, now) }
}

async function stateOf(tx: Db, profile: Profile, row: Campaign, now: Date): Promise<RescueState> {
  const { holding } = holdingRaises(await openRaises(tx, profile, row.id), budgetOf(row))
  const [first, top] = [holding[0], holding.at(-1)]
  const ended = await lastEnded(tx, profile, row.id, new Date(now.getTime() - SHOWN_FOR_MS))
  const most = mostBudget(profile, row)
  return {
    currency: profile.currency,
    timezone: profile.timezone,
    budget: row.budget,
    mostBudget: fromMicros(most),
    until: midnightAfter(now, profile.timezone).toISOString(),
    rescue:
      first && top
        ? {
            before: fromMicros(first.beforeMicros),
            budget: fromMicros(top.raisedMicros),
            since: first.beganAt.toISOString(),
            until: top.untilAt.toISOString(),
            by: (await accountNames(tx, [top.accountId])).get(top.accountId) ?? null,
          }
        : null,
    ended: ended && { at: ended.at.toISOString(), outcome: ended.outcome, before: fromMicros(ended.beforeMicros) },
    obstacle: obstacleTo(row, most),
  }
}
