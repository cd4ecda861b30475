import { sql } from 'kysely'
import type { Micros } from '#shared/money.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import { unitEconomics } from '#features/catalogue/server/public.ts'
import { figuresBy } from '#features/metrics/server/public.ts'
import { tableOf } from '#features/structure/server/public.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Db } from '#server/db/tables.ts'
import type { KeywordStandard } from '../keyword-verdicts.ts'
import { expectedCvr } from '../rules.ts'

interface Days {
  from: string
  to: string
}

interface Sums {
  clicks: number
  orders: number
  salesMicros: Micros
}

interface GroupRow extends Sums {
  adGroupId: number
  adGroupName: string
  campaignName: string
  defaultBidMicros: Micros | null
  targetAcos: number | null
  /** Of the products that it advertises, in all their ads. */
  products: Sums | null
  skus: string[]
}

/** What the keywords of an ad group are held to, and where it is. */
export interface GroupStandard extends KeywordStandard {
  adGroupName: string
  campaignName: string
  /** The bid of keywords without one of their own. */
  defaultBidMicros: Micros | null
  /** ACCOUNT: the campaign has no target, so the ACOS of the whole account stands in. */
  targetFrom: 'CAMPAIGN' | 'ACCOUNT' | null
}

/**
 * What the keywords of ad groups are held to, by the settled days: the rate and the price of the products they advertise,
 * and the target ACOS of the campaign, or in its place the ACOS that the account as a whole reaches. Of several products
 * the highest price and break-even count, so that a keyword is rather spared.
 */
export async function keywordStandards(
  tx: Db,
  profile: Profile,
  { from, to }: Days,
  adGroupIds: readonly number[],
): Promise<Map<number, GroupStandard>> {
  if (!adGroupIds.length) return new Map()
  const own = (alias: string) =>
    sql`${sql.ref(`${alias}.merchant_id`)} = ${profile.merchantId} and ${sql.ref(`${alias}.profile_id`)} = ${profile.profileId}`
  // Of few ad groups it takes longer to plan than to execute; of thousands the plan depends on how many they are.
  const isPrepared = adGroupIds.length <= 200
  const { rows } = await sql<GroupRow>`${isPrepared ? prepared : sql``}
    with ids as (select unnest(${[...adGroupIds]}::bigint[]) as id),
    shown as materialized (select distinct p.ad_group_id, p.asin, p.sku from ${tableOf('ad')} p
      where ${own('p')} and p.ad_group_id in (select id from ids) and p.state <> 'ARCHIVED' and p.asin is not null),
    ads as materialized (select p.id, p.asin from ${tableOf('ad')} p where ${own('p')} and p.asin in (select asin from shown)),
    sold as materialized (select a.asin, sum(x.clicks) as clicks, sum(x.orders) as orders, sum(x.sales_micros) as sales_micros
      from ${figuresBy('ad', profile, from, to)} x join ads a on a.id = x.key group by a.asin),
    products as materialized (select d.ad_group_id,
        jsonb_build_object('clicks', sum(o.clicks), 'orders', sum(o.orders), 'salesMicros', sum(o.sales_micros)) as sums
      from (select distinct ad_group_id, asin from shown) d join sold o on o.asin = d.asin group by d.ad_group_id),
    skus as materialized (select ad_group_id, array_agg(distinct sku) as skus from shown where sku is not null group by ad_group_id)
    select g.id as "adGroupId", g.name as "adGroupName", c.name as "campaignName", g.default_bid_micros as "defaultBidMicros", c.target_acos::float8 as "targetAcos",
      coalesce(f.clicks, 0)::float8 as clicks, coalesce(f.orders, 0)::float8 as orders, coalesce(f.sales_micros, 0)::float8 as "salesMicros",
      p.sums as products, coalesce(s.skus, '{}') as skus
    from ids join ${tableOf('adGroup')} g on g.merchant_id = ${profile.merchantId} and g.id = ids.id
      join ${tableOf('campaign')} c on c.merchant_id = g.merchant_id and c.id = g.campaign_id
      left join ${figuresBy('adGroup', profile, from, to, { keys: sql`array(select id from ids)` })} f on f.key = g.id
      left join products p on p.ad_group_id = g.id left join skus s on s.ad_group_id = g.id
    where ${own('g')}`.execute(tx)
  const account = await accountSums(tx, profile, { from, to })
  const accountAcos = account.salesMicros > 0 ? (100 * account.costMicros) / account.salesMicros : null
  const skus = [...new Set(rows.flatMap(row => row.skus))]
  const units = new Map((await unitEconomics(tx, profile, skus, to)).map(unit => [unit.sku, unit]))
  return new Map(
    rows.map(({ adGroupId, adGroupName, campaignName, defaultBidMicros, ...row }) => {
      const sums = row.products ?? row
      const priced = row.skus.flatMap(sku => units.get(sku) ?? [])
      const orderMicros = sums.orders > 0 ? sums.salesMicros / sums.orders : null
      const standard: GroupStandard = {
        adGroupName,
        campaignName,
        defaultBidMicros,
        cvr: expectedCvr(account, sums),
        priceMicros: highest(priced.map(unit => unit.priceMicros)) ?? orderMicros,
        targetAcos: row.targetAcos ?? accountAcos,
        targetFrom: row.targetAcos !== null ? 'CAMPAIGN' : accountAcos !== null ? 'ACCOUNT' : null,
        breakEvenAcos: highest(priced.map(breakEvenOf)),
      }
      return [adGroupId, standard]
    }),
  )
}

async function accountSums(tx: Db, profile: Profile, { from, to }: Days): Promise<Sums & { costMicros: Micros }> {
  const { rows } = await sql<Sums & { costMicros: Micros }>`
    select coalesce(sum(clicks), 0)::float8 as clicks, coalesce(sum(orders), 0)::float8 as orders,
      coalesce(sum(cost_micros), 0)::float8 as "costMicros", coalesce(sum(sales_micros), 0)::float8 as "salesMicros"
    from ${figuresBy('profile', profile, from, to)} x`.execute(tx)
  return rows[0] ?? { clicks: 0, orders: 0, costMicros: 0, salesMicros: 0 }
}

interface Unit {
  priceMicros: Micros | null
  cogsMicros: Micros | null
  feesMicros: Micros | null
}

/** (price - COGS - fees) ÷ price, in percent; null while a part of it is not known. */
function breakEvenOf({ priceMicros, cogsMicros, feesMicros }: Unit): number | null {
  if (priceMicros === null || priceMicros <= 0 || cogsMicros === null || feesMicros === null) return null
  return (100 * (priceMicros - cogsMicros - feesMicros)) / priceMicros
}

function highest(values: readonly (number | null)[]): number | null {
  const present = values.filter(value => value !== null)
  return present.length ? Math.max(...present) : null
}
