import { sql } from 'kysely'
import type { openOptimizerScene } from './optimizer-scene.ts'

type Scene = Awaited<ReturnType<typeof openOptimizerScene>>
export interface Chosen {
  id: number
  amazonId: string
  name: string
}

/**
 * The scene's campaigns, the dearest first: two of one product, which find searches and take the proven ones, and the others;
 * and what the marketplace has of them.
 */
export async function choosePair({ services, merchantId, profile, world, today }: Scene) {
  const db = services.db.system
  const { rows } = await sql<Chosen>`select c.id, c.amazon_id as "amazonId", c.name
    from campaign c left join campaign_day d on d.merchant_id = c.merchant_id and d.campaign_id = c.id
    where c.merchant_id = ${merchantId} and c.profile_id = ${profile.profileId}
      and c.ad_type = 'SPONSORED_PRODUCTS' and c.state = 'ENABLED'
    group by c.id, c.amazon_id, c.name order by coalesce(sum(d.cost_micros), 0) desc, c.id`.execute(db)
  const family = ({ name }: Chosen) => name.replace(/ – .*/, '')
  const [pair] = rows
    .filter(one => one.name.endsWith('Auto'))
    .flatMap(auto => {
      const exact = rows.find(one => family(one) === family(auto) && one.name.endsWith('Exact'))
      return exact ? [[auto, exact] as [Chosen, Chosen]] : []
    })
  if (!pair) throw new Error('No two campaigns are of one product.')
  const amazonIdOf = async (id: number | null): Promise<string> => {
    const found = await sql<{ amazonId: string }>`select amazon_id as "amazonId" from target
      where merchant_id = ${merchantId} and id = ${id}`.execute(db)
    return found.rows[0]?.amazonId ?? ''
  }
  return {
    pair,
    others: rows.filter(one => !pair.includes(one)),
    amazonIdOf,
    /**
     * What the marketplace has of the pair, by id: bids, budgets, placements, states and negatives that are not archived. A bid
     * that follows its ad group is that bid: no call gives it back to the ad group.
     */
    setsThere(): Map<string, string> {
      const { campaigns, adGroups, keywords, targets, negativeKeywords, negativeTargets } = world.store
      const ours = new Set(pair.map(one => one.amazonId))
      const sets = new Map<string, string>()
      for (const map of [campaigns, keywords, targets, negativeKeywords, negativeTargets] as Map<string, object>[])
        for (const [id, row] of map) {
          const { campaignId, adGroupId, state, bidMicros, ...more } = row as Record<string, unknown>
          if (!ours.has(String(campaignId)) || state === 'ARCHIVED') continue
          const bid = bidMicros === null ? adGroups.get(String(adGroupId))?.defaultBidMicros : bidMicros
          sets.set(id, JSON.stringify({ state, bid, ...more, updatedAt: 0 }))
        }
      return sets
    },
    async bidThere(id: number | null): Promise<number | undefined> {
      const amazonId = await amazonIdOf(id)
      const { keywords, targets } = world.store
      const micros = keywords.get(amazonId)?.bidMicros ?? targets.get(amazonId)?.bidMicros
      return micros === undefined || micros === null ? undefined : micros / 1e6
    },
    /** A search that the automatic campaign met on the last days, with so many clicks and orders on each. */
    async addSearch(term: string, each: { clicks: number; cost: number; orders: number; sales: number }) {
      await sql`insert into search_term_day (merchant_id, profile_id, campaign_id, ad_group_id, target_id, search_term, date,
          impressions, clicks, cost_micros, sales_micros, orders, units)
        select t.merchant_id, t.profile_id, t.campaign_id, t.ad_group_id, t.id, ${term}, ${today()}::date - n, 100,
          ${each.clicks}::int, ${each.cost * 1e6}::bigint, ${each.sales * 1e6}::bigint, ${each.orders}::int, ${each.orders}::int
        from (select * from target where merchant_id = ${merchantId} and campaign_id = ${pair[0].id} and state = 'ENABLED'
          order by id limit 1) t cross join generate_series(1, 40, 1) n`.execute(db)
    },
    budgetThere: ({ amazonId }: Chosen): number => (world.store.campaigns.get(amazonId)?.budgetMicros ?? 0) / 1e6,
  }
}
