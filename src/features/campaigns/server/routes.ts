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

const kept = { kept: true }

export const campaignsRoutes: Route[] = [
  route(
    lists.campaigns,
    (ctx, { query }) => listFigures(ctx, query, campaignsListing(query), presentCampaignRow),
    kept,
  ),
  route(lists.adGroups, (ctx, { query }) => listFigures(ctx, query, adGroupsListing(query), presentAdGroupRow), kept),
  route(lists.ads, (ctx, { query }) => listFigures(ctx, query, adsListing(query), presentAdRow), kept),
  route(lists.keywords, (ctx, { query }) => listFigures(ctx, query, keywordsListing(query), presentTargetRow), kept),
  route(lists.targets, (ctx, { query }) => listFigures(ctx, query, targetsListing(query), presentTargetRow), kept),
  route(lists.negatives, (ctx, { query }) => listNegatives(ctx, query), kept),
  route(lists.campaignChart, (ctx, { query }) => chartFigures(ctx, query, campaignsListing(query)), kept),
  route(lists.adGroupChart, (ctx, { query }) => chartFigures(ctx, query, adGroupsListing(query)), kept),
  route(lists.oneAdGroupChart, (ctx, { params, query }) => chartAdGroup(ctx, params.id, query), kept),
  route(one.pick, ctx => pickCampaigns(ctx), kept),
  route(one.get, (ctx, { params }) => getCampaign(ctx, params.id), kept),
  route(one.update, (ctx, { body }) => updateCampaign(ctx, body)),
  route(one.updateAdGroup, (ctx, { params, body }) => updateAdGroup(ctx, params.id, body)),
  route(one.updateAd, (ctx, { params, query }) => updateAd(ctx, params.id, query.state)),
  route(one.updateKeyword, (ctx, { params, query }) => updateTarget(ctx, 'keyword', { ...params, ...query })),
  route(one.updateTarget, (ctx, { params, query }) => updateTarget(ctx, 'target', { ...params, ...query })),
]
