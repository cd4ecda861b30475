import { type Cell, inWindow, placements, readTraffic, readWindows } from '../performance.ts'
import type { MatchType } from '../entities/conversions.ts'
import { reportKinds } from './kinds.ts'
import type { PerformanceRow, ReportQuestion, ReportState } from './vocabulary.ts'
import type { ReportWire } from './wire.ts'

const statuses: Record<string, ReportState['status']> = {
  PENDING: 'PENDING',
  PROCESSING: 'PROCESSING',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  FAILURE: 'FAILED',
}

export function fromReport(wire: ReportWire): ReportState {
  return {
    reportId: wire.reportId,
    status: statuses[wire.status] ?? 'PROCESSING',
    url: wire.url ?? null,
    urlExpiresAt: wire.urlExpiresAt ? new Date(wire.urlExpiresAt) : null,
    fileSize: wire.fileSize ?? null,
    failureReason: wire.failureReason ?? null,
  }
}

export function toReportRequest({ kind, startDate, endDate }: ReportQuestion) {
  const { adProduct, reportTypeId, groupBy, columns } = reportKinds[kind]
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

/** True when the report that a duplicate's id leads to is exactly the requested one. */
export function answersQuestion(wire: ReportWire, question: ReportQuestion): boolean {
  const { reportTypeId, groupBy, columns } = reportKinds[question.kind]
  const { configuration } = wire
  return (
    wire.startDate === question.startDate &&
    wire.endDate === question.endDate &&
    configuration?.reportTypeId === reportTypeId &&
    configuration.timeUnit === 'DAILY' &&
    !configuration.filters?.length &&
    sameSet(groupBy, configuration.groupBy) &&
    sameSet(columns, configuration.columns)
  )
}

/** The report's id in the detail of a duplicate, or undefined. */
export const duplicateOf = (detail: string): string | undefined => /duplicate of\s*:?\s*([\w-]+)/i.exec(detail)?.[1]

export type ReportRecord = Record<string, Cell>

const textOf = (cell: Cell): string | null => (cell === null || cell === undefined || cell === '' ? null : String(cell))

function matchTypeOf(row: ReportRecord): MatchType | null {
  const name = textOf(row['keywordType']) ?? textOf(row['matchType'])
  return name === 'EXACT' || name === 'PHRASE' || name === 'BROAD' ? name : null
}

/** One row of a file in our terms. Null for a row without day or campaign, which belongs to nothing. */
export function fromReportRow(row: ReportRecord): PerformanceRow | null {
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
    ...readTraffic(({ products, brandsAndDisplay }) => row[products ?? ''] ?? row[brandsAndDisplay ?? '']),
    topOfSearchShare: share === null || share === undefined ? null : Number(share),
    windows: readWindows(({ products, brandsAndDisplay, brandsPurchases }, days) => {
      const cell = row[inWindow(products ?? '', days)]
      return days === '14' ? (cell ?? row[brandsAndDisplay ?? ''] ?? row[brandsPurchases ?? '']) : cell
    }),
  }
}
