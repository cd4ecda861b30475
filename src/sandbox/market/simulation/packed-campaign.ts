import { hashText } from '../random.ts'
import type { PlacementSlot } from './auction.ts'
import type { CampaignCandidates, Candidate } from './candidates.ts'

/** The placement slots in which a candidate can appear. */
interface CandidateSlots {
  slots: readonly PlacementSlot[]
  /** Auctions at the top of search that it loses, on average, for each impression it wins in any placement. */
  lostAtTop: number
}

/**
 * Lost auctions are counted by impressions won, so they come in the same waves and never exceed the auctions that
 * took place.
 */
function candidateSlots(slots: readonly PlacementSlot[], rate: number): CandidateSlots {
  const top = slots.filter(slot => slot.placement === 'PLACEMENT_TOP')
  return { slots, lostAtTop: top.reduce((sum, slot) => sum + slot.available - slot.impressions, 0) / rate }
}

/** A campaign's candidates, with what the hourly loop reads of them in typed arrays. */
export interface PackedCampaign extends CampaignCandidates {
  rates: Float64Array
  seeds: Int32Array
  from: Float64Array
  to: Float64Array
  /** Each candidate's dimension key in the ledger; -1 before its first impression. */
  dimensionKeys: Int32Array
  /** Categories of the queries, and the index into them of each candidate's. */
  categoryIds: readonly string[]
  categoryIndexes: Int32Array
  seed: number
  candidateAt(index: number): Candidate
  slotsAt(index: number): CandidateSlots
}

/** Packs the candidates of a campaign that has some. */
export function packCampaign(campaign: CampaignCandidates, seed: number): PackedCampaign {
  const { candidates } = campaign
  const categoryIds = [...new Set(candidates.map(candidate => candidate.query.categoryId))]
  const slotsByIndex = new Map<number, CandidateSlots>()
  return {
    ...campaign,
    categoryIds,
    categoryIndexes: Int32Array.from(candidates, candidate => categoryIds.indexOf(candidate.query.categoryId)),
    rates: Float64Array.from(candidates, candidate => candidate.rate),
    seeds: Int32Array.from(candidates, candidate => candidate.seed),
    from: Float64Array.from(candidates, candidate => candidate.from),
    to: Float64Array.from(candidates, candidate => candidate.to),
    dimensionKeys: new Int32Array(candidates.length).fill(-1),
    seed: hashText(campaign.campaignId, seed),
    candidateAt: index => candidates[index] as Candidate,
    slotsAt(index) {
      let slots = slotsByIndex.get(index)
      if (!slots) {
        const candidate = candidates[index] as Candidate
        slotsByIndex.set(index, (slots = candidateSlots(campaign.slotsOf(candidate), candidate.rate)))
      }
      return slots
    },
  }
}
