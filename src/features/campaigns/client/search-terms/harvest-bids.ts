import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { formatMoney } from '#client/ui/figures/format.ts'
import { adLimits, bidProblem, NO_BID } from '#shared/ad-limits.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { toMicros } from '#shared/money.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { harvestEndpoints as endpoints, type SuggestedBid } from '#features/search-terms/contract.ts'
import type { AdGroupRow } from '../../contract.ts'
import { campaignQueries } from '../queries.ts'
import type { TermRow } from './queries.ts'

/** A search term or product that becomes a keyword or target. */
export interface HarvestRow extends Pick<TermRow, 'id' | 'term' | 'kind' | 'currency' | 'coverage' | 'coveredBy'> {
  /** Where it came in; null of a product that the user names. */
  source: Pick<TermRow, 'campaignId' | 'campaignName' | 'adGroupId' | 'adGroupName'> | null
}

/** The bids of terms that are about to become keywords: typed, else suggested by the marketplace, else the ad group's default. */
export function useHarvestBids(shop: Shop, rows: readonly HarvestRow[], adGroup: AdGroupRow | null) {
  const online = useOnline()
  const [typed, setTyped] = useState<Record<string, number | null>>({})
  const suggested = useQuery({ ...bidsQuery(shop, rows, adGroup?.id ?? 0), enabled: online && adGroup !== null })
  const check = useBidCheck(shop, adGroup)
  const { isLoading } = suggested
  const bidOf = (row: HarvestRow, place: number): number | null =>
    row.id in typed ? (typed[row.id] ?? null) : (suggested.data?.[place]?.bid ?? adGroup?.defaultBid ?? null)
  /** What the input of a row takes. */
  const fieldOf = (row: HarvestRow, place: number, of: AdGroupRow) => ({
    value: bidOf(row, place),
    disabled: isLoading,
    error: isLoading ? undefined : shownProblem(check(bidOf(row, place)), row.id in typed),
    help: bidHelp(suggested.data?.[place], of, row.currency, isLoading),
    onChange: (bid: number | null) => setTyped(before => ({ ...before, [row.id]: bid })),
  })
  const areReady = !isLoading && rows.every((row, place) => check(bidOf(row, place)) === null)
  return { bidOf, fieldOf, areReady, error: suggested.error }
}

const bidsQuery = (shop: Shop, rows: readonly HarvestRow[], adGroupId: number) =>
  queryOptions({
    queryKey: ['harvest-bids', shop, adGroupId, rows.map(row => row.term)],
    queryFn: ({ signal }) =>
      call(endpoints.bids, { body: { items: rows.map(({ term }) => ({ term, adGroupId })) } }, { signal }),
    meta: { silent: true },
  })

/** Why the chosen ad group takes no such bid: the limits are those of its ad type and of what its campaign pays for. */
function useBidCheck(shop: Shop, adGroup: AdGroupRow | null): (bid: number | null) => string | null {
  const campaign = useQuery({
    ...campaignQueries.one(shop, String(adGroup?.campaignId ?? 0)),
    enabled: adGroup !== null,
  }).data
  const market = marketplaceById(shop.marketplaceId)
  if (!market || !adGroup) return () => null
  const limits = adLimits(market, { adType: adGroup.adType, costType: campaign?.costType ?? null })
  // A bid for a thousand views may be higher than a day's budget.
  const budget = campaign?.costType === 'VCPM' ? null : campaign?.budget
  return bid => bidProblem(bid, limits, { budgetMicros: budget == null ? null : toMicros(budget) })
}

/** An input that nobody has touched does not complain that it is empty: the help below it says what to enter. */
const shownProblem = (problem: string | null, isTyped: boolean): string | undefined =>
  problem === null || (problem === NO_BID && !isTyped) ? undefined : problem

function bidHelp(bid: SuggestedBid | undefined, { defaultBid }: AdGroupRow, currency: string, isLoading: boolean) {
  if (isLoading) return 'Asking the marketplace for its suggestion…'
  const usual = defaultBid === null ? '' : `The default bid of the ad group is ${formatMoney(defaultBid, currency)}.`
  if (!bid || bid.bid === null) return [bid?.why, usual].filter(Boolean).join(' ')
  const { lowBid, highBid, why } = bid
  if (lowBid === null || highBid === null) return why
  return `${formatMoney(lowBid, currency)} to ${formatMoney(highBid, currency)}. ${why}`
}
