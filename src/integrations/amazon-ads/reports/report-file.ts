import { unpackedBytes } from '#server/http-client/download/file-bytes.ts'
import { parseLossless } from '#server/http-client/lossless.ts'
import { UpstreamError, UpstreamMalformed } from '#server/http-client/upstream-errors.ts'
import { createArraySplitter } from './array-splitter.ts'
import type { ReportRecord } from './mapper.ts'

const context = { upstream: 'amazon-ads', operation: 'read report file' }

/**
 * The rows of a report file as it streams in. Numbers too long for a double (the ids) come as text. Throws
 * UpstreamMalformed when the file is broken or ends early, by then having yielded its good part: keep nothing of a file
 * whose iteration threw.
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

const parseRow = (text: string): ReportRecord => {
  const row = parseLossless(text)
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new SyntaxError('a row is no object')
  return row as ReportRecord
}
