import { randomInt, randomUUID } from 'node:crypto'
import type { World } from '../../core/world.ts'
import {
  check,
  notFound,
  ok,
  type Operation,
  operation,
  type SpAnswer,
  type SpRequest,
} from '../operations/operation.ts'
import { SavedMap } from '../saved-map.ts'
import type { FileSigner } from '../signed-files.ts'
import { listPage } from './list-page.ts'
import { type Report, type ReportOrder, readOrder, reportStatuses, statusOf, wireOf } from './report.ts'
import type { ReportSubject } from './flat-files.ts'
import { hasData, isCompressed, mediaTypeOf, reportFile } from './report-types.ts'

const RETENTION_MS = 90 * 86_400_000

const url = '/reports/2021-06-30'

/** Accepts orders for reports, states their progress, and serves their files. */
export class ReportService {
  readonly operations: Operation[] = [
    operation('createReport', `POST ${url}/reports`, 0.0167, 15, request => this.create(request)),
    operation('getReports', `GET ${url}/reports`, 0.0222, 10, request => this.list(request)),
    operation('getReport', `GET ${url}/reports/:reportId`, 2, 15, request => this.get(request)),
    operation('cancelReport', `DELETE ${url}/reports/:reportId`, 0.0222, 10, request => this.cancel(request)),
    operation('getReportDocument', `GET ${url}/documents/:reportDocumentId`, 0.0167, 15, request =>
      this.document(request),
    ),
  ]
  /** Called before reports are read. Report schedules set it to order what is due. */
  beforeReading: () => void = () => undefined
  private readonly world: World
  private readonly signer: FileSigner
  private readonly reports: SavedMap<Report>

  constructor(world: World, signer: FileSigner) {
    this.world = world
    this.signer = signer
    this.reports = new SavedMap(world, 'selling-partner-reports', report => report.reportId)
  }

  /** A finished report's file with its media type, which names the character set; null when there is none. */
  fileOf(documentId: string): { bytes: Buffer; type: string } | null {
    const report = this.withDocument(documentId)
    if (!report) return null
    const subject = this.subjectOf(report)
    return { bytes: reportFile(subject), type: mediaTypeOf(report.reportType, subject.marketplaceId) }
  }

  /** Accepts an order. `createdAt` can be in the past when a schedule made it. */
  order(order: ReportOrder, region: string, createdAt: number, origin: Pick<Report, 'fate' | 'scheduleId'>): Report {
    const reportId = String(50_000_000_000 + randomInt(2 ** 40))
    const documentId = `amzn1.spdoc.1.4.${region.toLowerCase()}.${randomUUID()}`
    const fate = origin.fate ?? (hasData(this.subjectOf(order)) ? null : 'empty')
    const report = { ...order, reportId, createdAt, documentId, ...origin, fate }
    this.reports.deleteWhere(one => one.createdAt < createdAt - RETENTION_MS)
    this.reports.set(report)
    return report
  }

  private subjectOf(order: ReportOrder): ReportSubject {
    return {
      reportType: order.reportType,
      sellerId: order.sellerId,
      options: order.options,
      marketplaceId: order.marketplaceIds[0] ?? '',
      from: new Date(order.from),
      to: new Date(order.to),
      store: this.world.store,
      market: this.world.market(),
    }
  }

  private withDocument(documentId: string): Report | undefined {
    return this.reports.all().find(report => report.documentId === documentId)
  }

  private reportOf({ path, seller }: SpRequest): Report {
    const report = this.reports.get(path.reportId)
    if (report?.sellerId !== seller.sellerId) throw notFound(`Report ${path.reportId}`)
    return report
  }

  private create(request: SpRequest): SpAnswer {
    const fate = request.fault === 'report-stuck' ? 'stuck' : request.fault === 'report-failed' ? 'failed' : null
    const { reportId } = this.order(readOrder(request), request.region, request.now.getTime(), { fate })
    return { status: 202, body: { reportId } }
  }

  private get(request: SpRequest): SpAnswer {
    this.beforeReading()
    return ok(wireOf(this.reportOf(request), request.now.getTime()))
  }

  /** Only a queued report can be cancelled. */
  private cancel(request: SpRequest): SpAnswer {
    const report = this.reportOf(request)
    check(statusOf(report, request.now.getTime()) === 'IN_QUEUE', 'The report is no longer IN_QUEUE')
    this.reports.set({ ...report, fate: 'cancelled' })
    return { status: 200, body: null }
  }

  private list(request: SpRequest): SpAnswer {
    this.beforeReading()
    const now = request.now.getTime()
    const reports = this.reports.all().filter(report => report.sellerId === request.seller.sellerId)
    const { items, ...next } = listPage(request, 'reportTypes', reportStatuses, reports, report => ({
      ...report,
      type: report.reportType,
      status: statusOf(report, now),
    }))
    return ok({ reports: items.map(report => wireOf(report, now)), ...next })
  }

  private document({ path, seller, now }: SpRequest): SpAnswer {
    const id = path.reportDocumentId ?? ''
    const report = this.withDocument(id)
    if (report?.sellerId !== seller.sellerId || statusOf(report, now.getTime()) !== 'DONE')
      throw notFound(`Document ${id}`)
    return ok({
      reportDocumentId: id,
      url: this.signer.addressOf('sp-reports', id, 'GET', now.getTime()),
      ...(isCompressed(report.reportType, report.marketplaceIds[0] ?? '') && { compressionAlgorithm: 'GZIP' }),
    })
  }
}
