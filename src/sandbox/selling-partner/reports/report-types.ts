import iconv from 'iconv-lite'
import { gzipSync } from 'node:zlib'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { dayIn } from '#shared/time.ts'
import { inventoryFile, listingsFile, openListingsFile, productsIn, type ReportSubject } from './flat-files.ts'
import { salesAndTraffic } from './sales-and-traffic.ts'

interface ReportType {
  write: (subject: ReportSubject) => string
  hasData: (subject: ReportSubject) => boolean
  /** JSON is always UTF-8 and always compressed; tables are neither. */
  json: boolean
  /** Values that each of its options can take; null for any. */
  options: Record<string, readonly string[] | null>
}

function table(write: ReportType['write']): ReportType {
  return {
    write,
    hasData: subject => productsIn(subject).length > 0,
    json: false,
    options: { custom: null },
  }
}

function hasSales({ market, sellerId, marketplaceId, from, to }: ReportSubject): boolean {
  const timezone = marketplaceByAmazonId(marketplaceId)?.timezone ?? 'UTC'
  return market.salesByDay(sellerId, marketplaceId, dayIn(from, timezone), dayIn(to, timezone)).length > 0
}

const types: Record<string, ReportType> = {
  GET_MERCHANT_LISTINGS_ALL_DATA: table(listingsFile),
  GET_FLAT_FILE_OPEN_LISTINGS_DATA: table(openListingsFile),
  GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA: table(inventoryFile),
  GET_FBA_MYI_ALL_INVENTORY_DATA: table(inventoryFile),
  GET_SALES_AND_TRAFFIC_REPORT: {
    write: salesAndTraffic,
    hasData: hasSales,
    json: true,
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
export const hasData = (subject: ReportSubject): boolean => types[subject.reportType]?.hasData(subject) ?? false

/** JSON files and files of Europe are compressed, the others are not. */
export function isCompressed(reportType: string, marketplaceId: string): boolean {
  return types[reportType]?.json === true || marketplaceByAmazonId(marketplaceId)?.region === 'EU'
}

/** Character set of a file: that of tables depends on their region. */
function charsetOf(reportType: string, marketplaceId: string): 'utf8' | 'Shift_JIS' | 'windows-1252' {
  if (types[reportType]?.json) return 'utf8'
  const marketplace = marketplaceByAmazonId(marketplaceId)
  if (marketplace?.key === 'JP') return 'Shift_JIS'
  return marketplace?.region === 'EU' ? 'windows-1252' : 'utf8'
}

/** The media type of a file. Its character set has the name that the file storage uses. */
export function mediaTypeOf(reportType: string, marketplaceId: string): string {
  const charset = charsetOf(reportType, marketplaceId)
  return `text/plain;charset=${{ utf8: 'UTF-8', 'windows-1252': 'Cp1252', Shift_JIS: 'Shift_JIS' }[charset]}`
}

/** The bytes of a report's file. Throws on an unknown type. */
export function reportFile(subject: ReportSubject): Buffer {
  const { reportType, marketplaceId } = subject
  const type = types[reportType]
  if (!type) throw new Error(`no such report: ${reportType}`)
  const bytes = iconv.encode(type.write(subject), charsetOf(reportType, marketplaceId))
  return isCompressed(reportType, marketplaceId) ? gzipSync(bytes) : bytes
}
