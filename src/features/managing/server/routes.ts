import { type Route, route } from '#server/http/route.ts'
import { auditLogEndpoints, managingEndpoints as managing } from '../contract.ts'
import { getAuditLog } from './audit-log.ts'
import { assignUsers, getManaged, getManagerUsers, getStatus, startManaging, stopManaging } from './manage.ts'
import { findUsers, getManageableUser } from './users.ts'

const firstPage = { page: 0, size: 50 }

export const managingRoutes: Route[] = [
  route(managing.users, (ctx, { query: { page, size, ...filter } }) => findUsers(ctx, filter, { page, size })),
  route(managing.search, (ctx, { query: { query } }) => findUsers(ctx, { text: query }, firstPage)),
  route(managing.user, (ctx, { params }) => getManageableUser(ctx, params.id)),
  route(managing.manage, (ctx, { params }) => startManaging(ctx, params.id)),
  route(managing.clear, ctx => stopManaging(ctx)),
  route(managing.current, ctx => getManaged(ctx)),
  route(managing.status, ctx => getStatus(ctx)),
  route(managing.managerUsers, (ctx, { params }) => getManagerUsers(ctx, params.id)),
  route(managing.assignUsers, (ctx, { params, body }) => assignUsers(ctx, params.id, body)),
  route(auditLogEndpoints.own, (ctx, { query }) => getAuditLog(ctx, query)),
]
