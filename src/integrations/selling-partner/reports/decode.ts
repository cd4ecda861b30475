import iconv from 'iconv-lite'
import { parse } from 'csv-parse/sync'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { toMicros } from '#shared/money.ts'

/** A row of a table file, by canonical header; unknown headers keep their own name. */
type FileRow = Record<string, string>

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
function parseTable(text: string): FileRow[] {
  return parse<FileRow>(text, {
    delimiter: '\t',
    quote: false,
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

const textOf = (cell: string | undefined): string | null => cell?.trim() || null

/** An amount as any marketplace writes it: 1,234.56, 1.234,56 or 12,5; null when it is none. */
export function parseAmount(cell: string | undefined): number | null {
  const text = cell?.replaceAll(/[\s\u00a0]/g, '') ?? ''
  const comma = text.lastIndexOf(',') > text.lastIndexOf('.')
  // A single comma with three digits behind it groups thousands, as no price has three decimals.
  const grouped = comma && /^\d{1,3}(,\d{3})+$/.test(text)
  const plain = comma && !grouped ? text.replaceAll('.', '').replace(',', '.') : text.replaceAll(',', '')
  return /^\d+(\.\d+)?$/.test(plain) ? toMicros(plain) : null
}

function countOf(cell: string | undefined): number | null {
  const count = Number(textOf(cell) ?? Number.NaN)
  return Number.isFinite(count) ? count : null
}

/** A row of GET_MERCHANT_LISTINGS_ALL_DATA; null without a sku. Its price is in the marketplace's currency. */
function fromListingRow(row: FileRow) {
  const sku = textOf(row['seller-sku'])
  if (!sku) return null
  return {
    sku,
    // Older files leave asin1 empty and have the asin as product id of type 1.
    asin: textOf(row['asin1']) ?? (row['product-id-type']?.trim() === '1' ? textOf(row['product-id']) : null),
    title: textOf(row['item-name']),
    imageUrl: textOf(row['image-url']),
    priceMicros: parseAmount(row['price']),
    quantity: countOf(row['quantity']),
    fulfilledByAmazon: textOf(row['fulfillment-channel'])?.toUpperCase().startsWith('AMAZON') ?? false,
    status: textOf(row['status']),
  }
}

/** A row of GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA; null without a sku. */
function fromInventoryRow(row: FileRow) {
  const sku = textOf(row['sku'])
  if (!sku) return null
  return {
    sku,
    asin: textOf(row['asin']),
    fnsku: textOf(row['fnsku']),
    title: textOf(row['product-name']),
    condition: textOf(row['condition']),
    priceMicros: parseAmount(row['your-price']),
    available: countOf(row['afn-fulfillable-quantity']) ?? 0,
    unfulfillable: countOf(row['afn-unsellable-quantity']) ?? 0,
    reserved: countOf(row['afn-reserved-quantity']) ?? 0,
    inboundWorking: countOf(row['afn-inbound-working-quantity']) ?? 0,
    inboundShipped: countOf(row['afn-inbound-shipped-quantity']) ?? 0,
    inboundReceiving: countOf(row['afn-inbound-receiving-quantity']) ?? 0,
    total: countOf(row['afn-total-quantity']) ?? 0,
  }
}

const rowsBy =
  <T>(fromRow: (row: FileRow) => T | null) =>
  (bytes: Buffer, marketplaceId: string): T[] =>
    parseTable(decodeText(bytes, marketplaceId))
      .map(fromRow)
      .filter(row => row !== null)

/** The rows of a table file of one marketplace, by report. Throws when the file is not a table. */
export const tableRows = { listings: rowsBy(fromListingRow), inventory: rowsBy(fromInventoryRow) }
