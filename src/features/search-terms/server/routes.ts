import { type Route, route } from '#server/http/route.ts'
import { searchTermEndpoints as endpoints } from '../contract.ts'
import { harvestEndpoints } from '../harvest-contract.ts'
import { harvestTerms } from './harvest.ts'
import { suggestTermBids } from './suggest-bids.ts'
import { exportSearchTerms, listAdGroupTerms, listSearchTerms } from './list-search-terms.ts'
import { listWords } from './list-words.ts'

const cached = { cached: true }

export const searchTermRoutes: Route[] = [
  route(endpoints.ofAdGroup, (ctx, { params, query }) => listAdGroupTerms(ctx, params.adGroupId, query), cached),
  route(endpoints.ofAccount, (ctx, { query }) => listSearchTerms(ctx, query), cached),
  route(endpoints.words, (ctx, { query }) => listWords(ctx, query), cached),
  // A file reads all that match.
  route(endpoints.file, (ctx, { query }) => exportSearchTerms(ctx, query), {
    rateLimit: { max: 20, windowSeconds: 60 },
  }),
  // May cost a call of the marketplace's own quota for each ad group.
  route(harvestEndpoints.bids, (ctx, { body }) => suggestTermBids(ctx, body.items), {
    rateLimit: { max: 60, windowSeconds: 60 },
  }),
  route(harvestEndpoints.harvest, (ctx, { body }) => harvestTerms(ctx, body.items)),
]
