import { type Route, route } from '#server/http/route.ts'
import { draftEndpoints as endpoints } from '../contract.ts'
import { getDraft, removeDraft, saveDraft } from './draft.ts'

export const wizardRoutes: Route[] = [
  route(endpoints.get, ctx => getDraft(ctx)),
  route(endpoints.save, (ctx, { body }) => saveDraft(ctx, body)),
  route(endpoints.remove, (ctx, { query }) => removeDraft(ctx, query.id)),
]
