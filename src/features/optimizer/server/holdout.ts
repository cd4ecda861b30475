import { sql } from 'kysely'
import { addDays } from '#shared/time.ts'
import { type DayRow, daysOfTargets } from '#features/metrics/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { Facts } from '../engine/facts.ts'
import {
  drawHoldout,
  estimateHoldout,
  holdoutDays,
  type HoldoutEstimate,
  mayHoldOut,
  quarterOf,
} from '../proof/holdout.ts'
import type { Group } from './groups.ts'

/**
 * The targets that keep their bids on a day. Draws them first where the quarter has no test yet and the group has orders
 * enough for one; drawn once, they stay until the last day of the test, whatever becomes of the orders.
 */
export async function holdoutOn(tx: Db, group: Group, facts: Facts, today: string): Promise<string[]> {
  const quarter = quarterOf(today)
  const { merchantId, id: groupId } = group
  const { rows } = await sql<{ targetId: number; isOn: boolean; isHeld: boolean }>`select target_id as "targetId",
      from_day <= ${today} and to_day >= ${today} as "isOn", is_held as "isHeld" from optimizer_holdout
    where merchant_id = ${merchantId} and group_id = ${groupId} and (quarter = ${quarter} or to_day >= ${today})`.execute(
    tx,
  )
  if (rows.length) return rows.filter(row => row.isOn && row.isHeld).map(row => String(row.targetId))
  const since = addDays(today, -holdoutDays)
  const isRecent = (one: { day: string }): boolean => one.day >= since
  const orders = sumBy(
    facts.campaigns.flatMap(({ days }) => days.filter(isRecent)),
    day => day.orders,
  )
  if (!mayHoldOut(orders)) return []
  const targets = facts.targets
    .filter(one => one.isEnabled)
    .map(({ id, days }) => ({ id, costMicros: sumBy(days.filter(isRecent), day => day.costMicros) }))
  const drawn = drawHoldout(targets, quarter)
  await sql`insert into optimizer_holdout (merchant_id, group_id, quarter, target_id, stratum, is_held, from_day, to_day)
    select ${merchantId}::bigint, ${groupId}::bigint, ${quarter}, u.*, ${today}::date, ${addDays(today, holdoutDays - 1)}::date
    from unnest(${drawn.map(one => Number(one.id))}::bigint[], ${drawn.map(one => one.stratum)}::int[],
      ${drawn.map(one => one.isHeld)}::boolean[]) u`.execute(tx)
  return drawn.filter(one => one.isHeld).map(one => one.id)
}

/** What the last test of a group that is over and settled says. */
export interface HoldoutResult {
  from: string
  to: string
  estimate: HoldoutEstimate
}

/** Null where no test is settled by that day, or too few targets are on either side of it. `margin`: of the group's products. */
export async function settledHoldout(
  tx: Db,
  group: Group,
  margin: number,
  settledTo: string,
): Promise<HoldoutResult | null> {
  const { merchantId, id: groupId } = group
  const { rows } = await sql<{ targetId: number; stratum: number; isHeld: boolean; from: string; to: string }>`
    select target_id as "targetId", stratum, is_held as "isHeld", from_day as from, to_day as to
    from optimizer_holdout h where merchant_id = ${merchantId} and group_id = ${groupId} and to_day = (
      select max(to_day) from optimizer_holdout l where l.merchant_id = ${merchantId} and l.group_id = ${groupId}
        and l.to_day <= ${settledTo})`.execute(tx)
  const [first] = rows
  if (!first) return null
  const { from, to } = first
  const days = await daysOfTargets(tx, group, group.campaignIds, { from: addDays(from, -holdoutDays), to })
  const profitOf = (some: readonly DayRow[]): number =>
    sumBy(some, ({ salesMicros, costMicros }) => salesMicros * margin - costMicros)
  const tested = rows.map(({ targetId, stratum, isHeld }) => {
    const own = days.get(targetId) ?? []
    const before = own.filter(({ day }) => day < from)
    return {
      stratum: String(stratum),
      isHeld,
      // One more than there were, because a target without any is compared too.
      opportunities: 1 + sumBy(before, day => day.clicks),
      profitMicros: profitOf(own.filter(({ day }) => day >= from)),
      beforeMicros: profitOf(before),
    }
  })
  const estimate = estimateHoldout(tested, group.id)
  return estimate && { from, to, estimate }
}

const sumBy = <T>(list: readonly T[], read: (one: T) => number): number => list.reduce((sum, one) => sum + read(one), 0)
