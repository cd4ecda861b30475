import { type Route, route } from '#server/http/route.ts'
import { campaignEndpoints as one, campaignListEndpoints as lists } from '../contract.ts'
import { updateAd } from './edit/update-ad.ts'
import { updateAdGroup } from './edit/update-ad-group.ts'
import { updateCampaign } from './edit/update-campaign.ts'
import { updateTarget } from './edit/update-target.ts'
import { chartAdGroup, chartFigures } from './list/chart-figures.ts'
import { getCampaign, pickCampaigns } from './list/get-campaign.ts'
import { listFigures } from './list/list-figures.ts'
import { listNegatives } from './list/list-negatives.ts'
import { adGroupsListing, adsListing, campaignsListing, keywordsListing, targetsListing } from './list/listings.ts'
import { presentAdGroupRow, presentAdRow, presentCampaignRow, presentTargetRow } from './present.ts'

const cached = { cached: true }

export const campaignsRoutes: Route[] = [
  route(
    lists.campaigns,
    (ctx, { query }) => listFigures(ctx, query, campaignsListing(query), presentCampaignRow),
    cached,
  ),
  route(lists.adGroups, (ctx, { query }) => listFigures(ctx, query, adGroupsListing(query), presentAdGroupRow), cached),
  route(lists.ads, (ctx, { query }) => listFigures(ctx, query, adsListing(query), presentAdRow), cached),
  route(lists.keywords, (ctx, { query }) => listFigures(ctx, query, keywordsListing(query), presentTargetRow), cached),
  route(lists.targets, (ctx, { query }) => listFigures(ctx, query, targetsListing(query), presentTargetRow), cached),
  route(lists.negatives, (ctx, { query }) => listNegatives(ctx, query), cached),
  route(lists.campaignChart, (ctx, { query }) => chartFigures(ctx, query, campaignsListing(query)), cached),
  route(lists.adGroupChart, (ctx, { query }) => chartFigures(ctx, query, adGroupsListing(query)), cached),
  route(lists.oneAdGroupChart, (ctx, { params, query }) => chartAdGroup(ctx, params.id, query), cached),
  route(one.pick, ctx => pickCampaigns(ctx), cached),
  route(one.get, (ctx, { params }) => getCampaign(ctx, params.id), cached),
  route(one.update, (ctx, { body }) => updateCampaign(ctx, body)),
  route(one.updateAdGroup, (ctx, { params, body }) => updateAdGroup(ctx, params.id, body)),
  route(one.updateAd, (ctx, { params, query }) => updateAd(ctx, params.id, query.state)),
  route(one.updateKeyword, (ctx, { params, query }) => updateTarget(ctx, 'keyword', { ...params, ...query })),
  route(one.updateTarget, (ctx, { params, query }) => updateTarget(ctx, 'target', { ...params, ...query })),
]
