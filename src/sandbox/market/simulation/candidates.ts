import type { Profile } from '../../core/model/store.ts'
import { bestMatch } from '../queries/listing.ts'
import { hashText } from '../random.ts'
import type { Match, PlacementSlot } from './auction.ts'
import type { AdGroupPlan, CampaignPlan } from './plans/plan.ts'
import { intersect } from './plans/serving-windows.ts'

/** One ad × target × query: the unit that takes part in auctions. */
export interface Candidate extends Match {
  /** Its position among all candidates of the campaign, including those that no longer serve. */
  number: number
  adGroupId: string
  adId: string
  targetId: string
  bidMicros: number
  seed: number
  /** The most it ever pays for a click. Candidates of one seller share a query by it. */
  capMicros: number
  /** Its part of the query, where several of the seller's candidates match it. */
  share: number
  /** Impressions in an average hour over all placements, its share applied. */
  rate: number
  /** Hours since 1970 in which it serves: from (included) to (excluded). */
  from: number
  to: number
}

export interface CampaignCandidates
  extends Pick<CampaignPlan, 'campaignId' | 'adProduct' | 'budgetMicros' | 'lifetimeBudget'> {
  profile: Profile
  /** Without those that ended before. */
  candidates: Candidate[]
  /** How many there are, including those that ended before. */
  total: number
  /** The placement slots of a candidate, its share applied. They are many, and most hours need none. */
  slotsOf(candidate: Candidate): PlacementSlot[]
}

function rateAndCap(slots: readonly PlacementSlot[]): { rate: number; capMicros: number } {
  let [rate, capMicros] = [0, 0]
  for (const slot of slots) {
    rate += slot.impressions
    capMicros = Math.max(capMicros, slot.viewMicros || slot.capMicros)
  }
  return { rate, capMicros }
}

interface Collection {
  plan: CampaignPlan
  candidates: Candidate[]
  total: number
  nextHour: number
  seed: number
}

function addAdGroup(collection: Collection, { adGroupId, ads, targets, blockedFrom }: AdGroupPlan): void {
  const { plan, candidates, nextHour } = collection
  for (const { id, bidMicros, window, queries } of targets) {
    for (const query of queries) {
      const number = collection.total++
      const match = bestMatch(query, ads)
      if (!match) continue
      const { option: ad, fit } = match
      const serving = intersect(intersect(ad.window, window), { from: 0, to: blockedFrom(query) })
      // What was blocked or switched off earlier no longer competes for its query.
      if (serving.from >= serving.to || serving.to <= nextHour) continue
      const { from, to } = intersect(serving, plan.dates)
      candidates.push({
        number,
        adGroupId,
        adId: ad.adId,
        targetId: id,
        query,
        listing: ad.listing,
        fit,
        bidMicros,
        seed: hashText(`${id}|${query.text}`, collection.seed),
        ...rateAndCap(plan.slotsOf(match, bidMicros)),
        share: 1,
        from,
        to,
      })
    }
  }
}

/** True before a campaign's first day, and once it has ended or somebody has stopped it. */
const isIdle = ({ life, dates }: CampaignPlan, hour: number): boolean =>
  (life.from <= hour && hour < dates.from) || dates.to <= hour || life.to <= hour

/** The next hour at which a campaign starts or ends by its dates, so that its candidates change. */
export const nextDateOf = ({ life, dates }: CampaignPlan, hour: number): number =>
  life.from <= hour && hour < dates.from ? dates.from : dates.to > hour ? dates.to : Number.POSITIVE_INFINITY

/**
 * Every candidate of a campaign that runs at `nextHour` and has not ended by then. Of several ads in a group, the one
 * that matches a query best takes part. Valid until a campaign starts or ends by its dates.
 */
export function candidatesOf(plan: CampaignPlan, profile: Profile, nextHour: number, seed: number): CampaignCandidates {
  const collection: Collection = { plan, candidates: [], total: 0, nextHour, seed }
  if (!isIdle(plan, nextHour)) for (const adGroup of plan.adGroups()) addAdGroup(collection, adGroup)
  const { campaignId, adProduct, budgetMicros, lifetimeBudget } = plan
  return {
    campaignId,
    adProduct,
    budgetMicros,
    lifetimeBudget,
    profile,
    candidates: collection.candidates,
    total: collection.total,
    slotsOf(candidate) {
      const slots = plan.slotsOf(candidate, candidate.bidMicros)
      const { share } = candidate
      if (share === 1) return slots
      return slots.map(slot => ({
        ...slot,
        available: slot.available * share,
        impressions: slot.impressions * share,
      }))
    },
  }
}

function shareQuery(candidates: readonly Candidate[]): void {
  if (candidates.length === 1) return
  const weights = candidates.map(candidate => candidate.capMicros ** 3)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  for (const [i, candidate] of candidates.entries()) {
    candidate.share = total === 0 ? 0 : (weights[i] as number) / total
    candidate.rate *= candidate.share
  }
}

/** A seller never bids against itself: its candidates for one query share what the best of them would have won. */
export function shareQueries(campaigns: readonly CampaignCandidates[]): void {
  for (const ofAdProduct of Map.groupBy(campaigns, campaign => campaign.adProduct).values()) {
    const byQuery = new Map<string, Candidate[]>()
    for (const { candidates } of ofAdProduct)
      for (const candidate of candidates) {
        const sameQuery = byQuery.get(candidate.query.text)
        if (sameQuery) sameQuery.push(candidate)
        else byQuery.set(candidate.query.text, [candidate])
      }
    for (const candidates of byQuery.values()) shareQuery(candidates)
  }
}
