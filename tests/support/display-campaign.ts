import type { World } from '#sandbox/core/world.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import { importStructure } from '#features/structure/server/public.ts'
import type { Services } from '#server/context.ts'

/** A running campaign of Sponsored Display with a product target, at the marketplace and mirrored. */
export async function addDisplayCampaign(world: World, services: Services, profile: Profile) {
  const [campaignId, adGroupId, targetId] = ['7300000000000001', '7300000000000011', '7300000000000021']
  const now = world.clock.now().getTime()
  const profileId = Number(profile.amazonProfileId)
  const common = { profileId, campaignId, state: 'ENABLED', createdAt: now, updatedAt: now } as const
  const parents = { ...common, adGroupId }
  world.change(() => {
    const { displayCampaigns, displayAdGroups, displayTargets } = world.store
    displayCampaigns.set(campaignId, {
      ...common,
      name: 'Display',
      tactic: 'T00020',
      costType: 'CPC',
      budgetMicros: 50e6,
      startDate: '2026-10-20',
      endDate: null,
      portfolioId: null,
    })
    displayAdGroups.set(adGroupId, {
      ...parents,
      name: 'Display group',
      defaultBidMicros: 1e6,
      bidOptimization: 'CLICKS',
      creativeType: null,
    })
    const expression = [{ type: 'asinSameAs', value: 'B0AAAAAA10' }]
    displayTargets.set(targetId, { ...parents, targetId, expression, expressionType: 'MANUAL', bidMicros: 1e6 })
  })
  await importStructure(services, profile, { signal: AbortSignal.timeout(60_000), onProgress: async () => undefined })
  const row = await services.db.system
    .selectFrom('target')
    .select(['id', 'campaign_id as campaignId'])
    .where('amazon_id', '=', targetId)
    .executeTakeFirstOrThrow()
  return { campaignId: row.campaignId, targetId: row.id }
}
