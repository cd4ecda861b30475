import { sql } from 'kysely'
import type { AdType } from '#shared/campaign-rules.ts'
import { fromMicros } from '#shared/money.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import {
  type DayRow,
  daysOfAdType,
  daysOfCampaigns,
  profileFreshness,
  weekHoursOf,
} from '#features/metrics/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { GroupProof } from '../contract.ts'
import { sumByDay } from '../engine/days.ts'
import { worthOfHours } from '../engine/hours.ts'
import { effectOf, type ProfitDay } from '../proof/effect.ts'
import { type ForecastAcos, weeksHeld } from '../proof/forecast-acos.ts'
import { holdoutDays, mayHoldOut } from '../proof/holdout.ts'
import { calibrationsOf, receiptsOf } from './calibrations.ts'
import { holdingsOf } from './entities.ts'
import { readFamilies } from './families.ts'
import { type Group, readGroup } from './groups.ts'
import { settledHoldout } from './holdout.ts'

const daysBefore = 130
const shownDays = 120

/** What is known of what a group's decisions did. Throws NOT_FOUND. */
export function readProof(ctx: Ctx, id: number): Promise<GroupProof> {
  return readAccount(ctx, async (tx, profile) => {
    const group = await readGroup(tx, profile, id)
    const today = dayIn(ctx.clock.now(), profile.timezone)
    const { movingFrom } = await profileFreshness(tx, profile)
    const settledTo = addDays(movingFrom ?? today, -1)
    const startedOn = group.startedAt && dayIn(group.startedAt, profile.timezone)
    const range = { from: addDays(dayIn(group.takenOverAt, profile.timezone), -daysBefore), to: addDays(today, -1) }
    const own = sumByDay([...(await daysOfCampaigns(tx, profile, group.campaignIds, range)).values()])
    const all = sumByDay([await daysOfLikeCampaigns(tx, profile, group, range)])
    const margin = await marginOf(tx, profile, group, today)
    const receipts = await receiptsOf(tx, group)
    const judged = receipts.filter(one => one.verdict !== 'TOO_EARLY')
    const settled = own.filter(one => one.day <= settledTo)
    const forecasts = await forecastsOf(tx, group)
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
      calibrations: (await calibrationsOf(tx, group, judged, settled)).map(({ month, bands, share, bias }) => ({
        month: `${month}-01`,
        bands,
        heldShare: share && share.middle * 100,
        bias: bias && bias.middle * 100,
      })),
      settledTo,
      weeks: weeksHeld(forecasts, settled),
      days: own.slice(-shownDays).map(({ day, costMicros, salesMicros }) => ({
        date: day,
        cost: fromMicros(costMicros),
        sales: fromMicros(salesMicros),
        profit: margin === null ? null : fromMicros(Math.round(salesMicros * margin - costMicros)),
        isSince: startedOn !== null && day > startedOn,
        forecast: presentForecast(forecasts.get(day)),
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
      hours: await hoursOf(tx, group, today),
      noTest: tested ? null : mayHoldOut(orders) ? 'TOO_EARLY' : 'TOO_FEW_ORDERS',
    }
  })
}

const mapBand = (band: { low: number; middle: number; high: number }, convert: (value: number) => number) => ({
  low: convert(band.low),
  middle: convert(band.middle),
  high: convert(band.high),
})

/**
 * The forecast ACOS of the seven days that end on a day, by that day: as the run of the next morning made it, for real where it
 * also ran in the shadow.
 */
async function forecastsOf(tx: Db, { merchantId, id }: Group): Promise<Map<string, ForecastAcos>> {
  const { rows } = await sql<ForecastAcos & { day: string }>`select day, forecast_acos as acos, forecast_low as low,
      forecast_high as high
    from optimizer_run where merchant_id = ${merchantId} and group_id = ${id} and forecast_acos > 0
    order by day, is_shadow desc`.execute(tx)
  return new Map(rows.map(({ day, ...forecast }) => [addDays(day, -1), forecast]))
}

function presentForecast(forecast: ForecastAcos | undefined): GroupProof['days'][number]['forecast'] {
  if (!forecast) return null
  const { acos, low, high } = forecast
  const hasBand = low !== null && high !== null
  return { acos: acos * 100, band: hasBand ? { low: low * 100, high: high * 100 } : null }
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
const profits = (own: readonly DayRow[], all: readonly DayRow[], margin: number): ProfitDay[] => {
  const byDay = new Map(all.map(row => [row.day, row]))
  const profitOf = ({ costMicros, salesMicros }: DayRow): number => salesMicros * margin - costMicros
  return own.map(row => {
    const whole = byDay.get(row.day)
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

const hourDays = 75
/** The orders of the newest hours are not all there yet. */
const unsettledHourDays = 4

/** What the hours of the week are worth in a group, by the stream; null while it has sent too little to say. */
async function hoursOf(tx: Db, group: Group, today: string): Promise<GroupProof['hours']> {
  const range = { from: addDays(today, -hourDays), to: addDays(today, -unsettledHourDays) }
  const found = await weekHoursOf(tx, group, group.campaignIds, range)
  const blocks = worthOfHours(found)
  if (!blocks.length) return null
  return {
    dateFrom: range.from,
    dateTo: range.to,
    days: found.days,
    orders: blocks.reduce((sum, one) => sum + one.orders, 0),
    blocks: blocks.map(({ block, clicks, orders, factor, low, high, bidFactor }) => ({
      ...block,
      clicks,
      orders,
      worth: factor * 100,
      low: low * 100,
      high: high * 100,
      bid: Math.round((bidFactor - 1) * 100),
    })),
  }
}
