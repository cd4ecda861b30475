import type { TrafficSums } from '#shared/metrics.ts'
import type { MatchType, Placement } from '../entities/conversions.ts'
import type { Windows } from '../performance.ts'
import type { ReportKind } from './kinds.ts'

/** Which report to ask for. */
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

/** One day of one entity; parts that the report does not have are null. The sums of a day may change for weeks. */
export interface PerformanceRow extends TrafficSums {
  date: string
  campaignId: string
  adGroupId: string | null
  adId: string | null
  /** The keyword's or the target's id: one column has both. */
  targetId: string | null
  keywordText: string | null
  /** Null for targets that are not keywords. */
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
  topOfSearchShare: number | null
  /** Brands and Display have a window of 14 days only; their others are zero. */
  windows: Windows
}
