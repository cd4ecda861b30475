import type { SpRequest } from '../operations/operation.ts'
import { isOption, isReportType } from './report-types.ts'

const DAY_MS = 86_400_000
/** World time that a report waits and is worked on. */
const QUEUE_MS = 1000
const WORK_MS = 2000

/** A report that somebody ordered. */
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
   * What an ordered fault made of it (it never gets on, or fails), that it was called off while it waited, or that there
   * is nothing to report, which the marketplace also calls cancelled.
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

/** How far a report is at a moment of the world's time. */
export function statusOf(report: Report, now: number): 'IN_QUEUE' | 'IN_PROGRESS' | 'DONE' | 'FATAL' | 'CANCELLED' {
  if (report.fate === 'cancelled') return 'CANCELLED'
  const age = now - report.createdAt
  if (report.fate === 'stuck' || age < QUEUE_MS) return 'IN_QUEUE'
  if (age < QUEUE_MS + WORK_MS) return 'IN_PROGRESS'
  if (report.fate === 'empty') return 'CANCELLED'
  return report.fate === 'failed' ? 'FATAL' : 'DONE'
}

/** Every state that a report can be in. */
export const reportStatuses = ['CANCELLED', 'DONE', 'FATAL', 'IN_PROGRESS', 'IN_QUEUE']

const iso = (ms: number): string => new Date(ms).toISOString()

/** A report in the API's words. */
export function wireOf(report: Report, now: number): Record<string, unknown> {
  const processingStatus = statusOf(report, now)
  // What was called off while it waited was never worked on.
  const ended = processingStatus !== 'IN_QUEUE' && processingStatus !== 'IN_PROGRESS' && report.fate !== 'cancelled'
  return {
    reportId: report.reportId,
    reportType: report.reportType,
    marketplaceIds: report.marketplaceIds,
    dataStartTime: report.from,
    dataEndTime: report.to,
    ...(report.scheduleId && { reportScheduleId: report.scheduleId }),
    createdTime: iso(report.createdAt),
    processingStatus,
    ...((processingStatus === 'IN_PROGRESS' || ended) && { processingStartTime: iso(report.createdAt + QUEUE_MS) }),
    ...(ended && { processingEndTime: iso(report.createdAt + QUEUE_MS + WORK_MS) }),
    ...(processingStatus === 'DONE' && { reportDocumentId: report.documentId }),
  }
}

const timeIn = (value: unknown, otherwise: number): number =>
  typeof value === 'string' ? Date.parse(value) : otherwise

/** What somebody orders. */
export type ReportOrder = Pick<Report, 'sellerId' | 'reportType' | 'marketplaceIds' | 'options' | 'from' | 'to'>

/** What a request orders, or in a sentence why it orders nothing. */
export function readOrder(request: SpRequest): ReportOrder | string {
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
  const wrong = options.find(([name, value]) => !isOption(reportType, name, String(value)))
  if (wrong) return `reportOptions.${wrong[0]} is not valid for ${reportType}`
  return {
    sellerId: request.seller.sellerId,
    reportType,
    marketplaceIds,
    options: Object.fromEntries(options.map(([key, value]) => [key, String(value)])),
    from: iso(from),
    to: iso(to),
  }
}
