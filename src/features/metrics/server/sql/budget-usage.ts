import { sql } from 'kysely'
import type { Owner } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { Micros } from '#shared/money.ts'

/** How much of its day's budget a campaign had used at a moment. */
export interface BudgetUsage {
  at: Date
  budgetMicros: Micros
  /** Above 100 where a day may cost more than its budget. */
  usagePercent: number
}

/** Saves what the stream reported, each moment of a campaign once. */
export async function saveBudgetUsage(
  tx: Db,
  merchantId: number,
  rows: readonly (BudgetUsage & { profileId: number; campaignId: number })[],
): Promise<void> {
  await sql`insert into campaign_budget_usage (merchant_id, profile_id, campaign_id, at, budget_micros, usage_percent)
    select ${merchantId}::bigint, u.* from unnest(${rows.map(row => row.profileId)}::bigint[],
      ${rows.map(row => row.campaignId)}::bigint[], ${rows.map(row => row.at)}::timestamptz[],
      ${rows.map(row => row.budgetMicros)}::bigint[], ${rows.map(row => row.usagePercent)}::real[]) u
    on conflict do nothing`.execute(tx)
}

export interface CampaignHours {
  /** In order. */
  usage: BudgetUsage[]
  /** Hours with figures, in the account's time zone. */
  hours: { date: string; hour: number; impressions: number; costMicros: Micros }[]
  /** Since when the account's hours and usage are received; null when they are not. */
  since: Date | null
  /** Up to when they are complete; null when none came yet. */
  asOf: Date | null
}

/** What the stream brought of one campaign in days (both included) and between two moments. */
export async function campaignHours(
  tx: Db,
  owner: Owner,
  campaignId: number,
  days: { from: string; to: string; fromAt: Date; toAt: Date },
): Promise<CampaignHours> {
  const of = sql`merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and campaign_id = ${campaignId}`
  const usage =
    await sql<BudgetUsage>`select at, budget_micros as "budgetMicros", usage_percent::float8 as "usagePercent"
    from campaign_budget_usage where ${of} and at >= ${days.fromAt} and at < ${days.toAt} order by at`.execute(tx)
  const hours = await sql<CampaignHours['hours'][number]>`select date, hour, impressions, cost_micros as "costMicros"
    from campaign_hour where ${of} and date between ${days.from} and ${days.to} order by date, hour`.execute(tx)
  // Hours may go further back than the use of budgets, whose first report of a day comes some hours into it.
  const state = await sql<{ since: Date | null; asOf: Date | null }>`
    select case when stream_subscriptions ? 'budget-usage' then greatest(hourly_from, (
        select min(at) - interval '1 day' from campaign_budget_usage u
        where u.merchant_id = ${owner.merchantId} and u.profile_id = ${owner.profileId})) end as since,
      hourly_as_of as "asOf"
    from metrics_state where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId}`.execute(tx)
  const { since = null, asOf = null } = state.rows[0] ?? {}
  return { usage: usage.rows, hours: hours.rows, since, asOf }
}
