import iconv from 'iconv-lite'
import { gzipSync } from 'node:zlib'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { dayIn } from '#shared/time.ts'
import { productsIn } from '../operations/product-fields.ts'
import type { StoredFile } from '../signed-files.ts'
import { inventoryFile, listingsFile, openListingsFile, type ReportSubject } from './flat-files.ts'
import { salesAndTraffic } from './sales-and-traffic.ts'

interface ReportType {
  write: (subject: ReportSubject) => string
  /** Values that each of its options can take; null for any. */
  options: Record<string, readonly string[] | null>
}

const SALES_AND_TRAFFIC = 'GET_SALES_AND_TRAFFIC_REPORT'
const types: Record<string, ReportType> = {
  GET_MERCHANT_LISTINGS_ALL_DATA: { write: listingsFile, options: { custom: null } },
  GET_FLAT_FILE_OPEN_LISTINGS_DATA: { write: openListingsFile, options: { custom: null } },
  GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA: { write: inventoryFile, options: { custom: null } },
  GET_FBA_MYI_ALL_INVENTORY_DATA: { write: inventoryFile, options: { custom: null } },
  [SALES_AND_TRAFFIC]: {
    write: salesAndTraffic,
    options: { dateGranularity: ['DAY', 'WEEK', 'MONTH'], asinGranularity: ['PARENT', 'CHILD', 'SKU'] },
  },
}

export const isReportType = (reportType: string): boolean => Object.hasOwn(types, reportType)

/** True when a report of this type has the option and accepts the value. */
export function isOption(reportType: string, name: string, value: string): boolean {
  const options = types[reportType]?.options ?? {}
  return Object.hasOwn(options, name) && (options[name]?.includes(value) ?? true)
}

/** False when a report would be about nothing. */
export function hasData({ reportType, store, market, sellerId, marketplaceId, from, to }: ReportSubject): boolean {
  if (reportType !== SALES_AND_TRAFFIC) return productsIn(store, marketplaceId, sellerId).length > 0
  const timezone = marketplaceByAmazonId(marketplaceId)?.timezone ?? 'UTC'
  return market.salesByDay(sellerId, marketplaceId, dayIn(from, timezone), dayIn(to, timezone)).length > 0
}

/** JSON files and files of Europe are compressed, the others are not. */
export function isCompressed(reportType: string, marketplaceId: string): boolean {
  return reportType === SALES_AND_TRAFFIC || marketplaceByAmazonId(marketplaceId)?.region === 'EU'
}

/** A report's file. JSON is always UTF-8; the character set of tables depends on their region. Throws on an unknown type. */
export function reportFile(subject: ReportSubject): StoredFile {
  const { reportType, marketplaceId } = subject
  const type = types[reportType]
  if (!type) throw new Error(`no such report: ${reportType}`)
  const { key, region } = marketplaceByAmazonId(marketplaceId) ?? {}
  const isTable = reportType !== SALES_AND_TRAFFIC
  const charset = isTable && key === 'JP' ? 'Shift_JIS' : isTable && region === 'EU' ? 'Cp1252' : 'UTF-8'
  const bytes = iconv.encode(type.write(subject), charset)
  return {
    bytes: isCompressed(reportType, marketplaceId) ? gzipSync(bytes) : bytes,
    type: `text/plain;charset=${charset}`,
  }
}
