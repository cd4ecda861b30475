import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { faultOf } from '../../core/fault-hooks.ts'
import type { World } from '../../core/world.ts'
import { type AdsCaller, readCaller, readObject } from '../ads-caller.ts'
import { requireMedia } from '../media-types.ts'
import { reportingFailure } from '../ads-failure.ts'
import type { Report, ReportDesk } from './report-desk.ts'
import { fileEndings } from './report-file.ts'
import { readReportRequest } from './report-request.ts'
import type { SignedLinks } from './signed-links.ts'
import { checkedLink, storageError } from './storage.ts'

const createMedia = 'application/vnd.createasyncreportrequest.v3+json'

const filePath = ({ reportId, createdAt, request }: Report): string => {
  const ending = fileEndings[request.configuration.format] ?? ''
  return `/s3/offline-report-storage/${reportId}-${createdAt}/report-${reportId}-${createdAt}.${ending}`
}

const toWire = async (world: World, desk: ReportDesk, links: SignedLinks, report: Report): Promise<object> => {
  const { name, startDate, endDate, configuration } = report.request
  const status = desk.status(report)
  const createdAt = new Date(report.createdAt).toISOString()
  const done = desk.generatedAt(report).toISOString()
  const link = status === 'COMPLETED' ? links.sign(filePath(report), world.clock.now()) : null
  return {
    configuration,
    createdAt,
    endDate,
    failureReason: status === 'FAILED' ? 'INTERNAL_ERROR' : null,
    fileSize: link ? (await desk.file(report)).length : null,
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

/** Reporting version 3: ask, look, take back. Replies are plain `application/json`, as the real ones are. */
export const registerReports = (
  app: FastifyInstance,
  world: World,
  region: RegionKey,
  desk: ReportDesk,
  links: SignedLinks,
): void => {
  const ownReport = ({ profile }: AdsCaller, request: FastifyRequest): Report => {
    const { reportId } = request.params as { reportId: string }
    const report = desk.find(reportId)
    if (report?.profileId !== profile.profileId) throw reportingFailure(404, `Report ${reportId} was not found`)
    return report
  }

  app.post('/reporting/reports', request => {
    const caller = readCaller(request, world, region)
    requireMedia(request, { takes: [createMedia], gives: null, plain: 'never' })
    const wanted = readReportRequest(readObject(request), caller.today)
    const { profileId } = caller.profile
    const waiting = desk.duplicate(profileId, wanted)
    if (waiting) throw reportingFailure(425, `The Request is a duplicate of : ${waiting.reportId}`)
    const fate = faultOf(request, 'report-stuck') ? 'stuck' : faultOf(request, 'report-failed') ? 'failed' : 'normal'
    return toWire(world, desk, links, desk.open(profileId, wanted, fate))
  })

  app.get('/reporting/reports/:reportId', request =>
    toWire(world, desk, links, ownReport(readCaller(request, world, region), request)),
  )

  app.delete('/reporting/reports/:reportId', request => {
    const report = ownReport(readCaller(request, world, region), request)
    if (desk.status(report) !== 'PENDING')
      throw reportingFailure(400, `Report ${report.reportId} is not pending and cannot be deleted`)
    desk.remove(report.reportId)
    return { code: '200', detail: 'Report deleted', reportId: report.reportId }
  })
}

/** The storage of report files: a signed link that expires, and no other credentials beside it. */
export const registerReportFiles = (app: FastifyInstance, world: World, desk: ReportDesk, links: SignedLinks): void => {
  app.get('/s3/offline-report-storage/:folder/:file', async (request, reply) => {
    const refused = checkedLink(request, reply, links, world.clock.now())
    if (refused) return refused
    const { folder } = request.params as { folder: string }
    const report = desk.find(folder.slice(0, 36))
    if (!report) return storageError(reply, 404, 'NoSuchKey', 'The specified key does not exist.')
    return reply.type('application/octet-stream').send(await desk.file(report))
  })
}
