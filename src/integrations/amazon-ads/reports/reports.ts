import { z } from 'zod'
import type { HttpClient } from '#server/http-client/http-client.ts'
import { openDownload } from '#server/http-client/download/open-download.ts'
import { UpstreamMalformed, UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import type { AdsCall } from '../client.ts'
import { answersQuestion, duplicateOf, fromReport, fromReportRow, toReportRequest } from './mapper.ts'
import { readReportFile } from './report-file.ts'
import type { PerformanceRow, ReportQuestion, ReportState } from './vocabulary.ts'
import { deletedWire, duplicateWire, reportWire } from './wire.ts'

export interface Reports {
  /**
   * Asks for a report. Asking the same again while one is pending answers that one (`reused`), after checking that it
   * is the same question, so this may be repeated without harm.
   */
  request(question: ReportQuestion): Promise<ReportState & { reused: boolean }>
  get(reportId: string): Promise<ReportState>
  /**
   * The rows of a completed report as they stream in. Throws UpstreamMalformed when the file is broken or broke off,
   * UpstreamUnavailable when the link has expired: then `get` gives a fresh one. Keep nothing of a file that threw.
   */
  rows(url: string): AsyncGenerator<PerformanceRow, void, undefined>
  /** Cancels a report that is still pending. */
  cancel(reportId: string): Promise<void>
}

const upstream = 'amazon-ads'
const createMedia = 'application/vnd.createasyncreportrequest.v3+json'

export function createReports(call: AdsCall, http: HttpClient, apiUrl: string): Reports {
  const read = (reportId: string) =>
    call({
      operation: 'get report',
      method: 'GET',
      path: `/reporting/reports/${encodeURIComponent(reportId)}`,
      effect: 'read',
      schema: reportWire,
    })

  return {
    request: async question => {
      const operation = 'request report'
      const reply = await call({
        operation,
        method: 'POST',
        path: '/reporting/reports',
        mediaType: createMedia,
        acceptType: 'application/json',
        body: toReportRequest(question),
        // A second report is never made while the first is pending, so repeating is harmless.
        effect: 'read',
        accept: [425],
        schema: z.union([reportWire, duplicateWire]),
      })
      if ('reportId' in reply) return { ...fromReport(reply), reused: false }
      const reportId = duplicateOf(reply.detail)
      if (!reportId) throw new UpstreamMalformed(`no id in "${reply.detail}"`, { upstream, operation, status: 425 })
      const found = await read(reportId)
      if (!answersQuestion(found, question))
        throw new UpstreamRejected('reported as a duplicate of another request', {
          upstream,
          operation,
          status: 425,
          code: '425',
        })
      return { ...fromReport(found), reused: true }
    },

    get: async reportId => fromReport(await read(reportId)),

    async *rows(url) {
      const file = await openDownload(http, url, { apiUrl, upstream, operation: 'download report' })
      for await (const record of readReportFile(file)) {
        const row = fromReportRow(record)
        if (row) yield row
      }
    },

    cancel: async reportId => {
      await call({
        operation: 'cancel report',
        method: 'DELETE',
        path: `/reporting/reports/${encodeURIComponent(reportId)}`,
        effect: 'write',
        schema: deletedWire,
      })
    },
  }
}
