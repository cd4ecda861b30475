import { type Route, route } from '#server/http/route.ts'
import { searchTermEndpoints as endpoints } from '../contract.ts'
import { listAdGroupTerms, listSearchTerms } from './list-search-terms.ts'
import { listWords } from './list-words.ts'

const cached = { cached: true }

export const searchTermRoutes: Route[] = [
  route(endpoints.ofAdGroup, (ctx, { params, query }) => listAdGroupTerms(ctx, params.adGroupId, query), cached),
  route(endpoints.ofAccount, (ctx, { query }) => listSearchTerms(ctx, query), cached),
  route(endpoints.words, (ctx, { query }) => listWords(ctx, query), cached),
]
