import { z } from 'zod'
import type { HttpClient } from '#server/http-client/http-client.ts'
import { openDownload } from '#server/http-client/download/open-download.ts'
import { UpstreamMalformed, UpstreamRejected, UpstreamError } from '#server/http-client/upstream-errors.ts'
import type { AdsCall } from '../client.ts'
import {
  answersQuestion,
  duplicateOf,
  fromReport,
  fromReportRow,
  toReportRequest,
  type ReportRecord,
} from './mapper.ts'
import type { PerformanceRow, ReportQuestion, ReportState } from './vocabulary.ts'
import { deletedWire, duplicateWire, reportWire } from './wire.ts'
import { unpackedBytes } from '#server/http-client/download/file-bytes.ts'
import { parseLossless } from '#server/http-client/lossless.ts'

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

const context = { upstream: 'amazon-ads', operation: 'read report file' }

/**
 * The rows of a report file as it streams in. Numbers too long for a double (the ids) come as text. Throws
 * UpstreamMalformed when the file is broken or ends early, after yielding its good part: discard the rows of a file whose
 * iteration threw.
 */
export async function* readReportFile(body: AsyncIterable<Uint8Array>): AsyncGenerator<ReportRecord, void, undefined> {
  const splitter = createArraySplitter()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const bytes of unpackedBytes(body))
      for (const text of splitter.push(decoder.decode(bytes, { stream: true }))) yield parseRow(text)
    for (const text of splitter.push(decoder.decode())) yield parseRow(text)
    splitter.end()
  } catch (error) {
    if (error instanceof UpstreamError) throw error
    throw new UpstreamMalformed(error instanceof Error ? error.message : 'broken file', { ...context, cause: error })
  }
}

function parseRow(text: string): ReportRecord {
  const row = parseLossless(text)
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new SyntaxError('a row is no object')
  return row as ReportRecord
}

/**
 * Cuts a JSON array of objects, arriving in pieces, into the texts of its elements. Feed it with `push`; `end` throws
 * SyntaxError unless the array was closed, so that a truncated file never passes for a complete one.
 */
function createArraySplitter() {
  let buffer = ''
  let at = 0
  let start = 0
  let depth = 0
  let inString = false
  let closed = false

  const push = (text: string): string[] => {
    buffer += text
    const elements: string[] = []
    for (; at < buffer.length; at++) {
      const char = buffer.charCodeAt(at)
      if (inString) {
        if (char === BACKSLASH) {
          // The escaped character may be in the next piece.
          if (at + 1 >= buffer.length) break
          at++
        } else if (char === QUOTE) inString = false
      } else if (char === QUOTE) inString = true
      else if (char === OPEN_OBJECT || char === OPEN_ARRAY) {
        if (depth === 0 && char !== OPEN_ARRAY) throw new SyntaxError('not a JSON array')
        if (depth === 1) start = at
        depth++
      } else if (char === CLOSE_OBJECT || char === CLOSE_ARRAY) {
        depth--
        if (depth === 1) elements.push(buffer.slice(start, at + 1))
        if (depth === 0) closed = true
      }
    }
    // Drops what has been read, so that memory holds one element at a time.
    const keep = depth >= 2 ? start : at
    buffer = buffer.slice(keep)
    at -= keep
    start = 0
    return elements
  }

  const end = (): void => {
    if (!closed) throw new SyntaxError('the array is not closed')
  }
  return { push, end }
}

const QUOTE = 34
const BACKSLASH = 92
const OPEN_ARRAY = 91
const CLOSE_ARRAY = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125
