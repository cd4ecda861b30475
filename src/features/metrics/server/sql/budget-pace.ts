import { type RawBuilder, sql } from 'kysely'
import { type Owner, tableOf } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { Micros } from '#shared/money.ts'
import { daysOf } from '#shared/time.ts'
import type { BudgetUsage } from './budget-usage.ts'
import { figuresBy } from './read-figures.ts'

/** A campaign with a daily budget, and what it spent today. */
export interface BudgetOfToday {
  campaignId: number
  name: string
  budgetMicros: Micros
  spentMicros: Micros
}

export interface BudgetsOfToday {
  /** The campaigns that spent most of their budget, at most as many as requested. */
  campaigns: BudgetOfToday[]
  /** Of all running campaigns with a daily budget. */
  count: number
  budgetMicros: Micros
  /** Of every campaign, paused ones and those with a lifetime budget too. */
  spentMicros: Micros
}

/**
 * What running campaigns have spent today of their daily budgets; those that spent at least a share of it (0 to 1) are listed, the
 * fullest first. `from` says which figures count: hours come first, days come with every import.
 */
export async function budgetsOfToday(
  tx: Db,
  owner: Owner,
  today: string,
  from: 'HOURS' | 'DAYS',
  { leastShare, most }: { leastShare: number; most: number },
): Promise<BudgetsOfToday> {
  const spent: RawBuilder<unknown> =
    from === 'DAYS'
      ? figuresBy('campaign', owner, today, today)
      : sql`(select campaign_id as key, sum(cost_micros) as cost_micros from campaign_hour
          where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and date = ${today} group by campaign_id)`
  const { rows } = await sql<{
    campaigns: BudgetOfToday[] | null
    count: number
    budgetMicros: number
    spentMicros: number
  }>`
    with s as materialized (select x.key, x.cost_micros from ${spent} x),
      c as materialized (select id, name, daily_budget_micros as budget from ${tableOf('campaign')} t
        where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and state = 'ENABLED' and daily_budget_micros > 0),
      listed as (select c.id, c.name, c.budget, s.cost_micros from s join c on c.id = s.key
        where s.cost_micros >= c.budget * ${leastShare}::float8
        order by s.cost_micros::float8 / c.budget desc, c.id limit ${most})
    select (select jsonb_agg(jsonb_build_object('campaignId', id, 'name', name, 'budgetMicros', budget, 'spentMicros', cost_micros)) from listed) as campaigns,
      (select count(*)::int from c) as count,
      (select coalesce(sum(budget), 0)::float8 from c) as "budgetMicros",
      (select coalesce(sum(cost_micros), 0)::float8 from s) as "spentMicros"`.execute(tx)
  const { campaigns = null, count = 0, budgetMicros = 0, spentMicros = 0 } = rows[0] ?? {}
  return { campaigns: campaigns ?? [], count, budgetMicros, spentMicros }
}

export interface CampaignToday {
  usage: BudgetUsage[]
  hours: { date: string; hour: number; impressions: number; costMicros: Micros }[]
  /** The hours of the days before: what they cost together, and on how many days the campaign still ran by then. */
  past: { hour: number; costMicros: Micros; days: number }[]
}

/** What the stream brought of some campaigns today, and by the hour on the days before; campaigns without anything are missing. */
export async function hoursOfCampaigns(
  tx: Db,
  owner: Owner,
  campaignIds: readonly number[],
  { today, fromAt, past }: { today: string; fromAt: Date; past: { from: string; to: string } },
): Promise<Map<number, CampaignToday>> {
  const own = sql`merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and campaign_id = any(${campaignIds}::bigint[])`
  const { rows } = await sql<{ campaignId: number } & Partial<Omit<CampaignToday, 'usage'>> & { usage?: RawUsage[] }>`
    with h as materialized (select campaign_id, date, hour, impressions, cost_micros from campaign_hour
        where ${own} and date = any(${[...daysOf(past.from, past.to), today]}::date[])),
      ran as (select campaign_id, date, max(hour) as until from h where date < ${today} and impressions > 0 group by 1, 2),
      ended as (select campaign_id, until, count(*) as days from ran group by 1, 2),
      cost as (select campaign_id, hour, sum(cost_micros) as micros from h where date < ${today} group by 1, 2),
      hourly as (select c.campaign_id, c.hour, c.micros, coalesce(sum(e.days), 0) as days from cost c
        left join ended e on e.campaign_id = c.campaign_id and e.until >= c.hour group by 1, 2, 3),
      p as (select campaign_id, jsonb_agg(jsonb_build_object('hour', hour, 'costMicros', micros, 'days', days)) as list
        from hourly group by 1),
      t as (select campaign_id, jsonb_agg(jsonb_build_object('date', date, 'hour', hour, 'impressions', impressions, 'costMicros', cost_micros) order by hour) as list
        from h where date = ${today} group by 1),
      u as (select campaign_id, jsonb_agg(jsonb_build_object('at', at, 'budgetMicros', budget_micros, 'usagePercent', usage_percent) order by at) as list
        from campaign_budget_usage where ${own} and at >= ${fromAt} group by 1)
    select i.id as "campaignId", u.list as usage, t.list as hours, p.list as past
    from unnest(${campaignIds}::bigint[]) as i(id) left join u on u.campaign_id = i.id
      left join t on t.campaign_id = i.id left join p on p.campaign_id = i.id`.execute(tx)
  return new Map(
    rows.map(({ campaignId, usage, hours, past: before }) => [
      campaignId,
      { usage: (usage ?? []).map(one => ({ ...one, at: new Date(one.at) })), hours: hours ?? [], past: before ?? [] },
    ]),
  )
}

type RawUsage = Omit<BudgetUsage, 'at'> & { at: string }
