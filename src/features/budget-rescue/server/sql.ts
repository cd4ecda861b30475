import { sql } from 'kysely'
import type { Owner } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { Micros } from '#shared/money.ts'
import type { RescueState } from '../contract.ts'

type Outcome = NonNullable<RescueState['ended']>['outcome']

/** A raise that nobody has ended. */
export interface Raise {
  id: number
  beforeMicros: Micros
  raisedMicros: Micros
  groupId: string
  accountId: number
  beganAt: Date
  untilAt: Date
}

/** The open raises of a campaign, the first one first. */
export async function openRaises(tx: Db, { merchantId, profileId }: Owner, campaignId: number): Promise<Raise[]> {
  const { rows } = await sql<Raise>`select id, before_micros as "beforeMicros", raised_micros as "raisedMicros",
      group_id as "groupId", account_id as "accountId", began_at as "beganAt", until_at as "untilAt"
    from budget_rescue where merchant_id = ${merchantId} and profile_id = ${profileId} and campaign_id = ${campaignId}
      and ended_at is null order by id`.execute(tx)
  return rows
}

/** How the latest raise of a campaign that ended since a moment ended; null when none did. */
export async function lastEnded(tx: Db, { merchantId, profileId }: Owner, campaignId: number, since: Date) {
  const { rows } = await sql<{ at: Date; outcome: Outcome; beforeMicros: Micros }>`
    select ended_at as at, outcome, before_micros as "beforeMicros" from budget_rescue
    where merchant_id = ${merchantId} and profile_id = ${profileId} and campaign_id = ${campaignId} and ended_at > ${since}
    order by ended_at desc, id limit 1`.execute(tx)
  return rows[0] ?? null
}

/** Adds a raise, on top of those that hold: they go back together. */
export async function addRaise(
  tx: Db,
  { merchantId, profileId }: Owner,
  campaignId: number,
  raise: Omit<Raise, 'id'>,
  below: readonly Raise[],
): Promise<void> {
  await tx
    .insertInto('budget_rescue')
    .values({
      merchant_id: merchantId,
      profile_id: profileId,
      campaign_id: campaignId,
      before_micros: raise.beforeMicros,
      raised_micros: raise.raisedMicros,
      group_id: raise.groupId,
      account_id: raise.accountId,
      began_at: raise.beganAt,
      until_at: raise.untilAt,
      ended_at: null,
      outcome: null,
      tried_at: null,
    })
    .execute()
  if (below.length)
    await sql`update budget_rescue set until_at = ${raise.untilAt} where merchant_id = ${merchantId}
      and id = any(${below.map(({ id }) => id)}::bigint[])`.execute(tx)
}

/** Ends raises. */
export async function endRaises(
  tx: Db,
  { merchantId }: Owner,
  raises: readonly Raise[],
  outcome: Outcome,
  at: Date,
): Promise<void> {
  if (!raises.length) return
  await sql`update budget_rescue set ended_at = ${at}, outcome = ${outcome} where merchant_id = ${merchantId}
    and id = any(${raises.map(({ id }) => id)}::bigint[]) and ended_at is null`.execute(tx)
}

/** The campaigns of an account with a raise whose time is over, and notes that their return is tried. */
export async function takeDue(
  tx: Db,
  { merchantId, profileId }: Owner,
  now: Date,
): Promise<{ campaignId: number; amazonId: string }[]> {
  const { rows } = await sql<{ campaignId: number; amazonId: string }>`
    with due as (update budget_rescue set tried_at = ${now} where merchant_id = ${merchantId} and profile_id = ${profileId}
      and ended_at is null and until_at <= ${now} returning campaign_id)
    select c.id as "campaignId", c.amazon_id as "amazonId" from campaign c where c.merchant_id = ${merchantId}
      and c.id in (select campaign_id from due) order by c.id`.execute(tx)
  return rows
}

/** Of all merchants: the accounts with a raise whose time is over, and whose return was not tried just now. For jobs only. */
export async function dueAccounts(system: Db, now: Date, triedBefore: Date, most: number): Promise<Owner[]> {
  const { rows } =
    await sql<Owner>`select distinct merchant_id as "merchantId", profile_id as "profileId" from budget_rescue
    where ended_at is null and until_at <= ${now} and (tried_at is null or tried_at < ${triedBefore})
    limit ${most}`.execute(system)
  return rows
}

/** The lines by which raises changed the budget, the latest first; none unless each can still be undone. */
export async function linesOf(
  tx: Db,
  { merchantId }: Owner,
  campaignId: number,
  raises: readonly Raise[],
): Promise<{ id: number; before: unknown; after: unknown }[]> {
  const { rows } = await sql<{ id: number; before: unknown; after: unknown }>`select c.id, c.before, c.after
    from entity_change c where c.merchant_id = ${merchantId} and c.group_id = any(${raises.map(one => one.groupId)}::uuid[])
      and c.entity = 'campaign' and c.entity_id = ${campaignId} and c.field = 'budget' and c.undoes is null
      and (select o.id from entity_change o where o.merchant_id = ${merchantId} and o.undoes = c.id) is null
    order by c.id desc`.execute(tx)
  return rows.length === raises.length ? rows : []
}

/** What the raise of a group raised to; null when there is none. */
export async function raiseOf(
  tx: Db,
  { merchantId }: Owner,
  groupId: string,
): Promise<{ raisedMicros: Micros } | null> {
  const { rows } = await sql<{ raisedMicros: Micros }>`select raised_micros as "raisedMicros" from budget_rescue
    where merchant_id = ${merchantId} and group_id = ${groupId}::uuid limit 1`.execute(tx)
  return rows[0] ?? null
}
