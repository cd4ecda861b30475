import { type Route, route } from '#server/http/route.ts'
import { bulkEndpoints as bulk, changeEndpoints as changes, structureEndpoints as endpoints } from '../contract.ts'
import { changeDays, listChanges } from './changes/list-changes.ts'
import { readGroup } from './changes/read-group.ts'
import { retryGroup } from './changes/retry-group.ts'
import { undoChanges } from './changes/undo-changes.ts'
import { bulkEdit } from './edit/bulk-edit.ts'
import { updateAd, updateAdGroup, updateCampaign, updateTarget } from './edit/edit-row.ts'
import { requestSynchronization } from './import/synchronize.ts'
import { getCampaign, listPortfolios, pickCampaigns } from './read-campaigns.ts'

const cached = { cached: true }

export const structureRoutes: Route[] = [
  route(endpoints.pick, ctx => pickCampaigns(ctx), cached),
  route(endpoints.get, (ctx, { params }) => getCampaign(ctx, params.id), cached),
  route(endpoints.synchronize, ctx => requestSynchronization(ctx)),
  route(endpoints.updateCampaign, (ctx, { body }) => updateCampaign(ctx, body, ctx.saveAnswer)),
  route(endpoints.updateAdGroup, (ctx, { params, body }) => updateAdGroup(ctx, params.id, body, ctx.saveAnswer)),
  route(endpoints.updateAd, (ctx, { params, query }) => updateAd(ctx, params.id, query.state, ctx.saveAnswer)),
  route(endpoints.updateKeyword, (ctx, { params, query }) =>
    updateTarget(ctx, 'keyword', { ...params, ...query }, ctx.saveAnswer),
  ),
  route(endpoints.updateTarget, (ctx, { params, query }) =>
    updateTarget(ctx, 'target', { ...params, ...query }, ctx.saveAnswer),
  ),
  route(changes.days, (ctx, { query }) => changeDays(ctx, query), cached),
  route(changes.list, (ctx, { query }) => listChanges(ctx, query), cached),
  route(changes.group, (ctx, { params, query }) => readGroup(ctx, params.groupId, query)),
  route(changes.retryGroup, (ctx, { params }) => retryGroup(ctx, params.groupId)),
  route(changes.undoGroup, (ctx, { params, body }) => undoChanges(ctx, params, body)),
  route(changes.undo, (ctx, { params, body }) => undoChanges(ctx, params, body)),
  route(bulk.portfolios, ctx => listPortfolios(ctx)),
  route(bulk.bulk, (ctx, { query, body }) => bulkEdit(ctx, body, query.groupId)),
]
