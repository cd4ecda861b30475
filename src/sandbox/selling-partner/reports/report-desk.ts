import { createHash, randomInt, randomUUID } from 'node:crypto'
import type { World } from '../../core/world.ts'
import {
  invalid,
  listOf,
  notFound,
  offsetOf,
  ok,
  oneOf,
  type Operation,
  pageToken,
  type SpAnswer,
  type SpRequest,
} from '../operations/operation.ts'
import { type Report, readOrder, statusOf, wireOf } from './report.ts'
import { isCompressed, reportFile } from './report-files.ts'

const KEPT = 'selling-partner-reports'
const KEPT_MS = 3 * 86_400_000
/** A file's address is good for five minutes. */
const FILE_URL_MS = 5 * 60_000

/** Takes orders for reports, says how they stand, and hands out their files. Kept over restarts. */
export class ReportDesk {
  readonly operations: Operation[] = [
    {
      id: 'createReport',
      method: 'POST',
      url: '/reports/2021-06-30/reports',
      rate: 0.0167,
      burst: 15,
      answer: request => this.create(request),
    },
    {
      id: 'getReports',
      method: 'GET',
      url: '/reports/2021-06-30/reports',
      rate: 0.0222,
      burst: 10,
      answer: request => this.list(request),
    },
    {
      id: 'getReport',
      method: 'GET',
      url: '/reports/2021-06-30/reports/:reportId',
      rate: 2,
      burst: 15,
      answer: request => this.get(request),
    },
    {
      id: 'cancelReport',
      method: 'DELETE',
      url: '/reports/2021-06-30/reports/:reportId',
      rate: 0.0222,
      burst: 10,
      answer: request => this.cancel(request),
    },
    {
      id: 'getReportDocument',
      method: 'GET',
      url: '/reports/2021-06-30/documents/:reportDocumentId',
      rate: 0.0167,
      burst: 15,
      answer: request => this.document(request),
    },
  ]
  private readonly world: World
  private reports = new Map<string, Report>()

  constructor(world: World) {
    this.world = world
    world.keep<Report[]>(KEPT, {
      dump: () => [...this.reports.values()],
      restore: kept => {
        this.reports = new Map(kept.map(report => [report.reportId, report]))
      },
      reset: () => this.reports.clear(),
    })
  }

  /** The file behind an address, or why there is none. */
  open(documentId: string, expires: string, signature: string): { bytes: Buffer } | 'unknown' | 'forbidden' {
    const report = this.withDocument(documentId)
    if (!report) return 'unknown'
    const now = this.world.clock.now().getTime()
    if (signature !== this.sign(documentId, expires) || !(Number(expires) >= now)) return 'forbidden'
    const { reportType, sellerId, options, marketplaceIds, from, to } = report
    const when = { from: new Date(from), to: new Date(to) }
    const subject = { reportType, sellerId, options, marketplaceId: marketplaceIds[0] ?? '', ...when }
    return { bytes: reportFile({ ...subject, books: this.world.books, market: this.world.market() }) }
  }

  private create(request: SpRequest): SpAnswer {
    const order = readOrder(request)
    if (typeof order === 'string') return invalid(order)
    const createdAt = request.now.getTime()
    // Reports older than three days are gone, as files of the real thing are in time.
    for (const [id, report] of this.reports) if (report.createdAt < createdAt - KEPT_MS) this.reports.delete(id)
    const fate = request.fault === 'report-stuck' ? 'stuck' : request.fault === 'report-failed' ? 'failed' : null
    const reportId = String(50_000_000_000 + randomInt(2 ** 40))
    const documentId = `amzn1.spdoc.1.4.${request.region.toLowerCase()}.${randomUUID()}`
    this.reports.set(reportId, { ...order, reportId, createdAt, fate, documentId })
    this.world.saved(KEPT)
    return { status: 202, body: { reportId } }
  }

  private get(request: SpRequest): SpAnswer {
    const report = this.reports.get(request.path.reportId ?? '')
    if (report?.sellerId !== request.seller.sellerId) return notFound(`Report ${request.path.reportId}`)
    return ok(wireOf(report, request.now.getTime()))
  }

  /** Only what still waits can be called off. */
  private cancel(request: SpRequest): SpAnswer {
    const report = this.reports.get(request.path.reportId ?? '')
    if (report?.sellerId !== request.seller.sellerId) return notFound(`Report ${request.path.reportId}`)
    if (statusOf(report, request.now.getTime()) !== 'IN_QUEUE') return invalid('The report is no longer IN_QUEUE')
    this.reports.set(report.reportId, { ...report, fate: 'cancelled' })
    this.world.saved(KEPT)
    return { status: 200, body: null }
  }

  private list(request: SpRequest): SpAnswer {
    const { query, seller } = request
    const now = request.now.getTime()
    const [types, statuses] = [listOf(query.reportTypes), listOf(query.processingStatuses)]
    const offset = offsetOf(oneOf(query.nextToken))
    const size = Number(oneOf(query.pageSize) ?? 10)
    if (offset === null || !(size >= 1 && size <= 100)) return invalid('nextToken or pageSize is not valid')
    const found = [...this.reports.values()]
      .filter(report => report.sellerId === seller.sellerId)
      .filter(report => types.length === 0 || types.includes(report.reportType))
      .filter(report => statuses.length === 0 || statuses.includes(statusOf(report, now)))
      .sort((a, b) => b.createdAt - a.createdAt)
    return ok({
      reports: found.slice(offset, offset + size).map(report => wireOf(report, now)),
      ...(offset + size < found.length && { nextToken: pageToken(offset + size) }),
    })
  }

  private document(request: SpRequest): SpAnswer {
    const id = request.path.reportDocumentId ?? ''
    const report = this.withDocument(id)
    const now = request.now.getTime()
    if (report?.sellerId !== request.seller.sellerId || statusOf(report, now) !== 'DONE')
      return notFound(`Document ${id}`)
    const expires = String(now + FILE_URL_MS)
    const query = new URLSearchParams({ 'X-Amz-Expires': expires, 'X-Amz-Signature': this.sign(id, expires) })
    return ok({
      reportDocumentId: id,
      url: `${request.publicUrl}/s3/sp-reports/${id}?${query}`,
      ...(isCompressed(report.reportType, report.marketplaceIds[0] ?? '') && { compressionAlgorithm: 'GZIP' }),
    })
  }

  private withDocument(documentId: string): Report | undefined {
    return [...this.reports.values()].find(report => report.documentId === documentId)
  }

  private sign(documentId: string, expires: string): string {
    return createHash('sha256').update(`${documentId}|${expires}|${this.world.config.sellingPartnerApp}`).digest('hex')
  }
}
