import { type Route, route } from '#server/http/route.ts'
import { viewEndpoints as endpoints } from '../contract.ts'
import { deleteView, listViews, saveView, updateView } from './views.ts'

export const viewRoutes: Route[] = [
  route(endpoints.list, (ctx, { query }) => listViews(ctx, query.list)),
  route(endpoints.create, (ctx, { body }) => saveView(ctx, body)),
  route(endpoints.update, (ctx, { params, body }) => updateView(ctx, params.id, body)),
  route(endpoints.remove, (ctx, { params }) => deleteView(ctx, params.id)),
]
