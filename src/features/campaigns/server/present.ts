import { type FigureSums, toFigures } from '#shared/metrics.ts'
import { fromMicros } from '#shared/money.ts'
import type { Ad, AdGroup, Campaign, EntityState, NegativeRow, Target } from '../contract.ts'
import type {
  AdColumns,
  AdGroupColumns,
  CampaignColumns,
  MirroredColumns,
  NegativeColumns,
  TargetColumns,
} from './sql/row-columns.ts'

const money = (micros: number | null): number | null => (micros === null ? null : fromMicros(micros))

const mirrored = (row: MirroredColumns) => ({
  id: row.id,
  amazonId: row.amazonId,
  // The marketplace knows no other states (its v3 specification), and what we propose bears our own.
  state: row.state as EntityState,
  servingStatus: row.servingStatus,
  syncState: row.syncState,
  syncError: row.syncError,
  version: row.version,
})

export const presentCampaign = (row: CampaignColumns, currency: string): Campaign => ({
  ...mirrored(row),
  name: row.name,
  adType: row.adType,
  targetingType: row.targetingType,
  currency,
  budget: money(row.budgetMicros),
  biddingStrategy: row.biddingStrategy,
  placements: row.bidding?.placements ?? [],
  startDate: row.startDate,
  endDate: row.endDate,
  targetAcos: row.targetAcos,
})

export const presentAdGroup = (row: AdGroupColumns, currency: string): AdGroup => ({
  ...mirrored(row),
  name: row.name,
  campaignId: row.campaignId,
  campaignName: row.campaignName,
  currency,
  defaultBid: money(row.defaultBidMicros),
})

export const presentAd = (row: AdColumns, currency: string): Ad => ({
  ...mirrored(row),
  campaignId: row.campaignId,
  adGroupId: row.adGroupId,
  asin: row.asin,
  sku: row.sku,
  currency,
})

export const presentTarget = (row: TargetColumns, currency: string): Target => ({
  ...mirrored(row),
  campaignId: row.campaignId,
  adGroupId: row.adGroupId,
  kind: row.kind,
  text: row.text,
  matchType: row.matchType,
  currency,
  bid: money(row.bidMicros),
})

export const presentNegative = (row: NegativeColumns): NegativeRow => ({
  ...mirrored(row),
  campaignId: row.campaignId,
  adGroupId: row.adGroupId,
  kind: row.kind,
  text: row.text,
  matchType: row.matchType,
})

export const presentCampaignRow = (row: CampaignColumns & FigureSums, currency: string) => ({
  ...presentCampaign(row, currency),
  ...toFigures(row),
})

export const presentAdGroupRow = (row: AdGroupColumns & FigureSums, currency: string) => ({
  ...presentAdGroup(row, currency),
  ...toFigures(row),
})

export const presentAdRow = (row: AdColumns & FigureSums, currency: string) => ({
  ...presentAd(row, currency),
  ...toFigures(row),
})

export const presentTargetRow = (row: TargetColumns & FigureSums, currency: string) => ({
  ...presentTarget(row, currency),
  ...toFigures(row),
})
