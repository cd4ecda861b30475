import { type Route, route } from '#server/http/route.ts'
import { launchEndpoints as endpoints } from '../contract.ts'
import { draftEndpoints } from '../draft-contract.ts'
import { retryLaunch, undoLaunch } from './change-launch.ts'
import { createLaunch } from './create-launch.ts'
import { getDraft, removeDraft, saveDraft } from './drafts/draft.ts'
import { getLaunch, listCalls, listLaunches } from './log/read-launches.ts'
import { getMargins, previewLaunch } from './preview-launch.ts'

const rateLimit = { max: 60, windowSeconds: 60 }

export const launchRoutes: Route[] = [
  route(endpoints.create, (ctx, { body }) => createLaunch(ctx, body), { rateLimit }),
  route(endpoints.preview, (ctx, { body }) => previewLaunch(ctx, body), { rateLimit }),
  route(endpoints.margins, (ctx, { body }) => getMargins(ctx, body.skus)),
  route(endpoints.get, (ctx, { params, query }) => getLaunch(ctx, params.id, query)),
  route(endpoints.retry, (ctx, { params }) => retryLaunch(ctx, params.id), { rateLimit }),
  route(endpoints.undo, (ctx, { params, query }) => undoLaunch(ctx, params.id, query), { rateLimit }),
  route(endpoints.calls, (ctx, { params, query }) => listCalls(ctx, params.id, query)),
  route(endpoints.log, (ctx, { query }) => listLaunches(ctx, query)),
  route(draftEndpoints.get, ctx => getDraft(ctx)),
  route(draftEndpoints.save, (ctx, { body }) => saveDraft(ctx, body)),
  route(draftEndpoints.remove, (ctx, { query }) => removeDraft(ctx, query.id)),
]
