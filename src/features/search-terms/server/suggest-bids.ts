import { adLimits } from '#shared/ad-limits.ts'
import { type MarketplaceFacts, marketplaceById } from '#shared/marketplaces.ts'
import { readAccount } from '#features/accounts/server/public.ts'
import { amountText, chooseBid, presentBid, type SuggestedBids } from '#features/recommendations/contract.ts'
import { suggestBids } from '#features/recommendations/server/public.ts'
import type { BidSubject } from '#integrations/amazon-ads/index.ts'
import type { Ctx } from '#server/context.ts'
import { toUpstreamProblem } from '#server/http-client/upstream-errors.ts'
import type { SuggestedBid } from '../harvest-contract.ts'
import { isAsin } from '../rules.ts'
import { type HarvestPlace, readPlaces } from './harvest-places.ts'

interface Item {
  term: string
  adGroupId: number
}

/**
 * The bid that the marketplace suggests for each search term as an exact keyword (or product target) of an ad group,
 * within the limits of the marketplace and the campaign's budget; in their order. Throws NOT_FOUND when the account lacks
 * an ad group, UPSTREAM_* when the marketplace fails.
 */
export async function suggestTermBids(ctx: Ctx, items: readonly Item[]): Promise<SuggestedBid[]> {
  const { profile, places } = await readAccount(ctx, async (tx, account) => ({
    profile: account,
    places: await readPlaces(
      tx,
      account,
      items.map(item => item.adGroupId),
    ),
  }))
  const market = marketplaceById(profile.marketplaceId)
  if (!market) throw new Error(`an account in an unknown marketplace: ${profile.marketplaceId}`)
  const suggestions = new Map<Item, SuggestedBids | null>()
  for (const [adGroupId, group] of Map.groupBy(items, item => item.adGroupId)) {
    const place = places.get(adGroupId) as HarvestPlace
    // The marketplace suggests bids for Sponsored Products alone.
    if (place.adType !== 'SPONSORED_PRODUCTS') continue
    const adGroup = { campaignId: place.campaignAmazonId, adGroupId: place.adGroupAmazonId }
    const bids = await suggestBids(ctx, profile, adGroup, group.map(subjectOf)).catch((error: unknown) => {
      throw toUpstreamProblem(error)
    })
    for (const [i, item] of group.entries()) suggestions.set(item, bids[i] ?? null)
  }
  return items.map(item => present(suggestions.get(item) ?? null, places.get(item.adGroupId) as HarvestPlace, market))
}

const subjectOf = ({ term }: Item): BidSubject =>
  isAsin(term) ? { type: 'PRODUCT', asin: term.toUpperCase() } : { type: 'KEYWORD', matchType: 'EXACT', text: term }

// Ad groups of Sponsored Brands have no default bid, and the marketplace suggests none for them.
function bidHint({ adType, costType, usualBidMicros }: HarvestPlace, market: MarketplaceFacts): string {
  const { minBidMicros, currency } = adLimits(market, { adType, costType })
  return usualBidMicros === null
    ? `enter a bid, ${amountText(minBidMicros, currency)} or more`
    : `enter a bid. Half of the keywords there bid ${amountText(usualBidMicros, currency)} or more`
}

function present(suggested: SuggestedBids | null, place: HarvestPlace, market: MarketplaceFacts): SuggestedBid {
  const { currency } = market
  if (!suggested) {
    const { defaultBidMicros } = place
    const fallback =
      defaultBidMicros === null
        ? bidHint(place, market)
        : `the ad group’s default bid of ${amountText(defaultBidMicros, currency)} applies`
    const because =
      place.adType === 'SPONSORED_PRODUCTS'
        ? 'No suggestion from the marketplace'
        : 'The marketplace suggests bids for Sponsored Products only'
    return { bid: null, lowBid: null, highBid: null, why: `${because}: ${fallback}.` }
  }
  const bounds = { ...market, budgetMicros: place.budgetMicros, capMicros: null }
  const chosen = chooseBid(suggested, 'NORMAL', suggested.medianMicros, bounds)
  const { bid, lowBid, highBid, why } = presentBid(chosen, 'NORMAL', currency)
  return { bid, lowBid, highBid, why }
}
