import { getOrMake } from '../get-or-make.ts'
import { bestMatch } from '../queries/listing.ts'
import { hashText } from '../random.ts'
import type { Conditions, Match, PlacementSlot } from './auction.ts'
import type { CampaignPlan } from './campaign-plans.ts'
import type { ConditionsOf, Moment } from './conditions.ts'
import { intersect } from './serving-windows.ts'

/** One ad × target × query: the unit that takes part in auctions. */
export interface Candidate extends Match {
  /** Its position among all candidates of the campaign, including those that no longer serve. */
  number: number
  adGroupId: string
  adId: string
  targetId: string
  bidMicros: number
  seed: number
  /** Its part of each place, where several of the seller's candidates match the query; else null. */
  shares: readonly number[] | null
  /** Hours since 1970 in which it serves: from (included) to (excluded). */
  from: number
  to: number
}

/** What a candidate may win and pay in one place. */
interface Prospect {
  /** Impressions in an hour of average demand under the best conditions. */
  impressions: number
  /** The most it ever pays. Candidates of one seller share a place by it. */
  capMicros: number
}

interface CampaignCandidates {
  plan: CampaignPlan
  /** Without those that ended before. */
  candidates: Candidate[]
  /** Of each candidate, by place. */
  prospects: Prospect[][]
  /** How many there are, including those that ended before. */
  total: number
}

export function prospectsOf(slots: readonly PlacementSlot[]): Prospect[] {
  const byPlace: Prospect[] = []
  for (const { place, impressions, viewMicros, capMicros } of slots) {
    const prospect = (byPlace[place] ??= { impressions: 0, capMicros: 0 })
    prospect.impressions += impressions
    prospect.capMicros = Math.max(prospect.capMicros, viewMicros || capMicros)
  }
  return byPlace
}

/** True before a campaign's first day, and once it has ended or somebody has stopped it. */
const isIdle = ({ life, dates }: CampaignPlan, hour: number): boolean =>
  (life.from <= hour && hour < dates.from) || dates.to <= hour || life.to <= hour

/** The next hour at which a campaign starts or ends by its dates, so that its candidates change. */
const nextDateOf = ({ life, dates }: CampaignPlan, hour: number): number =>
  life.from <= hour && hour < dates.from ? dates.from : dates.to > hour ? dates.to : Number.POSITIVE_INFINITY
const nextChangeOf = (plan: CampaignPlan, hour: number): number => Math.min(plan.rules.until, nextDateOf(plan, hour))

/**
 * Every candidate of a campaign that runs at `nextHour` and has not ended by then. Of several ads in a group, the one
 * that matches a query best takes part.
 */
function candidatesOf(plan: CampaignPlan, nextHour: number, { seed, conditions }: Fixed): CampaignCandidates {
  const candidates: Candidate[] = []
  const prospects: Prospect[][] = []
  let total = 0
  for (const { adGroupId, ads, targets, blockedFrom } of isIdle(plan, nextHour) ? [] : plan.adGroups())
    for (const { id, bidMicros, window, queries, closeness } of targets)
      for (const query of queries) {
        const number = total++
        const best = bestMatch(query, ads)
        if (!best) continue
        const { option: ad, fit } = best
        const serving = intersect(intersect(ad.window, window), { from: 0, to: blockedFrom(query) })
        // What was blocked or switched off earlier no longer competes for its query.
        if (serving.from >= serving.to || serving.to <= nextHour) continue
        const { from, to } = intersect(serving, plan.dates)
        const match: Match = { query, listing: ad.listing, fit, closeness }
        prospects.push(prospectsOf(plan.slotsOf(match, bidMicros, conditions.best(match))))
        candidates.push({
          ...match,
          number,
          adGroupId,
          adId: ad.adId,
          targetId: id,
          bidMicros,
          seed: hashText(`${id}|${query.text}`, seed),
          shares: null,
          from,
          to,
        })
      }
  return { plan, candidates, prospects, total }
}

/** How much of a shared place a candidate gets, against the others': the most it pays for a click decides. */
export const weightOf = (capMicros: number): number => capMicros ** 3

/** A seller never bids against itself: its candidates for one query share what the best of them would have won, place by place. */
function shareQueries(campaigns: readonly CampaignCandidates[]): void {
  for (const ofAdProduct of Map.groupBy(campaigns, campaign => campaign.plan.adProduct).values()) {
    const byQuery = new Map<string, { candidate: Candidate; prospects: readonly Prospect[] }[]>()
    for (const { candidates, prospects } of ofAdProduct)
      for (const [i, candidate] of candidates.entries())
        getOrMake(byQuery, candidate.query.text, () => []).push({ candidate, prospects: prospects[i] ?? [] })
    for (const rivals of byQuery.values()) {
      if (rivals.length === 1) continue
      const totals = (rivals[0]?.prospects ?? []).map((_, place) =>
        rivals.reduce((sum, { prospects }) => sum + weightAt(prospects, place), 0),
      )
      for (const { candidate, prospects } of rivals)
        candidate.shares = totals.map((total, place) => (total === 0 ? 0 : weightAt(prospects, place) / total))
    }
  }
}

const weightAt = (prospects: readonly Prospect[], place: number): number => weightOf(prospects[place]?.capMicros ?? 0)

/** What a candidate can expect at a moment, in an hour of average demand. */
export interface CandidateSlots {
  slots: readonly PlacementSlot[]
  /** Impressions of all slots. */
  rate: number
  /** Auctions at the top of search that it loses, on average, for each impression it wins in any placement. */
  lostAtTop: number
}

/** A candidate that shoppers see in an hour, what it can expect, and how many impressions that is on average. */
export interface Hit extends CandidateSlots {
  index: number
  mean: number
}

/**
 * The slots of a candidate, its shares applied. Lost auctions are counted by impressions won, so they come in the same
 * waves and never exceed the auctions that took place.
 */
function candidateSlots({ slotsOf }: CampaignPlan, candidate: Candidate, conditions: Conditions): CandidateSlots {
  const slots = slotsOf(candidate, candidate.bidMicros, conditions)
  let [rate, lost] = [0, 0]
  for (const slot of slots) {
    const share = candidate.shares?.[slot.place] ?? 1
    slot.available *= share
    slot.impressions *= share
    rate += slot.impressions
    if (slot.placement === 'PLACEMENT_TOP') lost += slot.available - slot.impressions
  }
  return { slots, rate, lostAtTop: rate > 0 ? lost / rate : 0 }
}

/** A campaign's candidates, with what the hourly loop reads of them in typed arrays. */
export type PackedCampaign = ReturnType<typeof packCampaign>

function packCampaign({ plan, candidates, prospects, total }: CampaignCandidates, { seed, conditions }: Fixed) {
  const categoryIds = [...new Set(candidates.map(candidate => candidate.query.categoryId))]
  const mostOf = (prospectsOfOne: readonly Prospect[], shares: Candidate['shares']): number =>
    prospectsOfOne.reduce((sum, { impressions }, place) => sum + impressions * (shares?.[place] ?? 1), 0)
  return {
    plan,
    campaignId: plan.campaignId,
    adProduct: plan.adProduct,
    budgetMicros: plan.budgetMicros,
    lifetimeBudget: plan.lifetimeBudget,
    total,
    /** Categories of the queries, and the index into them of each candidate's. */
    categoryIds,
    categoryIndexes: Int32Array.from(candidates, candidate => categoryIds.indexOf(candidate.query.categoryId)),
    /** Impressions in an hour of average demand under the best conditions. */
    mostRates: Float64Array.from(candidates, ({ shares }, i) => mostOf(prospects[i] ?? [], shares)),
    seeds: Int32Array.from(candidates, candidate => candidate.seed),
    from: Float64Array.from(candidates, candidate => candidate.from),
    to: Float64Array.from(candidates, candidate => candidate.to),
    /** Each candidate's dimension key in the ledger; -1 before its first impression. */
    dimensionKeys: new Int32Array(candidates.length).fill(-1),
    seed: hashText(plan.campaignId, seed),
    candidateAt: (index: number) => candidates[index] as Candidate,
    /** What a candidate can expect at a moment. */
    slotsAt: (index: number, moment: Moment): CandidateSlots => {
      const candidate = candidates[index] as Candidate
      return candidateSlots(plan, candidate, conditions.at(candidate, moment, plan.life.from))
    },
    conditionsAt: (match: Match, moment: Moment): Conditions => conditions.at(match, moment, plan.life.from),
  }
}

/** What holds for all candidates of a shop. */
interface Fixed {
  seed: number
  conditions: ConditionsOf
}

/** The campaigns of one profile that run at `hour`, and the hour at which one starts or ends, or its rules change its bids. */
export function campaignsAt(hour: number, plans: readonly CampaignPlan[], fixed: Fixed) {
  const campaigns = plans.map(plan => candidatesOf(plan, hour, fixed)).filter(({ candidates }) => candidates.length > 0)
  shareQueries(campaigns)
  return {
    campaigns: campaigns.map(campaign => packCampaign(campaign, fixed)),
    validUntil: plans.reduce((next, plan) => Math.min(next, nextChangeOf(plan, hour)), Number.POSITIVE_INFINITY),
  }
}
