import type { Profile } from '../../core/model/store.ts'
import { hashText } from '../random.ts'
import type { AdProduct } from '../market.ts'
import type { Term } from '../queries/queries.ts'
import { type Good, relevance } from '../queries/listing.ts'
import type { Slot } from './auction.ts'
import type { CampaignPlan, GroupPlan, Offer } from './plans/plan.ts'
import { overlap } from './plans/serving-windows.ts'

/** One ad before one search by one keyword or target: the unit in which the market trades. */
export interface Lane {
  /** Its place among all lanes of the campaign, those included that are over. */
  number: number
  adGroupId: string
  adId: string
  targetId: string
  term: Term
  good: Good
  fit: number
  bidMicros: number
  seed: number
  /** The most it ever pays for a click, by which lanes of one seller share a search. */
  capMicros: number
  /** Its part of the search, where several of the seller's lanes meet it. */
  share: number
  /** Impressions in a mean hour, over all places, its share taken. */
  rate: number
  /** Hours since 1970 in which it serves: from (included) to (excluded). */
  from: number
  to: number
}

export interface CampaignLanes {
  campaignId: string
  adProduct: AdProduct
  budgetMicros: number
  lifetimeBudget: boolean
  profile: Profile
  lanes: Lane[]
  /** Lanes there are altogether; those that were over already are not in the list. */
  total: number
  /** The places of a lane, its share taken. They are many, and most hours need none. */
  slotsOf(lane: Lane): Slot[]
}

const bestOffer = (offers: readonly Offer[], term: Term): { offer: Offer; fit: number } | null => {
  let best: { offer: Offer; fit: number } | null = null
  for (const offer of offers) {
    const fit = relevance(term, offer.good)
    if (fit > 0 && (!best || fit * offer.good.appeal > best.fit * best.offer.good.appeal)) best = { offer, fit }
  }
  return best
}

const sumUp = (slots: readonly Slot[]): { rate: number; capMicros: number } => {
  let [rate, capMicros] = [0, 0]
  for (const slot of slots) {
    rate += slot.impressions
    capMicros = Math.max(capMicros, slot.viewMicros || slot.capMicros)
  }
  return { rate, capMicros }
}

interface Making {
  plan: CampaignPlan
  lanes: Lane[]
  total: number
  /** The next hour to be lived. */
  nextHour: number
  seed: number
}

const addGroup = (making: Making, { adGroupId, offers, clauses, bar }: GroupPlan): void => {
  const { plan, lanes, nextHour } = making
  for (const { id, bidMicros, window, terms } of clauses) {
    for (const term of terms) {
      const number = making.total++
      const best = bestOffer(offers, term)
      if (!best) continue
      const serving = overlap(overlap(best.offer.window, window), { from: 0, to: bar(term) })
      // What was barred or switched off earlier takes no part in its search any more.
      if (serving.from >= serving.to || serving.to <= nextHour) continue
      lanes.push({
        number,
        adGroupId,
        adId: best.offer.adId,
        targetId: id,
        term,
        good: best.offer.good,
        fit: best.fit,
        bidMicros,
        seed: hashText(`${id}|${term.text}`, making.seed),
        ...sumUp(plan.slotsOf(term, best.offer.good, best.fit, bidMicros)),
        share: 1,
        ...overlap(serving, plan.dates),
      })
    }
  }
}

/** Whether a campaign waits for its first day, or is over, by its dates or because somebody stopped it. */
const isIdle = ({ life, dates }: CampaignPlan, hour: number): boolean =>
  (life.from <= hour && hour < dates.from) || dates.to <= hour || life.to <= hour

/** The next hour at which a campaign begins or ends by its dates, so that its lanes hold no longer. */
export const turnOf = ({ life, dates }: CampaignPlan, hour: number): number =>
  life.from <= hour && hour < dates.from ? dates.from : dates.to > hour ? dates.to : Number.POSITIVE_INFINITY

/**
 * Every lane of a campaign that runs at `nextHour` and is not over by then; several ads of a group take turns by fit.
 * They hold until a campaign begins or ends by its dates.
 */
export const lanesOf = (plan: CampaignPlan, profile: Profile, nextHour: number, seed: number): CampaignLanes => {
  const making: Making = { plan, lanes: [], total: 0, nextHour, seed }
  if (!isIdle(plan, nextHour)) for (const group of plan.groups()) addGroup(making, group)
  const { campaignId, adProduct, budgetMicros, lifetimeBudget } = plan
  return {
    campaignId,
    adProduct,
    budgetMicros,
    lifetimeBudget,
    profile,
    lanes: making.lanes,
    total: making.total,
    slotsOf: ({ term, good, fit, bidMicros, share }) => {
      const slots = plan.slotsOf(term, good, fit, bidMicros)
      return share === 1
        ? slots
        : slots.map(slot => ({
            ...slot,
            available: slot.available * share,
            impressions: slot.impressions * share,
          }))
    },
  }
}

const share = (lanes: readonly Lane[]): void => {
  if (lanes.length === 1) return
  const weights = lanes.map(lane => lane.capMicros ** 3)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  for (const [i, lane] of lanes.entries()) {
    lane.share = total === 0 ? 0 : (weights[i] as number) / total
    lane.rate *= lane.share
  }
}

/** A seller never bids against itself: lanes before the same search share what the best of them would have won. */
export const shareSearches = (campaigns: readonly CampaignLanes[]): void => {
  for (const ofOne of Map.groupBy(campaigns, campaign => campaign.adProduct).values()) {
    const byTerm = new Map<string, Lane[]>()
    for (const { lanes } of ofOne)
      for (const lane of lanes) {
        const met = byTerm.get(lane.term.text)
        if (met) met.push(lane)
        else byTerm.set(lane.term.text, [lane])
      }
    for (const lanes of byTerm.values()) share(lanes)
  }
}
