import { type Route, route } from '#server/http/route.ts'
import { bulkPreviewEndpoints } from '../bulk-contract.ts'
import { campaignListEndpoints as lists } from '../contract.ts'
import { exportEndpoints as files } from '../export-contract.ts'
import { previewBulk } from './bulk/preview-bulk.ts'
import { exportFigures, exportNegatives } from './export/export-list.ts'
import { campaignPageEndpoints as page } from '../page-contract.ts'
import { chartAdGroup, chartFigures } from './list/list-figures.ts'
import { listFigures } from './list/list-figures.ts'
import { listNegatives } from './list/list-negatives.ts'
import { adGroupsListing, adsListing, campaignsListing, keywordsListing, targetsListing } from './list/listings.ts'
import { readBudgetUse } from './page/budget-use.ts'
import { readPlaces } from './page/places.ts'
import { suggestTargetBid } from './page/suggest-target-bid.ts'
import { listWasting } from './page/wasting-targets.ts'

const cached = { cached: true }
// A file reads all that match.
const heavy = { rateLimit: { max: 20, windowSeconds: 60 } }
// Each is a call of the marketplace's own quota.
const suggestionLimit = { max: 60, windowSeconds: 60 }

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
  route(bulkPreviewEndpoints.preview, (ctx, { body }) => previewBulk(ctx, body)),
  route(lists.oneAdGroupChart, (ctx, { params, query }) => chartAdGroup(ctx, params.id, query), cached),
  route(
    files.campaigns,
    (ctx, { query }) => exportFigures(ctx, 'campaigns', query, campaignsListing(query, ctx.clock.now())),
    heavy,
  ),
  route(files.adGroups, (ctx, { query }) => exportFigures(ctx, 'ad groups', query, adGroupsListing(query)), heavy),
  route(files.ads, (ctx, { query }) => exportFigures(ctx, 'ads', query, adsListing(query)), heavy),
  route(files.keywords, (ctx, { query }) => exportFigures(ctx, 'keywords', query, keywordsListing(query)), heavy),
  route(files.targets, (ctx, { query }) => exportFigures(ctx, 'targets', query, targetsListing(query)), heavy),
  route(files.negatives, (ctx, { query }) => exportNegatives(ctx, query), heavy),
  route(page.budgetUse, (ctx, { params }) => readBudgetUse(ctx, params.id)),
  route(page.places, (ctx, { params, query }) => readPlaces(ctx, params.id, query), cached),
  route(page.wasting, (ctx, { query }) => listWasting(ctx, query), cached),
  route(page.suggestedBid, (ctx, { params }) => suggestTargetBid(ctx, params.id), { rateLimit: suggestionLimit }),
]
