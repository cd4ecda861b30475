import { hashText } from '../chance.ts'
import type { Slot } from './auction.ts'
import type { CampaignLanes, Lane } from './lanes.ts'

/** A campaign's lanes with what the hourly loop reads of them side by side. */
export interface PackedCampaign extends CampaignLanes {
  rates: Float64Array
  seeds: Int32Array
  from: Float64Array
  to: Float64Array
  /** Number of each lane's party in the ledger; -1 before it first met anybody. */
  parties: Int32Array
  /** Categories its searches belong to, and the number among them of each lane's. */
  categoryIds: readonly string[]
  category: Int32Array
  seed: number
  laneAt(index: number): Lane
  slotsAt(index: number): readonly Slot[]
}

/** Packs the lanes of a campaign; it has some. */
export const packCampaign = (campaign: CampaignLanes, seed: number): PackedCampaign => {
  const { lanes } = campaign
  const categoryIds = [...new Set(lanes.map(lane => lane.term.categoryId))]
  const slots = new Map<number, readonly Slot[]>()
  return {
    ...campaign,
    categoryIds,
    category: Int32Array.from(lanes, lane => categoryIds.indexOf(lane.term.categoryId)),
    rates: Float64Array.from(lanes, lane => lane.rate),
    seeds: Int32Array.from(lanes, lane => lane.seed),
    from: Float64Array.from(lanes, lane => lane.from),
    to: Float64Array.from(lanes, lane => lane.to),
    parties: new Int32Array(lanes.length).fill(-1),
    seed: hashText(campaign.campaignId, seed),
    laneAt: index => lanes[index] as Lane,
    slotsAt(index) {
      let found = slots.get(index)
      if (!found) slots.set(index, (found = campaign.slotsOf(lanes[index] as Lane)))
      return found
    },
  }
}
