import { type Route, route } from '#server/http/route.ts'
import { logEndpoints, optimizerEndpoints } from '../contract.ts'
import { getGroup, listGroups, startGroup, updateGroup } from './group-answers.ts'
import { getLogRow, listLog } from './log.ts'
import { checkTakeover, takeOver } from './takeover.ts'

export const optimizerRoutes: Route[] = [
  route(optimizerEndpoints.takeover, (ctx, { body }) => takeOver(ctx, body)),
  route(optimizerEndpoints.check, (ctx, { query }) => checkTakeover(ctx, query.campaignIds.split(',').map(Number))),
  route(optimizerEndpoints.groups, ctx => listGroups(ctx)),
  route(optimizerEndpoints.group, (ctx, { params }) => getGroup(ctx, params.id)),
  route(optimizerEndpoints.update, (ctx, { params, body }) => updateGroup(ctx, params.id, body)),
  route(optimizerEndpoints.start, (ctx, { params }) => startGroup(ctx, params.id)),
  route(logEndpoints.list, (ctx, { query }) => listLog(ctx, query)),
  route(logEndpoints.get, (ctx, { params }) => getLogRow(ctx, params.id)),
]
