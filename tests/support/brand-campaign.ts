import { sql } from 'kysely'
import type { World } from '#sandbox/core/world.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'

const campaignId = '7100000000000001'
const adGroupId = '7100000000000011'

/** A running campaign of Sponsored Brands with keywords, at the marketplace and mirrored; our ids. */
export async function addBrandCampaign(world: World, { db }: Services, profile: Profile, keywords = 0) {
  const at = world.clock.now().getTime()
  const profileId = Number(profile.amazonProfileId)
  const common = { profileId, campaignId, state: 'ENABLED', createdAt: at, updatedAt: at } as const
  const parents = { ...common, adGroupId }
  world.change(() => {
    world.store.brandCampaigns.set(campaignId, {
      ...common,
      name: 'Brand',
      budgetMicros: 90e6,
      budgetType: 'DAILY',
      costType: 'CPC',
      goal: 'PAGE_VISIT',
      brandEntityId: 'ENTITYTEST',
      bidOptimization: true,
      placements: [],
      productLocation: null,
      startDate: '2026-10-20',
      endDate: null,
      portfolioId: null,
      tags: {},
    })
    world.store.brandAdGroups.set(adGroupId, { ...parents, name: 'Brand group' })
    for (let n = 0; n < keywords; n++) {
      const keywordId = String(7_200_000_000_000_000 + n)
      const words = { keywordId, keywordText: `brand keyword ${n}`, matchType: 'BROAD', bidMicros: 1e6 } as const
      world.store.brandKeywords.set(keywordId, { ...parents, ...words })
    }
  })
  const owner = sql`${profile.merchantId}::bigint, ${profile.profileId}::bigint`
  const existing = sql`on conflict (merchant_id, profile_id, amazon_id) do update set state = excluded.state returning id`
  const idOf = async (insert: ReturnType<typeof sql<{ id: number }>>) =>
    (await insert.execute(db.system)).rows[0]?.id ?? 0
  const ourCampaignId =
    await idOf(sql`insert into campaign (merchant_id, profile_id, amazon_id, name, state, targeting_type, ad_type)
    select ${owner}, ${campaignId}, 'Brand', 'ENABLED', 'MANUAL', 'SPONSORED_BRANDS' ${existing}`)
  const ourAdGroupId =
    await idOf(sql`insert into ad_group (merchant_id, profile_id, campaign_id, ad_type, amazon_id, name, state)
    select ${owner}, ${ourCampaignId}::bigint, 'SPONSORED_BRANDS', ${adGroupId}, 'Brand group', 'ENABLED' ${existing}`)
  await sql`insert into target (merchant_id, profile_id, campaign_id, ad_group_id, ad_type, amazon_id, kind, text, match_type, state, bid_micros)
    select ${owner}, ${ourCampaignId}::bigint, ${ourAdGroupId}::bigint, 'SPONSORED_BRANDS', (7200000000000000 + n)::text, 'KEYWORD', 'brand keyword ' || n,
      'BROAD', 'ENABLED', 1000000 from generate_series(0, ${keywords}::int - 1) n ${existing}`.execute(db.system)
  return { campaignId: ourCampaignId, adGroupId: ourAdGroupId }
}
