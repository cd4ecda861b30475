import type { Profile } from '../../core/model/store.ts'
import type { LocalHour } from '../local-hours.ts'
import type { AdProduct } from '../market.ts'
import type { Ledger } from '../records/ledger.ts'
import type { Good } from '../queries/listing.ts'
import type { Purse } from './budget.ts'
import type { PackedCampaign } from './packed-campaign.ts'
import type { TradeBook } from './sales.ts'

/** One seller in one marketplace: the shelf and, where there is a profile, its campaigns. */
export interface Shop {
  goods: readonly Good[]
  currency: string
  profile: Profile | null
  campaigns: readonly PackedCampaign[]
  /** The hour at which a campaign begins or ends by its dates, so that the campaigns must be packed anew. */
  validUntil: number
  ledgerOf(adProduct: AdProduct): Ledger
  trade: TradeBook
  purses: Map<string, Purse>
  localHour: (hourIndex: number) => LocalHour
  /** End of the history the world began with; stock is only used up after it. */
  openedAt: number
  seed: number
}
