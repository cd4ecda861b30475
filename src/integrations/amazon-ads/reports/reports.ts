import { z } from 'zod'
import { openDownload } from '#server/http-client/download.ts'
import type { HttpClient } from '#server/http-client/http-client.ts'
import { UpstreamMalformed, UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import type { AdsCall } from '../client.ts'
import { listOf, moment, orNull } from '../entities/wire-fields.ts'
import { type ReportKind, reportKinds } from './kinds.ts'
import { fromReportRow, type PerformanceRow, readReportFile } from './report-file.ts'

/** Which report to ask for. */
export interface ReportQuestion {
  kind: ReportKind
  /** yyyy-MM-dd in the profile's time zone, both included; at most 31 days, at most 95 back (Brands 60, Display 65). */
  startDate: string
  endDate: string
}

const names = listOf(z.string())
const reportWire = z.object({
  reportId: z.string(),
  status: z.string(),
  startDate: z.string().nullish(),
  endDate: z.string().nullish(),
  configuration: z
    .object({
      reportTypeId: z.string().nullish(),
      groupBy: names,
      columns: names,
      timeUnit: z.string().nullish(),
      filters: listOf(z.unknown()),
    })
    .nullish(),
  url: orNull(z.string()),
  urlExpiresAt: moment,
  fileSize: orNull(z.number()),
  failureReason: orNull(z.string()),
})
type ReportWire = z.output<typeof reportWire>
// The 425: `{"code":"425","detail":"The Request is a duplicate of : <reportId>"}`.
const duplicateWire = z.object({ code: z.union([z.string(), z.number()]), detail: z.string() })

const statuses: Record<string, 'PENDING' | 'COMPLETED' | 'FAILED'> = {
  PENDING: 'PENDING',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  FAILURE: 'FAILED',
}

/** The url only of a completed one, and only until it expires; ask again for a fresh one. */
function stateOf({ reportId, status, url, urlExpiresAt, fileSize, failureReason }: ReportWire) {
  return {
    reportId,
    status: statuses[status] ?? ('PROCESSING' as const),
    url,
    urlExpiresAt,
    fileSize,
    failureReason,
  }
}
type ReportState = ReturnType<typeof stateOf>

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
const pathOf = (reportId: string) => `/reporting/reports/${encodeURIComponent(reportId)}`

export function createReports(call: AdsCall, http: HttpClient, apiUrl: string): Reports {
  const read = (reportId: string) =>
    call({ operation: 'get report', method: 'GET', path: pathOf(reportId), effect: 'read', schema: reportWire })

  return {
    request: async question => {
      const operation = 'request report'
      const { kind, startDate, endDate } = question
      const reply = await call({
        operation,
        method: 'POST',
        path: '/reporting/reports',
        mediaType: 'application/vnd.createasyncreportrequest.v3+json',
        acceptType: 'application/json',
        body: {
          name: `${kind} ${startDate} ${endDate}`,
          startDate,
          endDate,
          configuration: { ...reportKinds[kind], timeUnit: 'DAILY', format: 'GZIP_JSON' },
        },
        // A second report is never made while the first is pending, so repeating is harmless.
        effect: 'read',
        accept: [425],
        schema: z.union([reportWire, duplicateWire]),
      })
      if ('reportId' in reply) return { ...stateOf(reply), reused: false }
      const context = { upstream, operation, status: 425 }
      const reportId = /duplicate of\s*:?\s*([\w-]+)/i.exec(reply.detail)?.[1]
      if (!reportId) throw new UpstreamMalformed(`no id in "${reply.detail}"`, context)
      const found = await read(reportId)
      if (!answersQuestion(found, question))
        throw new UpstreamRejected('reported as a duplicate of another request', { ...context, code: '425' })
      return { ...stateOf(found), reused: true }
    },

    get: async reportId => stateOf(await read(reportId)),

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
        path: pathOf(reportId),
        effect: 'write',
        schema: z.looseObject({}),
      })
    },
  }
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every(name => b.includes(name))

/** True when the report that a duplicate's id leads to is exactly the requested one. */
function answersQuestion(
  { configuration, ...found }: ReportWire,
  { kind, startDate, endDate }: ReportQuestion,
): boolean {
  const { reportTypeId, groupBy, columns } = reportKinds[kind]
  return (
    found.startDate === startDate &&
    found.endDate === endDate &&
    configuration?.reportTypeId === reportTypeId &&
    configuration.timeUnit === 'DAILY' &&
    !configuration.filters.length &&
    isSameSet(groupBy, configuration.groupBy) &&
    isSameSet(columns, configuration.columns)
  )
}
