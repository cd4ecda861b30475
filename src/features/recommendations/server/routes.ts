import { type Route, route } from '#server/http/route.ts'
import { recommendationEndpoints as endpoints } from '../contract.ts'
import { recommendCategories, recommendKeywords, recommendProducts } from './recommend.ts'

// Each may cost two calls of the marketplace's own quota.
const rateLimit = { max: 60, windowSeconds: 60 }

export const recommendationRoutes: Route[] = [
  route(endpoints.keywords, (ctx, { body }) => recommendKeywords(ctx, body), { rateLimit }),
  route(endpoints.categories, (ctx, { body }) => recommendCategories(ctx, body), { rateLimit }),
  route(endpoints.products, (ctx, { body }) => recommendProducts(ctx, body), { rateLimit }),
]
