import type { Store } from '../../core/model/store.ts'
import type { Market } from '../../market/market.ts'

/** What was asked for, and what a file is written from. */
export interface ReportSubject {
  reportType: string
  sellerId: string
  marketplaceId: string
  from: Date
  to: Date
  options: Record<string, string>
  store: Store
  market: Market
}
