import { fromMicros } from '#shared/money.ts'
import type { BrandCampaign } from '../../../core/model/brands.ts'
import type { DisplayCampaign } from '../../../core/model/display.ts'
import type { Campaign } from '../../../core/model/store.ts'
import type { AdProduct } from '../../../market/market.ts'
import { type CommonModel, dates, delivery, type ModelContext } from './export-context.ts'

type AnyCampaign = Campaign | BrandCampaign | DisplayCampaign

const strategies: Record<string, string> = {
  LEGACY_FOR_SALES: 'SALES_DOWN_ONLY',
  AUTO_FOR_SALES: 'SALES',
  RULE_BASED: 'RULE_BASED',
}
const placements: Record<string, string> = {
  PLACEMENT_TOP: 'TOP_OF_SEARCH',
  PLACEMENT_PRODUCT_PAGE: 'PRODUCT_PAGE',
  PLACEMENT_REST_OF_SEARCH: 'REST_OF_SEARCH',
  HOME: 'HOME_PAGE',
  DETAIL_PAGE: 'PRODUCT_PAGE',
}

function adjustmentsOf(raised: readonly { placement: string; percentage: number }[]): object {
  return raised.length === 0
    ? {}
    : {
        placementBidAdjustments: raised.map(({ placement, percentage }) => ({
          placement: placements[placement] ?? placement,
          percentage,
        })),
      }
}

function common(adProduct: AdProduct, campaign: AnyCampaign, recurrence: string, context: ModelContext): CommonModel {
  return {
    campaignId: campaign.campaignId,
    ...(campaign.portfolioId && { portfolioId: campaign.portfolioId }),
    adProduct,
    name: campaign.name,
    startDate: campaign.startDate,
    ...(campaign.endDate && { endDate: campaign.endDate }),
    state: campaign.state,
    ...delivery(context.campaignReasons(campaign.campaignId)),
    budgetCaps: {
      recurrenceTimePeriod: recurrence,
      budgetType: 'MONETARY',
      budgetValue: {
        monetaryBudget: { currencyCode: context.profile.currency, amount: fromMicros(campaign.budgetMicros) },
      },
    },
    ...dates(campaign),
  }
}

const tagsOf = (tags: Record<string, string>): object[] => Object.entries(tags).map(([key, value]) => ({ key, value }))

function productsCampaign(campaign: Campaign, context: ModelContext): CommonModel {
  return {
    ...common('SPONSORED_PRODUCTS', campaign, 'DAILY', context),
    optimization: {
      ...(campaign.strategy !== 'MANUAL' && { bidStrategy: strategies[campaign.strategy] }),
      ...adjustmentsOf(campaign.placements),
    },
    targetingSettings: campaign.targetingType,
    tags: tagsOf(campaign.tags),
  }
}

function brandCampaign(campaign: BrandCampaign, context: ModelContext): CommonModel {
  return {
    ...common('SPONSORED_BRANDS', campaign, campaign.budgetType, context),
    ...(campaign.brandEntityId && { brandEntityId: campaign.brandEntityId }),
    costType: campaign.costType,
    optimization: adjustmentsOf(campaign.placements),
    tags: tagsOf(campaign.tags),
  }
}

function displayCampaign(campaign: DisplayCampaign, context: ModelContext): CommonModel {
  return {
    ...common('SPONSORED_DISPLAY', campaign, 'DAILY', context),
    costType: campaign.costType,
    targetingSettings: campaign.tactic,
  }
}

/** Campaigns of the profile, of all ad products, in the common model. */
export function campaignModels(context: ModelContext): CommonModel[] {
  const {
    own,
    world: { store },
  } = context
  return [
    ...own(store.campaigns).map(campaign => productsCampaign(campaign, context)),
    ...own(store.brandCampaigns).map(campaign => brandCampaign(campaign, context)),
    ...own(store.displayCampaigns).map(campaign => displayCampaign(campaign, context)),
  ]
}
