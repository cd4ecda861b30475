import { parse } from 'csv-parse/sync'
import iconv from 'iconv-lite'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { canonicalHeader } from './headers.ts'
import type { FileRow } from './vocabulary.ts'

/**
 * A report's text. Files do not say how they are encoded: what is valid UTF-8 is UTF-8, else it is Shift_JIS in Japan
 * and Windows-1252 elsewhere [selling-partner-api-docs issue 2423].
 */
export const decodeText = (bytes: Buffer, marketplaceId: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const charset = marketplaceByAmazonId(marketplaceId)?.key === 'JP' ? 'Shift_JIS' : 'win1252'
    return iconv.decode(bytes, charset)
  }
}

/**
 * The rows of a tab-separated file by canonical header. Quotes are plain characters in these files (a title may begin
 * with one), short rows lack their last columns, and the last line may be cut short by nothing but its line end.
 */
export const parseTable = (text: string): FileRow[] =>
  parse<FileRow>(text, {
    delimiter: '\t',
    quote: false,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    columns: (headers: string[]) => headers.map(canonicalHeader),
  })
