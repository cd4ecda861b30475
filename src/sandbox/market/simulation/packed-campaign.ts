import { hashText } from '../random.ts'
import type { Slot } from './auction.ts'
import type { CampaignLanes, Lane } from './candidates.ts'

/** Where a lane's ad may appear. */
interface Places {
  slots: readonly Slot[]
  /** Auctions at the top of search that it loses for each impression it wins in any place, in the mean. */
  missedAtTop: number
}

/**
 * Counted by impressions, the auctions that were lost come in the same waves as those that were won, and the won ones
 * are never more than all.
 */
const placesOf = (slots: readonly Slot[], rate: number): Places => {
  const top = slots.filter(slot => slot.placement === 'PLACEMENT_TOP')
  return { slots, missedAtTop: top.reduce((sum, slot) => sum + slot.available - slot.impressions, 0) / rate }
}

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
  placesAt(index: number): Places
}

/** Packs the lanes of a campaign; it has some. */
export const packCampaign = (campaign: CampaignLanes, seed: number): PackedCampaign => {
  const { lanes } = campaign
  const categoryIds = [...new Set(lanes.map(lane => lane.term.categoryId))]
  const places = new Map<number, Places>()
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
    placesAt(index) {
      let found = places.get(index)
      if (!found) {
        const lane = lanes[index] as Lane
        places.set(index, (found = placesOf(campaign.slotsOf(lane), lane.rate)))
      }
      return found
    },
  }
}
