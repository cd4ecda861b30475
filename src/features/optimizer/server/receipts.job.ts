import { sql } from 'kysely'
import { toMicros } from '#shared/money.ts'
import { addDays, dayIn, startOfDayIn } from '#shared/time.ts'
import { type Profile, profilesOf } from '#features/accounts/server/public.ts'
import { type DayRow } from '#features/metrics/server/public.ts'
import type { Owner } from '#features/structure/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { defineScheduledJob } from '#server/jobs/define-job.ts'
import { forecastDays } from '../engine/forecast.ts'
import type { DayForecast } from '../engine/decisions.ts'
import { receiptOf } from '../proof/receipts.ts'
import { windowOf } from './facts.ts'

/** Before so many days nothing has settled; after so many a change that still has no receipt gets none. */
const judgedAfter = { least: 18, most: 45 }
const mostAtOnce = 5000

interface Judged {
  id: number
  adType: string
  forecast: DayForecast
  sentAt: Date
  /** What was bid, in micros, and in units what anybody changed it to since, in order. */
  after: number
  later: [at: string, bid: number | null][]
  days: [day: string, clicks: number, cost: number, orders: number, sales: number][]
}

/** Every morning: what came of the bids whose days have settled by now, against what was expected of them. */
export const judgeChanges = defineScheduledJob({
  name: 'optimizer-receipts',
  policy: 'stately',
  cron: '40 10 * * *',
  run: async services => {
    const { rows } = await sql<Owner>`select distinct merchant_id as "merchantId", profile_id as "profileId"
      from optimizer_group where state <> 'STOPPED'`.execute(services.db.system)
    for (const owner of rows) await judgeAccount(services, owner)
  },
})

export async function judgeAccount({ db, clock }: Services, { merchantId, profileId }: Owner): Promise<void> {
  const profiles = await db.reading(merchantId, tx => profilesOf(tx, merchantId))
  const profile = profiles.find(one => one.profileId === profileId)
  if (profile) await db.tenant(merchantId, tx => judgeIn(tx, profile, dayIn(clock.now(), profile.timezone)))
}

async function judgeIn(tx: Db, profile: Profile, today: string): Promise<void> {
  const { merchantId, profileId, timezone } = profile
  const [from, to] = [-judgedAfter.most, -judgedAfter.least].map(days => startOfDayIn(addDays(today, days), timezone))
  const { rows } =
    await sql<Judged>`select d.id, k.ad_type as "adType", d.forecast, d.sent_at as "sentAt", d.after, coalesce(n.later, '[]') as later, coalesce(f.days, '[]') as days
    from optimizer_decision d join campaign k on k.merchant_id = ${merchantId} and k.id = d.campaign_id
    left join lateral (select jsonb_agg(jsonb_build_array(c.at, c.after) order by c.id) as later from entity_change c where c.merchant_id = ${merchantId} and c.entity = 'target'
        and c.entity_id = d.entity_id and c.field = 'bid' and c.at > d.sent_at
        and c.at < d.sent_at + interval '16 days') n on true
    left join lateral (select jsonb_agg(jsonb_build_array(t.date, t.clicks, t.cost_micros, t.orders, t.sales_micros)) as days
        from target_day t where t.merchant_id = ${merchantId} and t.profile_id = ${profileId} and t.target_id = d.entity_id and t.date >= d.day
          and t.date <= d.day + ${forecastDays + 2}::int) f on true
    where d.merchant_id = ${merchantId} and d.profile_id = ${profileId} and d.kind = 'bid' and d.receipt is null
      and d.forecast is not null and d.state in ('CONFIRMED', 'UNDONE') and d.sent_at between ${from} and ${to}
    order by d.id limit ${mostAtOnce}`.execute(tx)
  for (const { id, forecast, adType, sentAt, after, later, days } of rows) {
    const receipt = receiptOf({
      forecast,
      changedOn: dayIn(sentAt, timezone),
      later: later.flatMap(([at, bid]) =>
        bid === null ? [] : [{ on: dayIn(new Date(at), timezone), multiple: toMicros(bid) / after }],
      ),
      days: days.map(
        ([day, clicks, costMicros, orders, salesMicros]): DayRow => ({ day, clicks, costMicros, orders, salesMicros }),
      ),
      windowDays: windowOf(adType, profile),
      today,
    })
    if (receipt.tooEarly === 'NOT_SETTLED') continue
    await sql`update optimizer_decision set receipt = ${JSON.stringify(receipt)}::jsonb
      where merchant_id = ${merchantId} and id = ${id}`.execute(tx)
  }
}
