import { sql } from 'kysely'
import { addDays } from '#shared/time.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import { type DayRow, daysOfCampaigns, profileFreshness } from '#features/metrics/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { sumByDay } from '../engine/days.ts'
import type { Decision } from '../engine/decisions.ts'
import type { Facts, Fit } from '../engine/facts.ts'
import { calibrate, type Calibration, type ForecastWeek, mustRefit } from '../proof/calibration.ts'
import type { Receipt } from '../proof/receipts.ts'
import { refit, refitRow, usualFit } from '../proof/refit.ts'
import type { Group } from './groups.ts'

const mostMonths = 6

/** Of all changes of a group that have one, the newest first. */
export async function receiptsOf(tx: Db, { merchantId, id }: Pick<Group, 'merchantId' | 'id'>): Promise<Receipt[]> {
  const { rows } = await sql<{
    receipt: Receipt
  }>`select receipt from optimizer_decision where merchant_id = ${merchantId}
    and group_id = ${id} and receipt is not null order by id desc limit 20000`.execute(tx)
  return rows.map(row => row.receipt)
}

/**
 * The calibrations of the last months, the latest first. Weeks end on the days of runs, counted back from the last one: cost over the forecast ACOS of that day is
 * what was forecast.
 */
export async function calibrationsOf(
  tx: Db,
  { merchantId, id }: Pick<Group, 'merchantId' | 'id'>,
  receipts: readonly Receipt[],
  settled: readonly DayRow[],
): Promise<Calibration[]> {
  const { rows } = await sql<{ day: string; forecast: number }>`select day, forecast_acos as forecast from optimizer_run
    where merchant_id = ${merchantId} and group_id = ${id} and forecast_acos > 0 and not is_shadow order by day desc`.execute(
    tx,
  )
  const days = new Map(settled.map(row => [row.day, row]))
  const weeks: ForecastWeek[] = []
  let until = ''
  for (const { day, forecast } of rows) {
    const week = Array.from({ length: 7 }, (_, i) => days.get(addDays(day, -1 - i)))
    if ((until && day > until) || !days.has(addDays(day, -1))) continue
    until = addDays(day, -7)
    const sum = (read: (row: DayRow) => number) => week.reduce((all, row) => all + (row ? read(row) : 0), 0)
    const costMicros = sum(row => row.costMicros)
    weeks.push({
      day: addDays(day, -1),
      costMicros,
      forecastSalesMicros: costMicros / forecast,
      settledSalesMicros: sum(row => row.salesMicros),
      settledOrders: sum(row => row.orders),
    })
  }
  const months = new Set([...receipts.map(one => one.to.slice(0, 7)), ...weeks.map(one => one.day.slice(0, 7))])
  return [...months]
    .toSorted()
    .toReversed()
    .slice(0, mostMonths)
    .map(month => calibrate(month, receipts, weeks))
}

/** A fit is judged by the last five settled weeks, each from the 75 days before it. */
const refitDays = 75 + 5 * 7
const calibratedDays = 100

/**
 * What the engine is to assume of a group, and the row that says so where that was fitted again. Looked at in the first run of
 * each month: it is fitted where the forecast ACOS of the last two whole months was off in the same direction. `factsSince` reads
 * the facts from a day on.
 */
export async function fitOn(
  tx: Db,
  profile: Profile,
  group: Group,
  today: string,
  factsSince: (day: string) => Promise<Facts>,
): Promise<{ fit: Fit | null; row: Decision | null }> {
  const { fit, fitMonth, merchantId, id, campaignIds } = group
  const month = `${today.slice(0, 7)}-01`
  if (fitMonth === month) return { fit, row: null }
  await sql`update optimizer_group set fit_month = ${month} where merchant_id = ${merchantId} and id = ${id}`.execute(
    tx,
  )
  const { movingFrom } = await profileFreshness(tx, profile)
  const settledTo = addDays(movingFrom ?? today, -1)
  const days = await daysOfCampaigns(tx, profile, campaignIds, { from: addDays(today, -calibratedDays), to: settledTo })
  const all = await calibrationsOf(tx, group, await receiptsOf(tx, group), sumByDay([...days.values()]))
  const [last, before] = [1, 2].map(back => all.find(one => one.month === monthsBefore(month, back)))
  if (!last || !mustRefit(before ?? null, last)) return { fit, row: null }
  const facts = await factsSince(addDays(settledTo, -refitDays))
  const present = fit ?? usualFit
  const found = refit({ ...facts, fit: present }, settledTo)
  if (found.halfLifeDays === present.halfLifeDays && found.priorOrders === present.priorOrders)
    return { fit, row: null }
  await sql`update optimizer_group set fit = ${JSON.stringify(found)}::jsonb where merchant_id = ${merchantId} and id = ${id}`.execute(
    tx,
  )
  return { fit: found, row: refitRow(present, found, last.bias?.middle ?? 0, today) }
}

/** `2026-11` of a month so many before the one that begins on a day. */
function monthsBefore(firstDay: string, count: number): string {
  let day = firstDay
  for (let i = 0; i < count; i++) day = `${addDays(day, -1).slice(0, 7)}-01`
  return day.slice(0, 7)
}
