import { type Route, route } from '#server/http/route.ts'
import { adminReportEndpoints as admin } from '../admin-contract.ts'
import { reportEndpoints as endpoints } from '../contract.ts'
import { downloadAdminReport, listAdminReports, requestAsinReport } from './admin-reports.ts'
import { downloadReport, fileOfLink, signedLink } from './files.ts'
import { getReport, listReports, removeReport, restoreReport } from './report-rows.ts'
import { listSchedules, pauseSchedule, removeSchedule, requestReport, retryReport } from './request-report.ts'

const heavy = { rateLimit: { max: 20, windowSeconds: 60 } }

export const reportRoutes: Route[] = [
  route(endpoints.create, (ctx, { body }) => requestReport(ctx, body), heavy),
  route(endpoints.list, (ctx, { query }) => listReports(ctx, query)),
  route(endpoints.search, (ctx, { query }) => listReports(ctx, query)),
  route(endpoints.one, (ctx, { params }) => getReport(ctx, params.id)),
  route(endpoints.remove, (ctx, { params }) => removeReport(ctx, params.id)),
  route(endpoints.restore, (ctx, { params }) => restoreReport(ctx, params.id)),
  route(endpoints.retry, (ctx, { params }) => retryReport(ctx, params.id), heavy),
  route(endpoints.download, (ctx, { params }) => downloadReport(ctx, params.id)),
  route(endpoints.downloadUrl, (ctx, { params }) => signedLink(ctx, params.id)),
  route(endpoints.file, (ctx, input) => fileOfLink(ctx, input), heavy),
  route(endpoints.schedules, ctx => listSchedules(ctx)),
  route(endpoints.updateSchedule, (ctx, { params, body }) => pauseSchedule(ctx, params.id, body.isPaused)),
  route(endpoints.removeSchedule, (ctx, { params }) => removeSchedule(ctx, params.id)),
  route(admin.request, (ctx, { body }) => requestAsinReport(ctx, body), heavy),
  route(admin.list, (ctx, { query }) => listAdminReports(ctx, query)),
  route(admin.download, (ctx, { params }) => downloadAdminReport(ctx, params.id), heavy),
]
