import { createHash, randomUUID } from 'node:crypto'
import type { World } from '../../core/world.ts'
import {
  invalid,
  listOf,
  notFound,
  ok,
  oneOf,
  type Operation,
  pageToken,
  offsetOf,
  type SpRequest,
} from '../operations/operation.ts'
import { isCompressed, isReportType, reportFile } from './report-files.ts'

const DAY_MS = 86_400_000
/** World time that a report waits and is worked on. */
const QUEUE_MS = 1000
const WORK_MS = 2000
/** A file's address is good for five minutes. */
export const FILE_URL_MS = 5 * 60_000

interface Report {
  reportId: string
  sellerId: string
  reportType: string
  marketplaceIds: string[]
  options: Record<string, string>
  from: string
  to: string
  createdAt: number
  documentId: string
  /** What an ordered fault made of it: it never gets on, or fails. */
  fate: 'stuck' | 'failed' | null
}

interface CreateBody {
  reportType?: unknown
  marketplaceIds?: unknown
  dataStartTime?: unknown
  dataEndTime?: unknown
  reportOptions?: unknown
}

const statusOf = (report: Report, now: number): string => {
  const age = now - report.createdAt
  if (report.fate === 'stuck' || age < QUEUE_MS) return 'IN_QUEUE'
  if (age < QUEUE_MS + WORK_MS) return 'IN_PROGRESS'
  return report.fate === 'failed' ? 'FATAL' : 'DONE'
}

const iso = (ms: number): string => new Date(ms).toISOString()

const wireOf = (report: Report, now: number): Record<string, unknown> => {
  const processingStatus = statusOf(report, now)
  const done = processingStatus === 'DONE' || processingStatus === 'FATAL'
  return {
    reportId: report.reportId,
    reportType: report.reportType,
    marketplaceIds: report.marketplaceIds,
    dataStartTime: report.from,
    dataEndTime: report.to,
    createdTime: iso(report.createdAt),
    processingStatus,
    ...(processingStatus !== 'IN_QUEUE' && { processingStartTime: iso(report.createdAt + QUEUE_MS) }),
    ...(done && { processingEndTime: iso(report.createdAt + QUEUE_MS + WORK_MS) }),
    ...(processingStatus === 'DONE' && { reportDocumentId: report.documentId }),
  }
}

const timeIn = (value: unknown, otherwise: number): number =>
  typeof value === 'string' ? Date.parse(value) : otherwise

/** What was asked for, or why not. */
const read = (request: SpRequest): Omit<Report, 'reportId' | 'documentId' | 'createdAt' | 'fate'> | string => {
  const body = (request.body ?? {}) as CreateBody
  const { reportType } = body
  const marketplaceIds = Array.isArray(body.marketplaceIds) ? body.marketplaceIds.map(String) : []
  if (typeof reportType !== 'string' || !isReportType(reportType)) return 'reportType is not supported'
  if (marketplaceIds.length !== 1 || !request.seller.marketplaceIds.includes(marketplaceIds[0] ?? ''))
    return 'marketplaceIds must hold one marketplace of the seller'
  const now = request.now.getTime()
  const [from, to] = [timeIn(body.dataStartTime, now - DAY_MS), timeIn(body.dataEndTime, now)]
  if (!(from <= to)) return 'dataStartTime must not be after dataEndTime'
  const options = Object.entries((body.reportOptions as Record<string, unknown> | undefined) ?? {})
  return {
    sellerId: request.seller.sellerId,
    reportType,
    marketplaceIds,
    options: Object.fromEntries(options.map(([key, value]) => [key, String(value)])),
    from: iso(from),
    to: iso(to),
  }
}

/** Files of reports, for whoever holds an address that is still good. */
export interface ReportFiles {
  /** The file behind an address, or why there is none. */
  open(documentId: string, expires: string, signature: string): { bytes: Buffer } | 'unknown' | 'forbidden'
}

/** The reports of a world and the four operations on them; kept over restarts. */
export const createReports = (world: World): { operations: Operation[]; files: ReportFiles } => {
  let reports = new Map<string, Report>()
  world.keep<Report[]>('selling-partner-reports', {
    dump: () => [...reports.values()],
    restore: kept => {
      reports = new Map(kept.map(report => [report.reportId, report]))
    },
    reset: () => reports.clear(),
  })
  const save = (report: Report): void => {
    // Reports older than three days are gone, as files of the real thing are in time.
    for (const [id, { createdAt }] of reports) if (createdAt < report.createdAt - 3 * DAY_MS) reports.delete(id)
    reports.set(report.reportId, report)
    world.saved('selling-partner-reports')
  }
  const sign = (documentId: string, expires: string): string =>
    createHash('sha256').update(`${documentId}|${expires}|${world.config.sellingPartnerApp}`).digest('hex')
  const own = (request: SpRequest, id: string | undefined): Report | null => {
    const report = reports.get(id ?? '')
    return report?.sellerId === request.seller.sellerId ? report : null
  }

  const create = (request: SpRequest): ReturnType<Operation['answer']> => {
    const wanted = read(request)
    if (typeof wanted === 'string') return invalid(wanted)
    const createdAt = request.now.getTime()
    const reportId = String(50_000_000_000 + reports.size * 17 + (createdAt % 1_000_000) * 1000)
    const fate = request.fault === 'report-stuck' ? 'stuck' : request.fault === 'report-failed' ? 'failed' : null
    save({
      ...wanted,
      reportId,
      createdAt,
      fate,
      documentId: `amzn1.spdoc.1.4.${request.region.toLowerCase()}.${randomUUID()}`,
    })
    return { status: 202, body: { reportId } }
  }
  const get = (request: SpRequest): ReturnType<Operation['answer']> => {
    const report = own(request, request.path.reportId)
    return report ? ok(wireOf(report, request.now.getTime())) : notFound(`Report ${request.path.reportId}`)
  }
  const list = (request: SpRequest): ReturnType<Operation['answer']> => {
    const { query, seller } = request
    const now = request.now.getTime()
    const [types, statuses] = [listOf(query.reportTypes), listOf(query.processingStatuses)]
    const offset = offsetOf(oneOf(query.nextToken))
    const size = Number(oneOf(query.pageSize) ?? 10)
    if (offset === null || !(size >= 1 && size <= 100)) return invalid('nextToken or pageSize is not valid')
    const found = [...reports.values()]
      .filter(report => report.sellerId === seller.sellerId)
      .filter(report => types.length === 0 || types.includes(report.reportType))
      .filter(report => statuses.length === 0 || statuses.includes(statusOf(report, now)))
      .sort((a, b) => b.createdAt - a.createdAt)
    return ok({
      reports: found.slice(offset, offset + size).map(report => wireOf(report, now)),
      ...(offset + size < found.length && { nextToken: pageToken(offset + size) }),
    })
  }
  const document = (request: SpRequest): ReturnType<Operation['answer']> => {
    const id = request.path.reportDocumentId
    const report = [...reports.values()].find(one => one.documentId === id && one.sellerId === request.seller.sellerId)
    if (!report || statusOf(report, request.now.getTime()) !== 'DONE') return notFound(`Document ${id}`)
    const expires = String(request.now.getTime() + FILE_URL_MS)
    const query = new URLSearchParams({ 'X-Amz-Expires': expires, 'X-Amz-Signature': sign(report.documentId, expires) })
    return ok({
      reportDocumentId: report.documentId,
      url: `${request.publicUrl}/s3/sp-reports/${report.documentId}?${query}`,
      ...(isCompressed(report.reportType, report.marketplaceIds[0] ?? '') && { compressionAlgorithm: 'GZIP' }),
    })
  }

  return {
    operations: [
      {
        id: 'createReport',
        method: 'POST',
        url: '/reports/2021-06-30/reports',
        rate: 0.0167,
        burst: 15,
        answer: create,
      },
      { id: 'getReports', method: 'GET', url: '/reports/2021-06-30/reports', rate: 0.0222, burst: 10, answer: list },
      { id: 'getReport', method: 'GET', url: '/reports/2021-06-30/reports/:reportId', rate: 2, burst: 15, answer: get },
      {
        id: 'getReportDocument',
        method: 'GET',
        url: '/reports/2021-06-30/documents/:reportDocumentId',
        rate: 0.0167,
        burst: 15,
        answer: document,
      },
    ],
    files: {
      open(documentId, expires, signature) {
        const report = [...reports.values()].find(one => one.documentId === documentId)
        if (!report) return 'unknown'
        if (signature !== sign(documentId, expires) || Number(expires) < world.clock.now().getTime()) return 'forbidden'
        const { reportType, sellerId, options, marketplaceIds } = report
        const subject = {
          reportType,
          sellerId,
          options,
          marketplaceId: marketplaceIds[0] ?? '',
          from: new Date(report.from),
          to: new Date(report.to),
        }
        return { bytes: reportFile({ ...subject, books: world.books, market: world.market() }) }
      },
    },
  }
}
