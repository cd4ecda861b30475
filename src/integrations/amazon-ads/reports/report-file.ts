import { unpackedBytes } from '#server/http-client/download.ts'
import { parseLossless } from '#server/http-client/lossless.ts'
import { UpstreamError, UpstreamMalformed } from '#server/http-client/upstream-errors.ts'
import { type Cell, metricCells, placements, readTraffic, readWindows } from '../performance.ts'

type ReportRecord = Record<string, Cell>

const textOf = (cell: Cell): string | null => (cell === null || cell === undefined || cell === '' ? null : String(cell))

const cells = metricCells(({ products, brandsAndDisplay, brandsPurchases }, days) =>
  // Brands and Display have a window of 14 days only.
  days === '7' ? [products] : [products, brandsAndDisplay, brandsPurchases],
)

/**
 * One day of one entity in our terms; parts that the report does not have are null. The sums of a day may change for
 * weeks. Null for a row without day or campaign, which belongs to nothing.
 */
export function fromReportRow(row: ReportRecord) {
  const text = (column: string, otherwise = '') => textOf(row[column]) ?? textOf(row[otherwise])
  const [date, campaignId] = [text('date'), text('campaignId')]
  if (!date || !campaignId) return null
  return {
    date,
    campaignId,
    adGroupId: text('adGroupId'),
    adId: text('adId'),
    /** The keyword's or the target's id: one column has both. */
    targetId: text('keywordId', 'targetingId'),
    searchTerm: text('searchTerm'),
    placement: placements[text('placementClassification') ?? ''] ?? null,
    asin: text('advertisedAsin', 'promotedAsin'),
    purchasedAsin: text('purchasedAsin'),
    ...readTraffic(cells, row),
    /** That of 7 days is zero for Brands and Display. */
    windows: readWindows(cells, row),
  }
}
export type PerformanceRow = NonNullable<ReturnType<typeof fromReportRow>>

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
      yield* parseRows(splitter.push(decoder.decode(bytes, { stream: true })))
    yield* parseRows(splitter.push(decoder.decode()))
    splitter.end()
  } catch (error) {
    if (error instanceof UpstreamError) throw error
    throw new UpstreamMalformed(error instanceof Error ? error.message : 'broken file', { ...context, cause: error })
  }
}

function parseRows(elements: string): ReportRecord[] {
  const rows = parseLossless(`[${elements}]`) as unknown[]
  if (!rows.every(isRecord)) throw new SyntaxError('a row is no object')
  return rows
}

const isRecord = (row: unknown): row is ReportRecord => typeof row === 'object' && row !== null && !Array.isArray(row)

/**
 * Cuts a JSON array of objects, arriving in pieces, into texts of whole elements: `push` answers those that a piece
 * completes, with the commas between them, since many rows are parsed faster at once than one by one. `end` throws
 * SyntaxError unless the array was closed, so that a truncated file never passes for a complete one.
 */
function createArraySplitter() {
  let buffer = ''
  let at = 0
  let start = 0
  let depth = 0
  let inString = false
  let closed = false

  const push = (text: string): string => {
    buffer += text
    let [first, last] = [-1, -1]
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
        if (depth === 1) {
          if (first < 0) first = start
          last = at + 1
        }
        if (depth === 0) closed = true
      }
    }
    const elements = first < 0 ? '' : buffer.slice(first, last)
    // Drops what has been read, so that memory holds a piece and one element at a time.
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
