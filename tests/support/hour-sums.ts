import { sql } from 'kysely'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import type { World } from '#sandbox/core/world.ts'
import { adTypes } from '#shared/campaign-rules.ts'
import { dayIn, hourIn } from '#shared/time.ts'

type HourSums = Record<string, { clicks: number; cost: number; sales: number }>

/** Sums of the marketplace's own ledger from a whole hour on, by day, hour and ad type. */
export function bookedHours(world: World, { timezone, amazonProfileId }: Profile, since: Date): HourSums {
  const now = world.clock.now()
  const [from, to] = [dayIn(since, timezone), dayIn(now, timezone)]
  const sums: HourSums = {}
  for (const adType of adTypes)
    for (const fact of world.market().facts(Number(amazonProfileId), from, to, now, adType)) {
      if (fact.day === from && fact.hour < hourIn(since, timezone)) continue
      const sum = (sums[`${fact.day} ${fact.hour} ${adType}`] ??= { clicks: 0, cost: 0, sales: 0 })
      sum.clicks += fact.clicks
      sum.cost += fact.costMicros
      sum.sales += fact.salesMicros[adType === 'SPONSORED_PRODUCTS' ? 'd7' : 'd14']
    }
  return sums
}

/** The same as the product received them. */
export async function receivedHours(
  { db }: Services,
  { timezone, profileId }: Profile,
  since: Date,
): Promise<HourSums> {
  const { rows } = await sql<{ key: string; clicks: number; cost: number; sales: number }>`
    select date || ' ' || hour || ' ' || c.ad_type as key, sum(clicks) as clicks, sum(cost_micros) as cost, sum(sales_micros) as sales
    from campaign_hour h join campaign c on c.merchant_id = h.merchant_id and c.id = h.campaign_id
    where h.profile_id = ${profileId} and (date, hour) >= (${dayIn(since, timezone)}::date, ${hourIn(since, timezone)}::smallint)
    group by 1`.execute(db.system)
  return Object.fromEntries(rows.map(({ key, ...sum }) => [key, sum]))
}
