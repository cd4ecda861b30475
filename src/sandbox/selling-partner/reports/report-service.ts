import { randomInt, randomUUID } from 'node:crypto'
import type { World } from '../../core/world.ts'
import { invalid, notFound, ok, type Operation, type SpAnswer, type SpRequest } from '../operations/operation.ts'
import type { FileSigner } from '../signed-files.ts'
import { readListing } from './read-listing.ts'
import { type Report, type ReportOrder, readOrder, reportStatuses, statusOf, wireOf } from './report.ts'
import type { ReportSubject } from './report-subject.ts'
import { hasData, isCompressed, mediaTypeOf, reportFile } from './report-types.ts'

const STATE_NAME = 'selling-partner-reports'
const KEPT_MS = 90 * 86_400_000

function subjectOf(order: ReportOrder): Omit<ReportSubject, 'store' | 'market'> {
  return {
    reportType: order.reportType,
    sellerId: order.sellerId,
    options: order.options,
    marketplaceId: order.marketplaceIds[0] ?? '',
    from: new Date(order.from),
    to: new Date(order.to),
  }
}

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
  /** Called before anybody looks at reports; whoever orders them by the clock sets it. */
  beforeReading: () => void = () => undefined
  private readonly world: World
  private readonly signer: FileSigner
  private reports = new Map<string, Report>()

  constructor(world: World, signer: FileSigner) {
    this.world = world
    this.signer = signer
    world.registerState<Report[]>(STATE_NAME, {
      dump: () => [...this.reports.values()],
      restore: kept => {
        this.reports = new Map(kept.map(report => [report.reportId, report]))
      },
      reset: () => this.reports.clear(),
    })
  }

  /** A finished report's file with its media type, which names the letters it is written in; null when there is none. */
  fileOf(documentId: string): { bytes: Buffer; type: string } | null {
    const report = this.withDocument(documentId)
    if (!report) return null
    const subject = { ...subjectOf(report), store: this.world.store, market: this.world.market() }
    return { bytes: reportFile(subject), type: mediaTypeOf(report.reportType, subject.marketplaceId) }
  }

  /** Takes an order in, at a moment that may have passed already when a schedule made it. */
  enter(order: ReportOrder, region: string, createdAt: number, made: Pick<Report, 'fate' | 'scheduleId'>): Report {
    const reportId = String(50_000_000_000 + randomInt(2 ** 40))
    const documentId = `amzn1.spdoc.1.4.${region.toLowerCase()}.${randomUUID()}`
    const { store } = this.world
    const empty = !hasData({ ...subjectOf(order), store, market: this.world.market() })
    const report = { ...order, reportId, createdAt, documentId, ...made, fate: made.fate ?? (empty ? 'empty' : null) }
    // Reports older than the real thing keeps them are gone.
    for (const [id, old] of this.reports) if (old.createdAt < createdAt - KEPT_MS) this.reports.delete(id)
    this.reports.set(reportId, report)
    this.world.saveState(STATE_NAME)
    return report
  }

  private create(request: SpRequest): SpAnswer {
    const order = readOrder(request)
    if (typeof order === 'string') return invalid(order)
    const fate = request.fault === 'report-stuck' ? 'stuck' : request.fault === 'report-failed' ? 'failed' : null
    const { reportId } = this.enter(order, request.region, request.now.getTime(), { fate })
    return { status: 202, body: { reportId } }
  }

  private get(request: SpRequest): SpAnswer {
    this.beforeReading()
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
    this.world.saveState(STATE_NAME)
    return { status: 200, body: null }
  }

  private list(request: SpRequest): SpAnswer {
    this.beforeReading()
    const { seller } = request
    const asked = readListing(request, 'reportTypes', reportStatuses)
    if (typeof asked === 'string') return invalid(asked)
    const { filter, now, offset, size } = asked
    const found = [...this.reports.values()]
      .filter(report => report.sellerId === seller.sellerId)
      .filter(report => filter({ ...report, type: report.reportType, status: statusOf(report, now) }))
      .sort((a, b) => b.createdAt - a.createdAt)
    return ok({
      reports: found.slice(offset, offset + size).map(report => wireOf(report, now)),
      ...(offset + size < found.length && { nextToken: asked.tokenFor(offset + size) }),
    })
  }

  private document(request: SpRequest): SpAnswer {
    const id = request.path.reportDocumentId ?? ''
    const report = this.withDocument(id)
    const now = request.now.getTime()
    if (report?.sellerId !== request.seller.sellerId || statusOf(report, now) !== 'DONE')
      return notFound(`Document ${id}`)
    return ok({
      reportDocumentId: id,
      url: this.signer.addressOf('sp-reports', id, 'GET', now),
      ...(isCompressed(report.reportType, report.marketplaceIds[0] ?? '') && { compressionAlgorithm: 'GZIP' }),
    })
  }

  private withDocument(documentId: string): Report | undefined {
    return [...this.reports.values()].find(report => report.documentId === documentId)
  }
}
