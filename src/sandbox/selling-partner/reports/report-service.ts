import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { dayIn } from '#shared/time.ts'
import type { World } from '../../core/world.ts'
import { check, DAY_MS, invalid, iso, notFound, ok, operation, type SpRequest } from '../operations/operation.ts'
import { SavedMap } from '../saved-map.ts'
import { addressOf, type StoredFile } from '../signed-files.ts'
import { flatFiles, type ReportSubject } from './flat-files.ts'
import { isOutdated, listPage, newId, progressOf } from './life-cycle.ts'
import { productsIn } from '../operations/product-fields.ts'
import { salesAndTraffic } from './sales-and-traffic.ts'

interface ReportType {
  write: (subject: ReportSubject) => string
  /** Values that each of its options can take; null for any. */
  options: Record<string, readonly string[] | null>
}

const SALES_AND_TRAFFIC = 'GET_SALES_AND_TRAFFIC_REPORT'
const types: Record<string, ReportType> = {
  ...Object.fromEntries(Object.entries(flatFiles).map(([type, write]) => [type, { write, options: { custom: null } }])),
  [SALES_AND_TRAFFIC]: {
    write: salesAndTraffic,
    options: { dateGranularity: ['DAY', 'WEEK', 'MONTH'], asinGranularity: ['PARENT', 'CHILD', 'SKU'] },
  },
}

function isOption(reportType: string, name: string, value: string): boolean {
  const options = types[reportType]?.options ?? {}
  return Object.hasOwn(options, name) && (options[name]?.includes(value) ?? true)
}

function hasData({ reportType, store, market, sellerId, marketplaceId, from, to }: ReportSubject): boolean {
  if (reportType !== SALES_AND_TRAFFIC) return productsIn(store, marketplaceId, sellerId).length > 0
  const timezone = marketplaceByAmazonId(marketplaceId)?.timezone ?? 'UTC'
  return market.salesByDay(sellerId, marketplaceId, dayIn(from, timezone), dayIn(to, timezone)).length > 0
}

/** JSON files and files of Europe are compressed, the others are not. */
function isCompressed(reportType: string, marketplaceId: string): boolean {
  return reportType === SALES_AND_TRAFFIC || marketplaceByAmazonId(marketplaceId)?.region === 'EU'
}

/** A report's file. JSON is always UTF-8; the character set of tables depends on their region. Throws on an unknown type. */
function reportFile(subject: ReportSubject): StoredFile {
  const { reportType, marketplaceId } = subject
  const type = types[reportType]
  if (!type) throw new Error(`no such report: ${reportType}`)
  const { key, region } = marketplaceByAmazonId(marketplaceId) ?? {}
  const isTable = reportType !== SALES_AND_TRAFFIC
  const charset = isTable && key === 'JP' ? 'Shift_JIS' : isTable && region === 'EU' ? 'Cp1252' : 'UTF-8'
  const bytes = iconv.encode(type.write(subject), charset)
  return {
    bytes: isCompressed(reportType, marketplaceId) ? gzipSync(bytes) : bytes,
    type: `text/plain;charset=${charset}`,
  }
}

export interface ReportOrder {
  sellerId: string
  reportType: string
  marketplaceIds: string[]
  options: Record<string, string>
  from: string
  to: string
}

interface Report extends ReportOrder {
  reportId: string
  createdAt: number
  documentId: string
  /**
   * `stuck` and `failed` come from faults. `cancelled` was cancelled while queued. `empty` has nothing to report, which
   * the marketplace also calls cancelled.
   */
  fate: 'stuck' | 'failed' | 'cancelled' | 'empty' | null
  scheduleId?: string
}

const url = '/reports/2021-06-30'
const fates = { 'report-stuck': 'stuck', 'report-failed': 'failed' } as const

function wireOf(report: Report, now: number) {
  const { fate, createdAt } = report
  const end = fate === 'empty' ? 'CANCELLED' : fate === 'failed' ? 'FATAL' : 'DONE'
  const progress = progressOf(fate === 'stuck' ? 0 : now - createdAt, createdAt, end, fate === 'cancelled')
  return {
    reportId: report.reportId,
    reportType: report.reportType,
    marketplaceIds: report.marketplaceIds,
    dataStartTime: report.from,
    dataEndTime: report.to,
    ...(report.scheduleId && { reportScheduleId: report.scheduleId }),
    ...progress,
    ...(progress.processingStatus === 'DONE' && { reportDocumentId: report.documentId }),
  }
}

export function readOrder({ body, seller, now }: SpRequest): ReportOrder {
  const { reportType, marketplaceIds: ids, ...rest } = (body ?? {}) as Record<string, unknown>
  const marketplaceIds = Array.isArray(ids) ? ids.map(String) : []
  if (typeof reportType !== 'string' || !Object.hasOwn(types, reportType)) throw invalid('reportType is not supported')
  check(
    marketplaceIds.length === 1 && seller.marketplaceIds.includes(marketplaceIds[0] ?? ''),
    'marketplaceIds must hold one marketplace of the seller',
  )
  const timeOf = (value: unknown, otherwise: number) => (typeof value === 'string' ? Date.parse(value) : otherwise)
  const from = timeOf(rest.dataStartTime, now.getTime() - DAY_MS)
  const to = timeOf(rest.dataEndTime, now.getTime())
  check(from <= to, 'dataStartTime must not be after dataEndTime')
  const options = Object.entries(rest.reportOptions ?? {}).map(([name, value]) => [name, String(value)] as const)
  for (const [name, value] of options)
    check(isOption(reportType, name, value), `reportOptions.${name} is not valid for ${reportType}`)
  const { sellerId } = seller
  return { sellerId, reportType, marketplaceIds, options: Object.fromEntries(options), from: iso(from), to: iso(to) }
}

export class ReportService {
  readonly operations = [
    operation('createReport', `POST ${url}/reports`, 0.0167, 15, request => {
      const { fault, region, now } = request
      const fate = fault === 'report-stuck' || fault === 'report-failed' ? fates[fault] : null
      return ok({ reportId: this.order(readOrder(request), region, now.getTime(), { fate }) }, 202)
    }),
    operation('getReports', `GET ${url}/reports`, 0.0222, 10, request => {
      const all = this.reports.ofSeller(request).map(report => wireOf(report, request.now.getTime()))
      const { items, ...next } = listPage(request, 'reportTypes', all, report => report.reportType)
      return ok({ reports: items, ...next })
    }),
    operation('getReport', `GET ${url}/reports/:reportId`, 2, 15, request =>
      ok(wireOf(this.reports.inPath(request, 'reportId', 'Report'), request.now.getTime())),
    ),
    operation('cancelReport', `DELETE ${url}/reports/:reportId`, 0.0222, 10, request => {
      const report = this.reports.inPath(request, 'reportId', 'Report')
      const { processingStatus } = wireOf(report, request.now.getTime())
      check(processingStatus === 'IN_QUEUE', 'The report is no longer IN_QUEUE')
      this.reports.set({ ...report, fate: 'cancelled' })
      return ok(null)
    }),
    operation('getReportDocument', `GET ${url}/documents/:reportDocumentId`, 0.0167, 15, request =>
      ok(this.document(request)),
    ),
  ]
  private readonly world: World
  private readonly reports: SavedMap<Report>

  constructor(world: World) {
    this.world = world
    this.reports = new SavedMap(world, 'selling-partner-reports', report => report.reportId)
  }

  /** A finished report's file with its media type, which names the character set; null when there is none. */
  fileOf(documentId: string | undefined): StoredFile | null {
    const report = this.reports.all().find(one => one.documentId === documentId)
    return report ? reportFile(this.subjectOf(report)) : null
  }

  /** Accepts an order and returns the report's id. `createdAt` can be in the past when a schedule made it. */
  order(order: ReportOrder, region: string, createdAt: number, origin: Pick<Report, 'fate' | 'scheduleId'>): string {
    const reportId = newId()
    const documentId = `amzn1.spdoc.1.4.${region.toLowerCase()}.${randomUUID()}`
    const fate = origin.fate ?? (hasData(this.subjectOf(order)) ? null : 'empty')
    this.reports.deleteWhere(one => isOutdated(one, createdAt))
    this.reports.set({ ...order, reportId, createdAt, documentId, ...origin, fate })
    return reportId
  }

  private subjectOf({ from, to, marketplaceIds, ...order }: ReportOrder): ReportSubject {
    const { store } = this.world
    const [marketplaceId = ''] = marketplaceIds
    return { ...order, marketplaceId, from: new Date(from), to: new Date(to), store, market: this.world.market() }
  }

  private document(request: SpRequest): object {
    const { reportDocumentId: id = '' } = request.path
    const report = this.reports.ofSeller(request).find(one => one.documentId === id)
    if (!report || wireOf(report, request.now.getTime()).processingStatus !== 'DONE') throw notFound(`Document ${id}`)
    return {
      reportDocumentId: id,
      url: addressOf(request, 'sp-reports', id, 'GET'),
      ...(isCompressed(report.reportType, report.marketplaceIds[0] ?? '') && { compressionAlgorithm: 'GZIP' }),
    }
  }
}
