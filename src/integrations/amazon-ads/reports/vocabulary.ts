import type { MatchType, Placement } from '../structure/entities.ts'
import type { ReportKind } from './kinds.ts'

export interface ReportQuestion {
  kind: ReportKind
  /** yyyy-MM-dd in the profile's time zone, both included; at most 31 days, at most 95 back (Brands 60, Display 65). */
  startDate: string
  endDate: string
}

export interface ReportState {
  reportId: string
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /** Only when completed, and only until it expires; ask again for a fresh one. */
  url: string | null
  urlExpiresAt: Date | null
  fileSize: number | null
  failureReason: string | null
}

export interface WindowFigures {
  orders: number
  units: number
  salesMicros: number
  sameSkuOrders: number
  sameSkuUnits: number
  sameSkuSalesMicros: number
}

/** One day of one thing; parts that the kind does not have are null. Sums of a day may still move for weeks. */
export interface PerformanceRow {
  date: string
  campaignId: string
  adGroupId: string | null
  adId: string | null
  /** The keyword's or the target's id: one column holds both. */
  targetId: string | null
  keywordText: string | null
  /** Null for targets that are no keywords. */
  matchType: MatchType | null
  /** How the marketplace writes the target, for instance close-match or asin="B0…". */
  targeting: string | null
  searchTerm: string | null
  /** OFF_AMAZON is where no placement bid reaches. */
  placement: Placement | 'OFF_AMAZON' | null
  asin: string | null
  sku: string | null
  purchasedAsin: string | null
  currency: string | null
  impressions: number
  clicks: number
  costMicros: number
  topOfSearchShare: number | null
  /** By attribution window in days. Brands and Display know only 14; their others are zero. */
  windows: Record<'1' | '7' | '14' | '30', WindowFigures>
}
