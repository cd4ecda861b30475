import { addDays, startOfDayIn } from '#shared/time.ts'
import type {
  AdGroup,
  Books,
  Campaign,
  EntityState,
  Keyword,
  NegativeKeyword,
  NegativeTarget,
  ProductAd,
  Profile,
  Target,
} from '../../core/model.ts'
import { type Slot, slotsOf } from './auction.ts'
import { hashText } from '../chance.ts'
import { hourIndexOf } from '../local-hours.ts'
import { keywordMeets, matchWords } from '../searches/matching.ts'
import type { Reach } from '../searches/reach.ts'
import type { Term } from '../searches/terms.ts'
import { type Good, relevance } from '../searches/truth.ts'

/** One ad before one search by one keyword or target: the unit in which the market trades. */
export interface Lane {
  adGroupId: string
  adId: string
  targetId: string
  term: Term
  good: Good
  seed: number
  /** Impressions in a mean hour, over all places. */
  rate: number
  slots: Slot[]
  /** Hours since 1970 in which it serves: from (included) to (excluded). */
  from: number
  to: number
}

export interface CampaignLanes {
  campaign: Campaign
  profile: Profile
  lanes: Lane[]
}

interface Window {
  from: number
  to: number
}

/**
 * The hours in which an entity serves. Before `openedAt` (the end of the history a scenario begins with) what is
 * paused or archived today served until its last change; afterwards it does not serve at all.
 */
const windowOf = (entity: { state: EntityState; createdAt: number; updatedAt: number }, openedAt: number): Window => {
  const from = hourIndexOf(entity.createdAt)
  if (entity.state === 'ENABLED') return { from, to: Number.POSITIVE_INFINITY }
  if (entity.state === 'PROPOSED') return { from, to: from }
  return { from, to: Math.min(hourIndexOf(entity.updatedAt), openedAt) }
}

const overlap = (...windows: Window[]): Window => ({
  from: Math.max(...windows.map(window => window.from)),
  to: Math.min(...windows.map(window => window.to)),
})

const datesOf = (campaign: Campaign, timezone: string): Window => ({
  from: hourIndexOf(startOfDayIn(campaign.startDate, timezone).getTime()),
  to: campaign.endDate
    ? hourIndexOf(startOfDayIn(addDays(campaign.endDate, 1), timezone).getTime())
    : Number.POSITIVE_INFINITY,
})

/** The books, grouped by parent once per compilation. */
export interface Shelves {
  groups: Map<string, AdGroup[]>
  ads: Map<string, ProductAd[]>
  keywords: Map<string, Keyword[]>
  targets: Map<string, Target[]>
  negativeKeywords: Map<string, NegativeKeyword[]>
  negativeTargets: Map<string, NegativeTarget[]>
}

export const shelve = (books: Books): Shelves => ({
  groups: Map.groupBy(books.adGroups.values(), group => group.campaignId),
  ads: Map.groupBy(books.productAds.values(), ad => ad.adGroupId),
  keywords: Map.groupBy(books.keywords.values(), keyword => keyword.adGroupId),
  targets: Map.groupBy(books.targets.values(), target => target.adGroupId),
  negativeKeywords: Map.groupBy(books.negativeKeywords.values(), negative => negative.adGroupId ?? negative.campaignId),
  negativeTargets: Map.groupBy(books.negativeTargets.values(), negative => negative.adGroupId ?? negative.campaignId),
})

/** The hour from which a search is barred, Infinity when it is not. */
type Bar = (term: Term) => number

const barOf = (shelves: Shelves, parents: readonly string[]): Bar => {
  const live = <T extends { state: EntityState; createdAt: number }>(map: Map<string, T[]>): T[] =>
    parents.flatMap(id => map.get(id) ?? []).filter(negative => negative.state === 'ENABLED')
  const words = live(shelves.negativeKeywords).map(negative => ({
    matchType: negative.matchType,
    words: matchWords(negative.keywordText),
    from: hourIndexOf(negative.createdAt),
  }))
  const pages = live(shelves.negativeTargets).flatMap(negative =>
    negative.expression
      .filter(part => part.type === 'ASIN_SAME_AS')
      .map(part => ({ text: (part.value ?? '').toLowerCase(), from: hourIndexOf(negative.createdAt) })),
  )
  return term => {
    const bars =
      term.kind === 'page'
        ? pages.filter(page => page.text === term.text)
        : words.filter(negative => keywordMeets(negative.matchType, negative.words, term.words))
    return Math.min(Number.POSITIVE_INFINITY, ...bars.map(bar => bar.from))
  }
}

interface Offer {
  ad: ProductAd
  good: Good
  window: Window
}

const bestOffer = (offers: readonly Offer[], term: Term): { offer: Offer; fit: number } | null =>
  offers.reduce<{ offer: Offer; fit: number } | null>((best, offer) => {
    const fit = relevance(term, offer.good)
    return fit > 0 && (!best || fit * offer.good.appeal > best.fit * best.offer.good.appeal) ? { offer, fit } : best
  }, null)

/** Every lane of a campaign, whatever its hours; several ads of a group take turns by fit. */
export const lanesOf = (
  campaign: Campaign,
  profile: Profile,
  shelves: Shelves,
  reach: Reach,
  goodOf: (ad: ProductAd, profile: Profile) => Good | null,
  openedAt: number,
  seed: number,
): CampaignLanes => {
  const outer = overlap(windowOf(campaign, openedAt), datesOf(campaign, profile.timezone))
  const lanes: Lane[] = []
  for (const group of shelves.groups.get(campaign.campaignId) ?? []) {
    const around = overlap(outer, windowOf(group, openedAt))
    if (around.from >= around.to) continue
    const offers = (shelves.ads.get(group.adGroupId) ?? []).flatMap((ad): Offer[] => {
      const good = goodOf(ad, profile)
      const window = overlap(around, windowOf(ad, openedAt))
      return good && good.product.eligibility !== 'INELIGIBLE' && window.from < window.to ? [{ ad, good, window }] : []
    })
    if (offers.length === 0) continue
    const barredFrom = barOf(shelves, [campaign.campaignId, group.adGroupId])
    const add = (id: string, bidMicros: number | null, own: Window, terms: readonly Term[]): void => {
      for (const term of terms) {
        const best = bestOffer(offers, term)
        if (!best) continue
        const window = overlap(best.offer.window, own, { from: 0, to: barredFrom(term) })
        if (window.from >= window.to) continue
        const slots = slotsOf(term, best.offer.good, best.fit, bidMicros ?? group.defaultBidMicros, campaign)
        lanes.push({
          adGroupId: group.adGroupId,
          adId: best.offer.ad.adId,
          targetId: id,
          term,
          good: best.offer.good,
          seed: hashText(`${id}|${term.text}`, seed),
          rate: slots.reduce((sum, slot) => sum + slot.impressions, 0),
          slots,
          ...window,
        })
      }
    }
    const goods = offers.map(offer => offer.good)
    for (const keyword of shelves.keywords.get(group.adGroupId) ?? [])
      add(
        keyword.keywordId,
        keyword.bidMicros,
        windowOf(keyword, openedAt),
        reach.keyword(keyword.keywordText, keyword.matchType),
      )
    for (const target of shelves.targets.get(group.adGroupId) ?? [])
      add(target.targetId, target.bidMicros, windowOf(target, openedAt), reach.expression(target.expression, goods))
  }
  return { campaign, profile, lanes }
}

/** An account never bids against itself: lanes before the same search share what the best of them would have won. */
export const shareSearches = (campaigns: readonly CampaignLanes[]): void => {
  const byTerm = Map.groupBy(
    campaigns.flatMap(({ lanes, profile }) =>
      lanes.map(lane => ({ lane, key: `${profile.profileId}|${lane.term.text}` })),
    ),
    entry => entry.key,
  )
  for (const entries of byTerm.values()) {
    if (entries.length === 1) continue
    const weight = (lane: Lane): number => Math.max(...lane.slots.map(slot => slot.capMicros)) ** 3
    const total = entries.reduce((sum, { lane }) => sum + weight(lane), 0)
    for (const { lane } of entries) {
      const share = total === 0 ? 0 : weight(lane) / total
      lane.rate *= share
      lane.slots = lane.slots.map(slot => ({ ...slot, impressions: slot.impressions * share }))
    }
  }
}
