import { type Route, route } from '#server/http/route.ts'
import { campaignListEndpoints as lists } from '../contract.ts'
import { chartAdGroup, chartFigures } from './list/list-figures.ts'
import { listFigures } from './list/list-figures.ts'
import { listNegatives } from './list/list-negatives.ts'
import { adGroupsListing, adsListing, campaignsListing, keywordsListing, targetsListing } from './list/listings.ts'

const cached = { cached: true }

export const campaignsRoutes: Route[] = [
  route(lists.campaigns, (ctx, { query }) => listFigures(ctx, query, campaignsListing(query, ctx.clock.now())), cached),
  route(lists.adGroups, (ctx, { query }) => listFigures(ctx, query, adGroupsListing(query)), cached),
  route(lists.ads, (ctx, { query }) => listFigures(ctx, query, adsListing(query)), cached),
  route(lists.keywords, (ctx, { query }) => listFigures(ctx, query, keywordsListing(query)), cached),
  route(lists.targets, (ctx, { query }) => listFigures(ctx, query, targetsListing(query)), cached),
  route(lists.negatives, (ctx, { query }) => listNegatives(ctx, query), cached),
  route(
    lists.campaignChart,
    (ctx, { query }) => chartFigures(ctx, query, campaignsListing(query, ctx.clock.now())),
    cached,
  ),
  route(lists.adGroupChart, (ctx, { query }) => chartFigures(ctx, query, adGroupsListing(query)), cached),
  route(lists.oneAdGroupChart, (ctx, { params, query }) => chartAdGroup(ctx, params.id, query), cached),
]
