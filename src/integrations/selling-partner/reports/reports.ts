import { z } from 'zod'
import { unpackedBytes } from '#server/http-client/download/file-bytes.ts'
import type { HttpClient } from '#server/http-client/http-client.ts'
import { openDownload } from '#server/http-client/download/open-download.ts'
import { AmbiguousOutcome, UpstreamMalformed } from '#server/http-client/upstream-errors.ts'
import type { SellerCall } from '../client.ts'
import { decodeText, parseTable } from './decode.ts'
import {
  answersQuestion,
  fromInventoryRow,
  fromListingRow,
  fromReport,
  fromSalesAndTraffic,
  toReportRequest,
} from './mapper.ts'
import type {
  FileRow,
  InventoryFileRow,
  ListingFileRow,
  SalesAndTraffic,
  SellerReportQuestion,
  SellerReportState,
} from './vocabulary.ts'
import { createdWire, documentWire, reportsWire, reportWire, salesAndTrafficWire } from './wire.ts'

export interface SellerReports {
  /**
   * Asks for a report; fifteen at once, then one a minute. When the answer gets lost it is looked for among the newest
   * reports; AmbiguousOutcome where it is not seen there (yet), which at worst leaves one report unread.
   */
  request(question: SellerReportQuestion): Promise<{ reportId: string }>
  get(reportId: string): Promise<SellerReportState>
  cancel(reportId: string): Promise<void>
  /** Any table file, rows by canonical header. Throws UpstreamMalformed when the file is broken. */
  table(documentId: string, marketplaceId: string): Promise<FileRow[]>
  /** GET_MERCHANT_LISTINGS_ALL_DATA. */
  listings(documentId: string, marketplaceId: string): Promise<ListingFileRow[]>
  /** GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA. */
  inventory(documentId: string, marketplaceId: string): Promise<InventoryFileRow[]>
  /** GET_SALES_AND_TRAFFIC_REPORT. */
  salesAndTraffic(documentId: string, marketplaceId: string): Promise<SalesAndTraffic>
}

const upstream = 'selling-partner'
const root = '/reports/2021-06-30'

const CLOCKS_DIFFER_MS = 60_000

export function createSellerReports(
  call: SellerCall,
  http: HttpClient,
  apiUrl: string,
  now: () => Date,
): SellerReports {
  const download = async (documentId: string, marketplaceId: string): Promise<string> => {
    const operation = 'download report'
    const document = await call({
      operation: 'getReportDocument',
      path: `${root}/documents/${encodeURIComponent(documentId)}`,
      schema: documentWire,
    })
    const file = await openDownload(http, document.url, { apiUrl, upstream, operation })
    const parts: Buffer[] = []
    try {
      for await (const bytes of unpackedBytes(file)) parts.push(bytes)
    } catch (cause) {
      throw new UpstreamMalformed('the file broke off', { upstream, operation, cause })
    }
    return decodeText(Buffer.concat(parts), marketplaceId)
  }

  const table = async (documentId: string, marketplaceId: string): Promise<FileRow[]> => {
    const text = await download(documentId, marketplaceId)
    try {
      return parseTable(text)
    } catch (cause) {
      throw new UpstreamMalformed('no table', { upstream, operation: 'read report', cause })
    }
  }

  const json = async <S extends z.ZodType>(
    documentId: string,
    marketplaceId: string,
    schema: S,
  ): Promise<z.output<S>> => {
    const text = await download(documentId, marketplaceId)
    try {
      return schema.parse(JSON.parse(text))
    } catch (cause) {
      throw new UpstreamMalformed('not the documented JSON', { upstream, operation: 'read report', cause })
    }
  }

  // The report of a request whose reply was lost. Our clock and theirs may differ slightly.
  const madeSince = async (question: SellerReportQuestion, askedAt: Date): Promise<string | undefined> => {
    const { reports } = await call({
      operation: 'getReports',
      path: `${root}/reports`,
      query: {
        reportTypes: question.type,
        marketplaceIds: question.marketplaceIds,
        createdSince: new Date(askedAt.getTime() - CLOCKS_DIFFER_MS).toISOString(),
        pageSize: '100',
      },
      schema: reportsWire,
    })
    return reports.find(report => answersQuestion(report, question, askedAt.getTime() - CLOCKS_DIFFER_MS))?.reportId
  }

  return {
    request: async question => {
      const askedAt = now()
      try {
        return await call({
          operation: 'createReport',
          method: 'POST',
          path: `${root}/reports`,
          body: toReportRequest(question),
          effect: 'write',
          schema: createdWire,
        })
      } catch (error) {
        if (!(error instanceof AmbiguousOutcome)) throw error
        const reportId = await madeSince(question, askedAt)
        if (reportId === undefined) throw error
        return { reportId }
      }
    },
    get: async reportId =>
      fromReport(
        await call({
          operation: 'getReport',
          path: `${root}/reports/${encodeURIComponent(reportId)}`,
          schema: reportWire,
        }),
      ),
    cancel: async reportId => {
      await call({
        operation: 'cancelReport',
        method: 'DELETE',
        path: `${root}/reports/${encodeURIComponent(reportId)}`,
        effect: 'write',
        schema: z.unknown(),
      })
    },
    table,
    listings: async (documentId, marketplaceId) =>
      (await table(documentId, marketplaceId)).map(fromListingRow).filter(row => row !== null),
    inventory: async (documentId, marketplaceId) =>
      (await table(documentId, marketplaceId)).map(fromInventoryRow).filter(row => row !== null),
    salesAndTraffic: async (documentId, marketplaceId) =>
      fromSalesAndTraffic(await json(documentId, marketplaceId, salesAndTrafficWire)),
  }
}
