import iconv from 'iconv-lite'
import { parse } from 'csv-parse/sync'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { FileRow } from './vocabulary.ts'

/**
 * A report's text. Files do not say how they are encoded: what is valid UTF-8 is UTF-8, else it is Shift_JIS in Japan
 * and Windows-1252 elsewhere [selling-partner-api-docs issue 2423].
 */
export function decodeText(bytes: Buffer, marketplaceId: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const charset = marketplaceByAmazonId(marketplaceId)?.key === 'JP' ? 'Shift_JIS' : 'win1252'
    return iconv.decode(bytes, charset)
  }
}

/**
 * The rows of a tab-separated file by canonical header. Quotes are plain characters in these files (a title may begin
 * with one), short rows lack their last columns, and the last line may lack its line end.
 */
export function parseTable(text: string): FileRow[] {
  return parse<FileRow>(text, {
    delimiter: '\t',
    quote: false,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    columns: (headers: string[]) => headers.map(canonicalHeader),
  })
}

/**
 * The canonical header of a column that some marketplaces name in their own language. Only the columns that are
 * read are listed. Not official: headers as sellers have published them; an unknown one keeps its name.
 */
const localized: Record<string, string> = {
  artikelbezeichnung: 'item-name',
  artikelbeschreibung: 'item-description',
  'händler-sku': 'seller-sku',
  preis: 'price',
  menge: 'quantity',
  'versand-kanal': 'fulfillment-channel',
  'asin 1': 'asin1',
  商品名: 'item-name',
  出品者sku: 'seller-sku',
  価格: 'price',
  数量: 'quantity',
  商品画像url: 'image-url',
  'フルフィルメント・チャンネル': 'fulfillment-channel',
  ステータス: 'status',
  'asin-1': 'asin1',
}

/** Header names in one spelling: small letters, hyphens, our language where the translation is known. */
function canonicalHeader(header: string): string {
  const name = header.trim().toLowerCase()
  return localized[name] ?? name.replaceAll(/[\s_]+/g, '-')
}
