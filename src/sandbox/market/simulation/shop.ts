import type { Profile } from '../../core/model/store.ts'
import type { LocalHour } from '../local-hours.ts'
import type { AdProduct } from '../market.ts'
import type { Listing } from '../queries/listing.ts'
import type { Ledger } from '../records/ledger.ts'
import type { SalesStore } from '../records/sales.ts'
import type { BudgetState } from './budget.ts'
import type { PackedCampaign } from './packed-campaign.ts'

/** One seller in one marketplace: its listings and, where there is a profile, its campaigns. */
export interface Shop {
  listings: readonly Listing[]
  currency: string
  profile: Profile | null
  campaigns: readonly PackedCampaign[]
  /** The hour at which a campaign starts or ends by its dates, so that the campaigns must be packed again. */
  validUntil: number
  ledgerOf(adProduct: AdProduct): Ledger
  sales: SalesStore
  budgetStates: Map<string, BudgetState>
  localHour: (hourIndex: number) => LocalHour
  /** End of the history the world started with. Stock is only used up after it. */
  historyEnd: number
  seed: number
}

/** A product without stock today ran out some days before the history ended. From then on, the current stock counts. */
export const inStock = ({ historyEnd }: Shop, { product, seed }: Listing, hour: number): boolean =>
  product.fulfillable > 0 || (hour < historyEnd && hour < historyEnd - 24 * (4 + (seed % 15)))

export function takeFromStock({ historyEnd }: Shop, { product }: Listing, units: number, hour: number): void {
  if (hour >= historyEnd) product.fulfillable = Math.max(0, product.fulfillable - units)
}
