import { toMicros } from '#shared/money.ts'
import type { MatchType } from '../structure/entities.ts'
import { definitionOf } from './kinds.ts'
import type { PerformanceRow, ReportQuestion, ReportState, WindowFigures } from './vocabulary.ts'
import type { ReportWire } from './wire.ts'

const statuses: Record<string, ReportState['status']> = {
  PENDING: 'PENDING',
  PROCESSING: 'PROCESSING',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  FAILURE: 'FAILED',
}

export const fromReport = (wire: ReportWire): ReportState => ({
  reportId: wire.reportId,
  status: statuses[wire.status] ?? 'PROCESSING',
  url: wire.url ?? null,
  urlExpiresAt: wire.urlExpiresAt ? new Date(wire.urlExpiresAt) : null,
  fileSize: wire.fileSize ?? null,
  failureReason: wire.failureReason ?? null,
})

export const toReportRequest = ({ kind, startDate, endDate }: ReportQuestion) => {
  const { adProduct, reportTypeId, groupBy, columns } = definitionOf(kind)
  return {
    name: `${kind} ${startDate} ${endDate}`,
    startDate,
    endDate,
    configuration: {
      adProduct,
      reportTypeId,
      groupBy,
      columns,
      timeUnit: 'DAILY',
      format: 'GZIP_JSON',
    },
  }
}

const sameSet = (a: readonly string[], b: readonly string[] | null | undefined): boolean =>
  a.length === b?.length && a.every(name => b.includes(name))

/** True when a report found by a duplicate's id answers exactly this question. */
export const answersQuestion = (wire: ReportWire, question: ReportQuestion): boolean => {
  const { reportTypeId, groupBy, columns } = definitionOf(question.kind)
  const { configuration: found } = wire
  return (
    wire.startDate === question.startDate &&
    wire.endDate === question.endDate &&
    found?.reportTypeId === reportTypeId &&
    found.timeUnit === 'DAILY' &&
    !found.filters?.length &&
    sameSet(groupBy, found.groupBy) &&
    sameSet(columns, found.columns)
  )
}

/** The report's id out of a duplicate's sentence, or undefined. */
export const duplicateOf = (detail: string): string | undefined => /duplicate of\s*:?\s*([\w-]+)/i.exec(detail)?.[1]

type Cell = string | number | boolean | null | undefined
export type ReportRecord = Record<string, Cell>

const textOf = (cell: Cell): string | null => (cell === null || cell === undefined || cell === '' ? null : String(cell))
const countOf = (cell: Cell): number => (cell === null || cell === undefined || cell === '' ? 0 : Number(cell))
const moneyOf = (cell: Cell): number =>
  cell === null || cell === undefined || cell === '' ? 0 : toMicros(typeof cell === 'number' ? cell : String(cell))

const placements: Record<string, NonNullable<PerformanceRow['placement']>> = {
  'Top of Search on-Amazon': 'TOP_OF_SEARCH',
  'Detail Page on-Amazon': 'PRODUCT_PAGE',
  'Other on-Amazon': 'REST_OF_SEARCH',
  'Off Amazon': 'OFF_AMAZON',
}

const matchTypeOf = (row: ReportRecord): MatchType | null => {
  const name = textOf(row['keywordType']) ?? textOf(row['matchType'])
  return name === 'EXACT' || name === 'PHRASE' || name === 'BROAD' ? name : null
}

// Brands and Display tell 14 days only, without saying so in a column's name, or under names of their own.
const windowOf = (row: ReportRecord, days: string): WindowFigures => ({
  orders: countOf(row[`purchases${days}d`] ?? (days === '14' ? (row['purchases'] ?? row['orders14d']) : 0)),
  units: countOf(row[`unitsSoldClicks${days}d`] ?? (days === '14' ? (row['unitsSold'] ?? row['unitsSold14d']) : 0)),
  salesMicros: moneyOf(row[`sales${days}d`] ?? (days === '14' ? row['sales'] : 0)),
  sameSkuOrders: countOf(row[`purchasesSameSku${days}d`]),
  sameSkuUnits: countOf(row[`unitsSoldSameSku${days}d`]),
  sameSkuSalesMicros: moneyOf(row[`attributedSalesSameSku${days}d`]),
})

/** One row of a file in our words. Null for a row without day or campaign, which nothing could be counted to. */
export const fromReportRow = (row: ReportRecord): PerformanceRow | null => {
  const [date, campaignId] = [textOf(row['date']), textOf(row['campaignId'])]
  if (!date || !campaignId) return null
  const share = row['topOfSearchImpressionShare']
  return {
    date,
    campaignId,
    adGroupId: textOf(row['adGroupId']),
    adId: textOf(row['adId']),
    targetId: textOf(row['keywordId']) ?? textOf(row['targetingId']),
    keywordText: textOf(row['keyword']) ?? textOf(row['keywordText']),
    matchType: matchTypeOf(row),
    targeting: textOf(row['targeting']) ?? textOf(row['targetingText']),
    searchTerm: textOf(row['searchTerm']),
    placement: placements[textOf(row['placementClassification']) ?? ''] ?? null,
    asin: textOf(row['advertisedAsin']) ?? textOf(row['promotedAsin']),
    sku: textOf(row['advertisedSku']) ?? textOf(row['promotedSku']),
    purchasedAsin: textOf(row['purchasedAsin']),
    currency: textOf(row['campaignBudgetCurrencyCode']),
    impressions: countOf(row['impressions']),
    clicks: countOf(row['clicks']),
    costMicros: moneyOf(row['cost']),
    topOfSearchShare: share === null || share === undefined ? null : Number(share),
    windows: { 1: windowOf(row, '1'), 7: windowOf(row, '7'), 14: windowOf(row, '14'), 30: windowOf(row, '30') },
  }
}
