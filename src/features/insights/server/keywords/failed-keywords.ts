import { sql } from 'kysely'
import type { Profile } from '#features/accounts/server/public.ts'
import { figuresBy, metricColumns } from '#features/metrics/server/public.ts'
import { judgeKeyword, type Verdict, verdictThresholds } from '#features/search-terms/contract.ts'
import { type GroupStandard, keywordStandards } from '#features/search-terms/server/public.ts'
import { tableOf } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { FigureSums } from '#shared/metrics.ts'
import type { Days } from './keyword-rows.ts'
import { rememberRows } from './remember-rows.ts'

/** A keyword that fails a test of its sales. */
export interface Failed extends FigureSums {
  id: number
  adGroupId: number
  verdict: Verdict
  standard: GroupStandard
}

// Of all accounts together; an account with more failed keywords is judged again each time.
const remembered = rememberRows<readonly Failed[]>(40_000, failed => failed.length)

/**
 * All running keywords that fail a test of their sales, in any order. They are judged once for as long as the merchant's data
 * stay the same: each page, order and test of a screen shows the same judgment.
 */
export const failedKeywords = (tx: Db, profile: Profile, days: Days): Promise<readonly Failed[]> =>
  remembered(tx, profile, [days.from, days.to], () => judgeKeywords(tx, profile, days))

const isRunning = (
  profile: Profile,
) => sql`t.merchant_id = ${profile.merchantId} and t.profile_id = ${profile.profileId}
  and t.state = 'ENABLED' and c.state = 'ENABLED' and g.state = 'ENABLED'`
const parents = sql`join ${tableOf('campaign')} c on c.merchant_id = t.merchant_id and c.id = t.campaign_id
  join ${tableOf('adGroup')} g on g.merchant_id = t.merchant_id and g.id = t.ad_group_id`
const sums = sql.join(metricColumns.map(({ column, field }) => sql`f.${sql.ref(column)}::float8 as ${sql.ref(field)}`))

async function judgeKeywords(tx: Db, profile: Profile, days: Days): Promise<Failed[]> {
  const { leastClicks, leastOrders, tooDear } = verdictThresholds
  // Those that may fail, with some to spare: the tests themselves are in one place and need the standards. By the lowest
  // limit of any campaign first, so that only the keywords of few rows are looked up.
  const { rows } = await sql<Omit<Failed, 'verdict' | 'standard'>>`
    with a as materialized (select sum(cost_micros) / nullif(sum(sales_micros), 0) as acos
      from ${figuresBy('profile', profile, days.from, days.to)} x),
    l as materialized (select least(a.acos, (select min(c.target_acos) / 100 from ${tableOf('campaign')} c
      where c.merchant_id = ${profile.merchantId} and c.profile_id = ${profile.profileId})) as acos from a),
    m as materialized (select f.* from ${figuresBy('target', profile, days.from, days.to, { isAlone: true })} f
      where f.cost_micros > 0 and ((f.orders = 0 and f.clicks >= ${leastClicks}) or (f.orders >= ${leastOrders}
        and f.cost_micros > f.sales_micros * coalesce(0.9 * ${tooDear}::float8 * (select acos from l), 0))))
    select t.id, t.ad_group_id as "adGroupId", ${sums}
    from m f cross join a join ${tableOf('target')} t on t.id = f.key ${parents}
    where ${isRunning(profile)} and (f.orders = 0
      or f.cost_micros > f.sales_micros * coalesce(0.9 * ${tooDear}::float8 * coalesce(c.target_acos / 100, a.acos), 0))`.execute(
    tx,
  )
  const standards = await keywordStandards(tx, profile, days, [...new Set(rows.map(row => row.adGroupId))])
  return rows.flatMap(row => {
    const standard = standards.get(row.adGroupId)
    const verdict = standard && judgeKeyword(row, standard)
    return verdict ? [{ ...row, verdict, standard }] : []
  })
}
