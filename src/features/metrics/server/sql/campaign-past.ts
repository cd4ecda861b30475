import { sql } from 'kysely'
import { anyOf } from '#features/accounts/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { Micros } from '#shared/money.ts'
import { addDays } from '#shared/time.ts'

/** A campaign with the day and hour that it is at, in its account's time zone. */
export interface CampaignAt {
  merchantId: number
  campaignId: number
  today: string
  /** When the day began. */
  fromAt: Date
  hour: number
}

export interface CampaignPast {
  campaignId: number
  /** Today's reports, in order. */
  usage: { at: string; budgetMicros: Micros; usagePercent: number }[]
  /** Of today, in order. */
  hours: { hour: number; costMicros: Micros; clicks: number; orders: number }[]
  /** The days before, in order; `until` sums what fell until the end of the current hour of the day. */
  days: {
    date: string
    costMicros: Micros
    clicks: number
    orders: number
    salesMicros: Micros
    untilCostMicros: Micros
    untilClicks: number
    untilOrders: number
    /** The last hour in which its ads were shown; null on a day without. */
    shownUntil: number | null
  }[]
  /** What the days before cost together, by the hour. */
  byHour: { hour: number; costMicros: Micros }[]
  /** What came after the last hour with an order, by day, today included; from the beginning when there was none. */
  sinceOrder: { date: string; clicks: number; costMicros: Micros }[]
}

/**
 * What the stream brought of some campaigns today and on the days before: for the jobs that test what has just arrived,
 * which takes one statement for each merchant, since no server has the figures of all.
 */
export async function campaignPast(
  system: Db,
  campaigns: readonly CampaignAt[],
  days: number,
): Promise<CampaignPast[]> {
  const found: CampaignPast[] = []
  for (const [merchantId, own] of Map.groupBy(campaigns, one => one.merchantId))
    found.push(...(await pastOf(system, merchantId, own, days)))
  return found
}

async function pastOf(
  system: Db,
  merchantId: number,
  campaigns: readonly CampaignAt[],
  days: number,
): Promise<CampaignPast[]> {
  const all = <T>(read: (campaign: CampaignAt) => T) => campaigns.map(read)
  const todays = campaigns.map(campaign => campaign.today).sort()
  const [first, last] = [todays[0], todays.at(-1)]
  if (first === undefined || last === undefined) return []
  // The offset keeps the planner at the key of each day, whatever it believes of the size of the table; the range keeps it at
  // the months that are meant.
  const { rows } = await sql<CampaignPast>`
    select s.campaign_id as "campaignId", x.* from unnest(${all(c => c.campaignId)}::bigint[],
      ${all(c => c.today)}::date[], ${all(c => c.fromAt)}::timestamptz[], ${all(c => c.hour)}::int[])
      as s(campaign_id, today, from_at, now_hour)
    cross join lateral (
      with h as materialized (select h.date, h.hour, h.impressions, h.clicks, h.cost_micros, h.orders, h.sales_micros
          from generate_series(0, ${days}::int) as i cross join lateral (select * from campaign_hour h
            where h.merchant_id = ${merchantId} and h.campaign_id = s.campaign_id and h.date = s.today - i
              and h.date between ${addDays(first, -days)} and ${last} offset 0) as h),
        last_order as (select max(date + make_interval(hours => hour)) as at from h where orders > 0),
        by_day as (select date, sum(cost_micros) as cost, sum(clicks) as clicks, sum(orders) as orders, sum(sales_micros) as sales,
            coalesce(sum(cost_micros) filter (where hour <= s.now_hour), 0) as until_cost,
            coalesce(sum(clicks) filter (where hour <= s.now_hour), 0) as until_clicks,
            coalesce(sum(orders) filter (where hour <= s.now_hour), 0) as until_orders,
            max(hour) filter (where impressions > 0) as shown_until
          from h where date < s.today group by date),
        by_hour as (select hour, sum(cost_micros) as cost from h where date < s.today group by hour),
        since as (select date, sum(clicks) as clicks, sum(cost_micros) as cost from h, last_order
          where last_order.at is null or date + make_interval(hours => hour) > last_order.at group by date),
        used as (select at, budget_micros, usage_percent::float8 as usage_percent from campaign_budget_usage u
          where u.merchant_id = ${merchantId} and u.campaign_id = s.campaign_id and u.at > s.from_at)
      select
        coalesce((select jsonb_agg(jsonb_build_object('at', at, 'budgetMicros', budget_micros, 'usagePercent', usage_percent) order by at)
          from used), '[]') as usage,
        coalesce((select jsonb_agg(jsonb_build_object('hour', hour, 'costMicros', cost_micros, 'clicks', clicks, 'orders', orders) order by hour)
          from h where date = s.today), '[]') as hours,
        coalesce((select jsonb_agg(jsonb_build_object('date', date, 'costMicros', cost, 'clicks', clicks, 'orders', orders,
          'salesMicros', sales, 'untilCostMicros', until_cost, 'untilClicks', until_clicks, 'untilOrders', until_orders,
          'shownUntil', shown_until) order by date) from by_day), '[]') as days,
        coalesce((select jsonb_agg(jsonb_build_object('hour', hour, 'costMicros', cost)) from by_hour), '[]') as "byHour",
        coalesce((select jsonb_agg(jsonb_build_object('date', date, 'clicks', clicks, 'costMicros', cost) order by date)
          from since), '[]') as "sinceOrder"
    ) x`.execute(system)
  return rows
}

/** What accounts cost and sold in days that have settled, by account and across merchants; those without figures are missing. For jobs. */
export async function settledSums(
  system: Db,
  accounts: readonly { merchantId: number; profileId: number; from: string; to: string }[],
): Promise<{ profileId: number; clicks: number; orders: number; salesMicros: Micros }[]> {
  const all = <T>(read: (account: (typeof accounts)[number]) => T) => accounts.map(read)
  const { rows } = await sql<{ profileId: number; clicks: number; orders: number; salesMicros: Micros }>`
    select s.profile_id as "profileId", sum(h.clicks)::float8 as clicks,
      sum(h.orders)::float8 as orders, sum(h.sales_micros)::float8 as "salesMicros"
    from unnest(${all(a => a.merchantId)}::bigint[], ${all(a => a.profileId)}::bigint[], ${all(a => a.from)}::date[],
      ${all(a => a.to)}::date[]) as s(merchant_id, profile_id, from_day, to_day)
    join profile_hour h on h.merchant_id = s.merchant_id and h.profile_id = s.profile_id
      and h.date between s.from_day and s.to_day
    where h.merchant_id = ${anyOf([...new Set(all(a => a.merchantId))])} group by s.profile_id`.execute(system)
  return rows
}
