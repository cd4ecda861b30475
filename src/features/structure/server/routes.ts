import { type Route, route } from '#server/http/route.ts'
import { changeEndpoints as changes, structureEndpoints as endpoints } from '../contract.ts'
import { listChanges } from './changes/list-changes.ts'
import { updateCampaign } from './edit/update-campaign.ts'
import { updateAd, updateAdGroup, updateTarget } from './edit/update-contents.ts'
import { getCampaign, pickCampaigns } from './read-campaigns.ts'

const cached = { cached: true }

export const structureRoutes: Route[] = [
  route(endpoints.pick, ctx => pickCampaigns(ctx), cached),
  route(endpoints.get, (ctx, { params }) => getCampaign(ctx, params.id), cached),
  route(endpoints.updateCampaign, (ctx, { body }) => updateCampaign(ctx, body)),
  route(endpoints.updateAdGroup, (ctx, { params, body }) => updateAdGroup(ctx, params.id, body)),
  route(endpoints.updateAd, (ctx, { params, query }) => updateAd(ctx, params.id, query.state)),
  route(endpoints.updateKeyword, (ctx, { params, query }) => updateTarget(ctx, 'keyword', { ...params, ...query })),
  route(endpoints.updateTarget, (ctx, { params, query }) => updateTarget(ctx, 'target', { ...params, ...query })),
  route(changes.list, (ctx, { query }) => listChanges(ctx, query), cached),
]
