import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import { reportingFailure } from '../ads-failure.ts'
import { readCaller, readObject } from '../ads-caller.ts'
import { requireMedia } from '../media-types.ts'
import { fateOf } from './file-orders.ts'
import type { Report, ReportService } from './report-service.ts'
import { fileEndings } from './report-file.ts'
import { readReportRequest } from './report-request.ts'

const createMedia = 'application/vnd.createasyncreportrequest.v3+json'

function filePath({ id, createdAt, request }: Report): string {
  const ending = fileEndings[request.configuration.format] ?? ''
  return `/s3/offline-report-storage/${id}-${createdAt}/report-${id}-${createdAt}.${ending}`
}

async function toWire(service: ReportService, report: Report): Promise<object> {
  const { name, startDate, endDate, configuration } = report.request
  const status = service.statusOf(report)
  const createdAt = new Date(report.createdAt).toISOString()
  const done = service.generatedAt(report).toISOString()
  const link = status === 'COMPLETED' ? service.linkTo(filePath(report)) : null
  return {
    configuration,
    createdAt,
    endDate,
    failureReason: status === 'FAILED' ? 'INTERNAL_ERROR' : null,
    fileSize: link ? (await service.file(report)).length : null,
    generatedAt: link ? done : null,
    name,
    reportId: report.id,
    startDate,
    status,
    updatedAt: status === 'PENDING' ? createdAt : done,
    url: null,
    urlExpiresAt: null,
    ...link,
  }
}

/** Reporting version 3: request, read, cancel. Replies are plain `application/json`, as the real ones are. */
export function registerReports(app: FastifyInstance, world: World, region: RegionKey, service: ReportService): void {
  const ownReport = (request: FastifyRequest): Report => {
    const { profile } = readCaller(request, world, region)
    const { reportId } = request.params as { reportId: string }
    const report = service.find(reportId)
    if (report?.profileId !== profile.profileId) throw reportingFailure(404, `Report ${reportId} was not found`)
    return report
  }

  app.post('/reporting/reports', request => {
    const { profile, today } = readCaller(request, world, region)
    requireMedia(request, { takes: [createMedia], gives: null, plain: 'never' })
    const requested = readReportRequest(readObject(request), today)
    const waiting = service.duplicate(profile.profileId, requested)
    if (waiting) throw reportingFailure(425, `The Request is a duplicate of : ${waiting.id}`)
    return toWire(service, service.open(profile.profileId, requested, fateOf(request)))
  })

  app.get('/reporting/reports/:reportId', request => toWire(service, ownReport(request)))

  app.delete('/reporting/reports/:reportId', request => {
    const report = ownReport(request)
    if (service.statusOf(report) !== 'PENDING')
      throw reportingFailure(400, `Report ${report.id} is not pending and cannot be deleted`)
    service.remove(report.id)
    return { code: '200', detail: 'Report deleted', reportId: report.id }
  })
}

/** The storage of report files. */
export function registerReportFiles(app: FastifyInstance, service: ReportService): void {
  service.serve(app, '/s3/offline-report-storage/:folder/:file', ({ folder = '' }) => {
    const report = service.find(folder.slice(0, 36))
    return report && service.file(report)
  })
}
