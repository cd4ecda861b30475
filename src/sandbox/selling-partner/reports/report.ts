import { check, invalid, type SpRequest } from '../operations/operation.ts'
import { isOption, isReportType } from './report-types.ts'

const DAY_MS = 86_400_000
/** World time that a report is queued and processed. */
const QUEUE_MS = 1000
const WORK_MS = 2000

export interface Report {
  reportId: string
  sellerId: string
  reportType: string
  marketplaceIds: string[]
  options: Record<string, string>
  from: string
  to: string
  createdAt: number
  documentId: string
  /**
   * `stuck` and `failed` come from faults. `cancelled` was cancelled while queued. `empty` has nothing to report, which
   * the marketplace also calls cancelled.
   */
  fate: 'stuck' | 'failed' | 'cancelled' | 'empty' | null
  /** The schedule that ordered it. */
  scheduleId?: string
}

interface CreateBody {
  reportType?: unknown
  marketplaceIds?: unknown
  dataStartTime?: unknown
  dataEndTime?: unknown
  reportOptions?: unknown
}

/** A report's status at a moment of the world's time. */
export function statusOf(report: Report, now: number): 'IN_QUEUE' | 'IN_PROGRESS' | 'DONE' | 'FATAL' | 'CANCELLED' {
  if (report.fate === 'cancelled') return 'CANCELLED'
  const age = now - report.createdAt
  if (report.fate === 'stuck' || age < QUEUE_MS) return 'IN_QUEUE'
  if (age < QUEUE_MS + WORK_MS) return 'IN_PROGRESS'
  if (report.fate === 'empty') return 'CANCELLED'
  return report.fate === 'failed' ? 'FATAL' : 'DONE'
}

/** Every status that a report or feed can have. */
export const reportStatuses = ['CANCELLED', 'DONE', 'FATAL', 'IN_PROGRESS', 'IN_QUEUE']

const iso = (ms: number): string => new Date(ms).toISOString()

/** A report in the API's format. */
export function wireOf(report: Report, now: number): Record<string, unknown> {
  const processingStatus = statusOf(report, now)
  // A report cancelled while queued was never processed.
  const hasEnded = processingStatus !== 'IN_QUEUE' && processingStatus !== 'IN_PROGRESS' && report.fate !== 'cancelled'
  return {
    reportId: report.reportId,
    reportType: report.reportType,
    marketplaceIds: report.marketplaceIds,
    dataStartTime: report.from,
    dataEndTime: report.to,
    ...(report.scheduleId && { reportScheduleId: report.scheduleId }),
    createdTime: iso(report.createdAt),
    processingStatus,
    ...((processingStatus === 'IN_PROGRESS' || hasEnded) && { processingStartTime: iso(report.createdAt + QUEUE_MS) }),
    ...(hasEnded && { processingEndTime: iso(report.createdAt + QUEUE_MS + WORK_MS) }),
    ...(processingStatus === 'DONE' && { reportDocumentId: report.documentId }),
  }
}

const timeIn = (value: unknown, otherwise: number): number =>
  typeof value === 'string' ? Date.parse(value) : otherwise

export type ReportOrder = Pick<Report, 'sellerId' | 'reportType' | 'marketplaceIds' | 'options' | 'from' | 'to'>

/** The report that a request orders. */
export function readOrder({ body, seller, now }: SpRequest): ReportOrder {
  const { reportType, marketplaceIds: ids, dataStartTime, dataEndTime, reportOptions } = (body ?? {}) as CreateBody
  const marketplaceIds = Array.isArray(ids) ? ids.map(String) : []
  if (typeof reportType !== 'string' || !isReportType(reportType)) throw invalid('reportType is not supported')
  check(
    marketplaceIds.length === 1 && seller.marketplaceIds.includes(marketplaceIds[0] ?? ''),
    'marketplaceIds must hold one marketplace of the seller',
  )
  const from = timeIn(dataStartTime, now.getTime() - DAY_MS)
  const to = timeIn(dataEndTime, now.getTime())
  check(from <= to, 'dataStartTime must not be after dataEndTime')
  const options = Object.entries((reportOptions as Record<string, unknown> | undefined) ?? {}).map(
    ([name, value]) => [name, String(value)] as const,
  )
  for (const [name, value] of options)
    check(isOption(reportType, name, value), `reportOptions.${name} is not valid for ${reportType}`)
  return {
    sellerId: seller.sellerId,
    reportType,
    marketplaceIds,
    options: Object.fromEntries(options),
    from: iso(from),
    to: iso(to),
  }
}
