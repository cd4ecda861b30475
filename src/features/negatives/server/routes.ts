import { type Route, route } from '#server/http/route.ts'
import { negativeEndpoints as endpoints } from '../contract.ts'
import { createNegatives, deleteNegative, resendNegative } from './create-negatives.ts'
import { previewNegatives } from './preview-negatives.ts'

export const negativeRoutes: Route[] = [
  route(endpoints.createProductKeywords, (ctx, { body }) => createNegatives(ctx, 'SPONSORED_PRODUCTS', body)),
  route(endpoints.createProductTargets, (ctx, { body }) => createNegatives(ctx, 'SPONSORED_PRODUCTS', body)),
  route(endpoints.createBrandKeywords, (ctx, { body }) => createNegatives(ctx, 'SPONSORED_BRANDS', body)),
  route(endpoints.createBrandTargets, (ctx, { body }) => createNegatives(ctx, 'SPONSORED_BRANDS', body)),
  route(endpoints.preview, (ctx, { body }) => previewNegatives(ctx, body)),
  route(endpoints.remove, (ctx, { params }) => deleteNegative(ctx, params.id)),
  route(endpoints.retry, (ctx, { params }) => resendNegative(ctx, params.id)),
]
