import { z } from 'zod'
import type { Clock } from '#shared/time.ts'
import { openDownload, unpackedBytes } from '#server/http-client/download.ts'
import type { HttpClient } from '#server/http-client/http-client.ts'
import { AmbiguousOutcome, UpstreamMalformed } from '#server/http-client/upstream-errors.ts'
import type { SellerCall } from '../client.ts'
import { decodeText, tableRows } from './decode.ts'
import * as wire from './wire.ts'

interface SellerReportQuestion {
  type: 'GET_MERCHANT_LISTINGS_ALL_DATA' | 'GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA' | 'GET_SALES_AND_TRAFFIC_REPORT'
  /** Files of listings hold one marketplace each. */
  marketplaceIds: readonly string[]
  from?: Date
  to?: Date
  options?: Record<string, string>
}

export type SellerReports = ReturnType<typeof createSellerReports>

const upstream = 'selling-partner'
const root = '/reports/2021-06-30'
const CLOCKS_DIFFER_MS = 60_000

/** True when a report made after `since` answers this question. The reply has no options, so two requests that differ only in options match too. */
function answersQuestion(
  report: wire.ReportWire,
  { type, marketplaceIds, from, to }: SellerReportQuestion,
  since: number,
): boolean {
  const isSame = (moment: string | null, requested: Date | undefined): boolean =>
    !requested || Date.parse(moment ?? '') === requested.getTime()
  return (
    report.reportType === type &&
    Date.parse(report.createdTime) >= since &&
    marketplaceIds.every(id => report.marketplaceIds?.includes(id)) &&
    isSame(report.dataStartTime, from) &&
    isSame(report.dataEndTime, to)
  )
}

const salesAndTraffic = (bytes: Buffer, marketplaceId: string): wire.SalesAndTraffic =>
  wire.salesAndTraffic.parse(JSON.parse(decodeText(bytes, marketplaceId)))

export function createSellerReports(call: SellerCall, http: HttpClient, apiUrl: string, clock: Clock) {
  /** What `parse` makes of a report's file. Throws UpstreamMalformed, with the problem as message, when it cannot. */
  const read = async <T>(
    documentId: string,
    marketplaceId: string,
    parse: (bytes: Buffer, marketplaceId: string) => T,
    problem: string,
  ): Promise<T> => {
    const path = `${root}/documents/${encodeURIComponent(documentId)}`
    const { url } = await call({ operation: 'getReportDocument', path, schema: wire.reportDocument })
    const operation = 'download report'
    const file = await openDownload(http, url, { apiUrl, upstream, operation })
    const parts: Buffer[] = []
    try {
      for await (const bytes of unpackedBytes(file)) parts.push(bytes)
    } catch (cause) {
      throw new UpstreamMalformed('the file broke off', { upstream, operation, cause })
    }
    try {
      return parse(Buffer.concat(parts), marketplaceId)
    } catch (cause) {
      throw new UpstreamMalformed(problem, { upstream, operation: 'read report', cause })
    }
  }

  // The report of a request whose reply was lost. Our clock and theirs may differ slightly.
  const madeSince = async (question: SellerReportQuestion, askedAt: Date): Promise<string | undefined> => {
    const since = askedAt.getTime() - CLOCKS_DIFFER_MS
    const { reports } = await call({
      operation: 'getReports',
      path: `${root}/reports`,
      query: {
        reportTypes: question.type,
        marketplaceIds: question.marketplaceIds,
        createdSince: new Date(since).toISOString(),
        pageSize: '100',
      },
      schema: wire.reportList,
    })
    return reports.find(report => answersQuestion(report, question, since))?.reportId
  }

  return {
    /**
     * Asks for a report; fifteen at once, then one a minute. When the answer gets lost it is looked for among the newest
     * reports; AmbiguousOutcome where it is not seen there (yet), which at worst leaves one report unread.
     */
    async request(question: SellerReportQuestion): Promise<{ reportId: string }> {
      const askedAt = clock.now()
      const { type, marketplaceIds, from, to, options } = question
      try {
        return await call({
          operation: 'createReport',
          method: 'POST',
          path: `${root}/reports`,
          body: { reportType: type, marketplaceIds, dataStartTime: from, dataEndTime: to, reportOptions: options },
          effect: 'write',
          schema: wire.createdReport,
        })
      } catch (error) {
        if (!(error instanceof AmbiguousOutcome)) throw error
        const reportId = await madeSince(question, askedAt)
        if (reportId === undefined) throw error
        return { reportId }
      }
    },
    get: (reportId: string) =>
      call({
        operation: 'getReport',
        path: `${root}/reports/${encodeURIComponent(reportId)}`,
        schema: wire.reportState,
      }),
    async cancel(reportId: string): Promise<void> {
      await call({
        operation: 'cancelReport',
        method: 'DELETE',
        path: `${root}/reports/${encodeURIComponent(reportId)}`,
        effect: 'write',
        schema: z.unknown(),
      })
    },
    /** GET_MERCHANT_LISTINGS_ALL_DATA. Like the others, throws UpstreamMalformed when the file is broken. */
    listings: (documentId: string, marketplaceId: string) =>
      read(documentId, marketplaceId, tableRows.listings, 'no table'),
    /** GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA. */
    inventory: (documentId: string, marketplaceId: string) =>
      read(documentId, marketplaceId, tableRows.inventory, 'no table'),
    /** GET_SALES_AND_TRAFFIC_REPORT. */
    salesAndTraffic: (documentId: string, marketplaceId: string) =>
      read(documentId, marketplaceId, salesAndTraffic, 'not the documented JSON'),
  }
}
