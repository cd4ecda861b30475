import { sql } from 'kysely'
import type { AdType } from '#shared/campaign-rules.ts'
import { fromMicros } from '#shared/money.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { type DayRow, daysOfAdType, daysOfCampaigns, profileFreshness } from '#features/metrics/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { GroupProof } from '../contract.ts'
import { calibrate, type ForecastWeek } from '../proof/calibration.ts'
import { effectOf, type ProfitDay } from '../proof/effect.ts'
import { holdoutDays, mayHoldOut } from '../proof/holdout.ts'
import type { Receipt } from '../proof/receipts.ts'
import { holdingsOf } from './entities.ts'
import { readFamilies } from './families.ts'
import { type Group, readGroup } from './groups.ts'
import { settledHoldout } from './holdout.ts'

const daysBefore = 130
const shownDays = 120
const mostMonths = 6

/** What is known of what a group's decisions did. Throws NOT_FOUND. */
export function readProof(ctx: Ctx, id: number): Promise<GroupProof> {
  return readAccount(ctx, async (tx, profile) => {
    const group = await readGroup(tx, profile, id)
    const today = dayIn(ctx.clock.now(), profile.timezone)
    const { movingFrom } = await profileFreshness(tx, profile)
    const settledTo = addDays(movingFrom ?? today, -1)
    const startedOn = group.startedAt && dayIn(group.startedAt, profile.timezone)
    const range = { from: addDays(dayIn(group.takenOverAt, profile.timezone), -daysBefore), to: addDays(today, -1) }
    const own = addByDay([...(await daysOfCampaigns(tx, profile, group.campaignIds, range)).values()].flat())
    const all = addByDay(await daysOfLikeCampaigns(tx, profile, group, range))
    const margin = await marginOf(tx, profile, group, today)
    const receipts = await receiptsOf(tx, group)
    const judged = receipts.filter(one => one.verdict !== 'TOO_EARLY')
    const settled = [...own.values()].filter(one => one.day <= settledTo)
    const tested = margin === null ? null : await settledHoldout(tx, group, margin, settledTo)
    const byHoldout = tested && { estimate: tested.estimate, days: holdoutDays }
    const effect = startedOn && margin !== null ? effectOf(profits(settled, all, margin), startedOn, byHoldout) : null
    const orders = settled.filter(one => one.day > addDays(settledTo, -28)).reduce((sum, one) => sum + one.orders, 0)
    return {
      currency: profile.currency,
      takenOverAt: group.takenOverAt.toISOString(),
      receipts: {
        judged: judged.length,
        held: judged.filter(one => one.verdict === 'AS_EXPECTED').length,
        tooEarly: receipts.length - judged.length,
      },
      calibrations: await calibrations(tx, group, judged, settled),
      days: [...own.values()]
        .toSorted((a, b) => (a.day < b.day ? -1 : 1))
        .slice(-shownDays)
        .map(({ day, costMicros, salesMicros }) => ({
          date: day,
          cost: fromMicros(costMicros),
          sales: fromMicros(salesMicros),
          profit: margin === null ? null : fromMicros(Math.round(salesMicros * margin - costMicros)),
          isSince: startedOn !== null && day > startedOn,
        })),
      effect: effect && {
        verdict: effect.verdict,
        why: effect.why,
        day: effect.dayMicros && mapBand(effect.dayMicros, fromMicros),
        share: effect.share && mapBand(effect.share, share => share * 100),
        weeksBefore: effect.weeksBefore,
        weeksAfter: effect.weeksAfter,
      },
      test: tested && {
        dateFrom: tested.from,
        dateTo: tested.to,
        ...mapBand(tested.estimate.profitMicros, micros => fromMicros(Math.round(micros / holdoutDays))),
        targets: tested.estimate.targets + tested.estimate.held,
        heldBack: tested.estimate.held,
      },
      noTest: tested ? null : mayHoldOut(orders) ? 'TOO_EARLY' : 'TOO_FEW_ORDERS',
    }
  })
}

const mapBand = (band: { low: number; middle: number; high: number }, convert: (value: number) => number) => ({
  low: convert(band.low),
  middle: convert(band.middle),
  high: convert(band.high),
})

function addByDay(rows: readonly DayRow[]): Map<string, DayRow> {
  const days = new Map<string, DayRow>()
  for (const row of rows) {
    const sum = days.get(row.day)
    days.set(row.day, {
      day: row.day,
      clicks: (sum?.clicks ?? 0) + row.clicks,
      costMicros: (sum?.costMicros ?? 0) + row.costMicros,
      orders: (sum?.orders ?? 0) + row.orders,
      salesMicros: (sum?.salesMicros ?? 0) + row.salesMicros,
    })
  }
  return days
}

/** All of the account's campaigns of the ad types that the group has. */
async function daysOfLikeCampaigns(
  tx: Db,
  profile: Profile,
  { campaignIds }: Group,
  range: { from: string; to: string },
) {
  const { rows } = await sql<{ adType: AdType }>`select distinct ad_type as "adType" from campaign
    where merchant_id = ${profile.merchantId} and id = any(${campaignIds}::bigint[])`.execute(tx)
  const days: DayRow[] = []
  for (const { adType } of rows) days.push(...(await daysOfAdType(tx, profile, adType, range)))
  return days
}

/** Profit of the group and of the account's other campaigns by day, at the margin of the group's products. */
const profits = (own: readonly DayRow[], all: ReadonlyMap<string, DayRow>, margin: number): ProfitDay[] => {
  const profitOf = ({ costMicros, salesMicros }: DayRow): number => salesMicros * margin - costMicros
  return own.map(row => {
    const whole = all.get(row.day)
    return {
      day: row.day,
      profitMicros: profitOf(row),
      restMicros: whole && whole.costMicros > row.costMicros ? profitOf(whole) - profitOf(row) : null,
      orders: row.orders,
    }
  })
}

/** The mean margin of the group's product families by today's costs; null while any of them is unknown. */
async function marginOf(tx: Db, profile: Profile, group: Group, today: string): Promise<number | null> {
  const held = await holdingsOf(tx, profile, group.campaignIds)
  const { facts } = await readFamilies(tx, profile, held, [], today)
  const margins = facts.flatMap(({ margin }) => margin ?? [])
  if (!margins.length || margins.length < facts.length) return null
  return margins.reduce((sum, one) => sum + one, 0) / margins.length
}

async function receiptsOf(tx: Db, { merchantId, id }: Group): Promise<Receipt[]> {
  const { rows } = await sql<{
    receipt: Receipt
  }>`select receipt from optimizer_decision where merchant_id = ${merchantId}
    and group_id = ${id} and receipt is not null order by id desc limit 20000`.execute(tx)
  return rows.map(row => row.receipt)
}

/** Weeks end on the days of runs, counted back from the last one: cost over the forecast ACOS of that day is what was forecast. */
async function calibrations(
  tx: Db,
  { merchantId, id }: Group,
  receipts: readonly Receipt[],
  settled: readonly DayRow[],
): Promise<GroupProof['calibrations']> {
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
    .map(month => {
      const { bands, share, bias } = calibrate(month, receipts, weeks)
      return {
        month: `${month}-01`,
        bands,
        heldShare: share && share.middle * 100,
        bias: bias && bias.middle * 100,
      }
    })
}
