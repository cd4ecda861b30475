import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { faultOf } from '../../core/fault-hooks.ts'
import type { World } from '../../core/world.ts'
import { type AdsCaller, readCaller, readObject } from '../ads-caller.ts'
import { requireMedia } from '../media-types.ts'
import { reportingFailure } from '../ads-failure.ts'
import type { Report, ReportService } from './report-service.ts'
import { fileEndings } from './report-file.ts'
import { readReportRequest } from './report-request.ts'
import type { SignedLinks } from './signed-links.ts'
import { checkedLink, storageError } from './storage.ts'

const createMedia = 'application/vnd.createasyncreportrequest.v3+json'

function filePath({ reportId, createdAt, request }: Report): string {
  const ending = fileEndings[request.configuration.format] ?? ''
  return `/s3/offline-report-storage/${reportId}-${createdAt}/report-${reportId}-${createdAt}.${ending}`
}

async function toWire(world: World, service: ReportService, links: SignedLinks, report: Report): Promise<object> {
  const { name, startDate, endDate, configuration } = report.request
  const status = service.status(report)
  const createdAt = new Date(report.createdAt).toISOString()
  const done = service.generatedAt(report).toISOString()
  const link = status === 'COMPLETED' ? links.sign(filePath(report), world.clock.now()) : null
  return {
    configuration,
    createdAt,
    endDate,
    failureReason: status === 'FAILED' ? 'INTERNAL_ERROR' : null,
    fileSize: link ? (await service.file(report)).length : null,
    generatedAt: link ? done : null,
    name,
    reportId: report.reportId,
    startDate,
    status,
    updatedAt: status === 'PENDING' ? createdAt : done,
    url: link ? world.config.publicUrl + link.target : null,
    urlExpiresAt: link ? link.expiresAt.toISOString() : null,
  }
}

/** Reporting version 3: request, read, cancel. Replies are plain `application/json`, as the real ones are. */
export function registerReports(
  app: FastifyInstance,
  world: World,
  region: RegionKey,
  service: ReportService,
  links: SignedLinks,
): void {
  const ownReport = ({ profile }: AdsCaller, request: FastifyRequest): Report => {
    const { reportId } = request.params as { reportId: string }
    const report = service.find(reportId)
    if (report?.profileId !== profile.profileId) throw reportingFailure(404, `Report ${reportId} was not found`)
    return report
  }

  app.post('/reporting/reports', request => {
    const caller = readCaller(request, world, region)
    requireMedia(request, { takes: [createMedia], gives: null, plain: 'never' })
    const requested = readReportRequest(readObject(request), caller.today)
    const { profileId } = caller.profile
    const waiting = service.duplicate(profileId, requested)
    if (waiting) throw reportingFailure(425, `The Request is a duplicate of : ${waiting.reportId}`)
    const fate = faultOf(request, 'report-stuck') ? 'stuck' : faultOf(request, 'report-failed') ? 'failed' : 'normal'
    return toWire(world, service, links, service.open(profileId, requested, fate))
  })

  app.get('/reporting/reports/:reportId', request =>
    toWire(world, service, links, ownReport(readCaller(request, world, region), request)),
  )

  app.delete('/reporting/reports/:reportId', request => {
    const report = ownReport(readCaller(request, world, region), request)
    if (service.status(report) !== 'PENDING')
      throw reportingFailure(400, `Report ${report.reportId} is not pending and cannot be deleted`)
    service.remove(report.reportId)
    return { code: '200', detail: 'Report deleted', reportId: report.reportId }
  })
}

/** The storage of report files: a signed link that expires, and no other credentials. */
export function registerReportFiles(
  app: FastifyInstance,
  world: World,
  service: ReportService,
  links: SignedLinks,
): void {
  app.get('/s3/offline-report-storage/:folder/:file', async (request, reply) => {
    const refused = checkedLink(request, reply, links, world.clock.now())
    if (refused) return refused
    const { folder } = request.params as { folder: string }
    const report = service.find(folder.slice(0, 36))
    if (!report) return storageError(reply, 404, 'NoSuchKey', 'The specified key does not exist.')
    return reply.type('application/octet-stream').send(await service.file(report))
  })
}
