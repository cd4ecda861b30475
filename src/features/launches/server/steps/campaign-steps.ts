import type { Bidding, Campaign, NewCampaign } from '#integrations/amazon-ads/index.ts'
import type { ItemContent } from '../../plan/launch-items.ts'
import type { LaunchRun } from '../run/launch-run.ts'
import { campaignIdsOf, contentOf, matchBy, type PlacedItem, type StepDriver } from './step-driver.ts'

type CampaignContent = Extract<ItemContent, { kind: 'CAMPAIGN' }>

const TAG = 'tideline-launch'

/** What marks a campaign as made by this item of this launch. */
const markOf = ({ key }: LaunchRun, item: PlacedItem): string => `${key.merchantId}-${key.launchId}-${item.no}`

/** The bidding that a campaign of a launch begins with. */
export function biddingOf(content: CampaignContent): Bidding {
  return {
    strategy: content.biddingStrategy,
    placements: content.topOfSearchPercent
      ? [{ placement: 'TOP_OF_SEARCH', percentage: content.topOfSearchPercent }]
      : [],
    audiences: [],
  }
}

function toNew(run: LaunchRun, item: PlacedItem): NewCampaign {
  const content = contentOf(item, 'CAMPAIGN')
  return {
    name: content.name,
    state: 'PAUSED',
    targetingType: content.targetingType,
    dailyBudgetMicros: content.dailyBudgetMicros,
    bidding: biddingOf(content),
    tags: { [TAG]: markOf(run, item) },
  }
}

// A campaign with the name is ours when it has our tag; where tags are not returned, when it is as we sent it.
function isOurs(run: LaunchRun, item: PlacedItem, campaign: Campaign): boolean {
  if (campaign.state === 'ARCHIVED') return false
  const mark = campaign.tags[TAG]
  if (mark !== undefined) return mark === markOf(run, item)
  const content = contentOf(item, 'CAMPAIGN')
  return (
    Object.keys(campaign.tags).length === 0 &&
    item.attempts > 1 &&
    campaign.targetingType === content.targetingType &&
    campaign.dailyBudgetMicros === content.dailyBudgetMicros
  )
}

/** Campaigns, made paused and marked. */
export const campaignStep: StepDriver = {
  name: 'CAMPAIGNS',
  send: (run, items) => run.ads.campaigns.create(items.map(item => toNew(run, item))),
  find: async (run, items) => {
    const found = new Map<number, string>()
    for (const item of items) {
      const listed = await run.ads.findCampaigns(contentOf(item, 'CAMPAIGN').name)
      const ours = listed.find(campaign => isOurs(run, item, campaign))
      if (ours) found.set(item.no, ours.campaignId)
    }
    return found
  },
}

/** The last step: from here on the campaigns spend. */
export const enableStep: StepDriver = {
  name: 'ENABLE',
  isRepeatable: true,
  send: (run, items) =>
    run.ads.campaigns.update(items.map(({ campaignId }) => ({ campaignId, state: 'ENABLED' as const }))),
  find: async (run, items) =>
    matchBy(
      items,
      await run.ads.campaigns.all({ ids: campaignIdsOf(items), states: ['ENABLED'] }),
      item => item.campaignId,
      campaign => campaign.campaignId,
      campaign => campaign.campaignId,
    ),
}
