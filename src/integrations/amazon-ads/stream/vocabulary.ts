import type { TrafficSums } from '#shared/metrics.ts'
import type { Micros } from '#shared/money.ts'
import type { Windows } from '../performance.ts'
import type { Placement } from '../entities/conversions.ts'

export type TrafficDataset = 'sp-traffic' | 'sb-traffic' | 'sd-traffic'
export type ConversionDataset = 'sp-conversion' | 'sb-conversion' | 'sd-conversion'
export type StreamDataset = TrafficDataset | ConversionDataset | 'budget-usage'

interface HourlyDelta {
  /** Repeated deliveries have the same one; count each once. */
  idempotencyId: string
  advertiserId: string
  marketplaceId: string
  campaignId: string
  adGroupId: string
  adId: string
  /** The keyword's or target's id. */
  targetId: string
  placement: Placement | 'OFF_AMAZON' | null
  currency: string
  /** The beginning of the hour that the figures belong to. */
  hour: Date
}

/** A change of an hour's figures; corrections are negative. The hour's figures are the sum of its deltas. */
export interface TrafficDelta extends HourlyDelta, TrafficSums {
  dataset: TrafficDataset
  keywordText: string | null
  matchType: string | null
}

export interface ConversionDelta extends HourlyDelta {
  dataset: ConversionDataset
  /** Brands report 14 days only. */
  windows: Windows
}

export interface BudgetUsageEvent {
  dataset: 'budget-usage'
  advertiserId: string
  marketplaceId: string
  /** The campaign's or portfolio's id. */
  scopeId: string
  scopeType: string
  product: string
  budgetMicros: Micros
  usagePercent: number
  updatedAt: Date
}

export type StreamRecord = TrafficDelta | ConversionDelta | BudgetUsageEvent

export type StreamDelivery =
  | { kind: 'records'; receipt: string; records: StreamRecord[] }
  /** A message that cannot be read: log it, then acknowledge it, or it comes back for ever. */
  | { kind: 'unreadable'; receipt: string; reason: string }
  /** A message that the marketplace's topic did not sign: log it, then acknowledge it, and believe nothing in it. */
  | { kind: 'forged'; receipt: string; reason: string }

export interface StreamSubscription {
  subscriptionId: string
  dataset: string
  status: string
  destinationArn: string | null
}
