import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { useToday } from '#client/api/server-clock.ts'
import { useEvents } from '#client/api/events.ts'
import { type DateRange, resolveRange, usualRange } from '#client/ui/forms/date-range.ts'
import { knownShop, type Shop, useShop } from '#features/accounts/client/public.ts'
import { authoritiesOfUser, userQueries } from '#features/auth/client/public.ts'
import { type MarketplaceFacts, marketplaceById } from '#shared/marketplaces.ts'
import { dayIn } from '#shared/time.ts'
import { campaignQueries } from '../queries.ts'
import { filterOf } from './list-filters.ts'
import type { ListSearch } from './list-search.ts'
import {
  adFields,
  adGroupFields,
  campaignFields,
  structureEndpoints,
  targetFields,
} from '#features/structure/contract.ts'
import type { Fields } from '#shared/fields.ts'
import { figureOptions } from '../figures/row-figures.tsx'

const optionsOf = <F extends Fields, N extends keyof F & string>(fields: F, names: readonly N[]) =>
  names.map(value => ({ value, label: fields[value]?.label ?? value }))

export const campaignSorts = [
  ...figureOptions,
  ...optionsOf(campaignFields, [
    'name',
    'budget',
    'state',
    'adType',
    'targetingType',
    'startDate',
    'endDate',
    'biddingStrategy',
  ]),
]
export const adGroupSorts = [
  ...figureOptions,
  ...optionsOf(adGroupFields, ['name', 'campaignName', 'defaultBid', 'state']),
]
export const adSorts = [...figureOptions, ...optionsOf(adFields, ['asin', 'sku', 'state'])]
export const targetSorts = [...figureOptions, ...optionsOf(targetFields, ['text', 'matchType', 'bid', 'state'])]

/** The column that an address names, when the list has it; else the usual one. */
export const columnOf = <C extends string>(options: readonly { value: C }[], named: string | undefined, usual: C): C =>
  options.find(({ value }) => value === named)?.value ?? usual

/** What every screen of campaigns stands on: the shop, its today, the days shown; and fresh rows when something changed. */
export function useListPage(search: Pick<ListSearch, 'days' | 'from' | 'to'>) {
  const shop = useShop()
  const client = useQueryClient()
  const facts: MarketplaceFacts | undefined = marketplaceById(shop.marketplaceId)
  const today = useToday(at => dayIn(at, facts?.timezone ?? 'UTC'))
  const range: DateRange = resolveRange(search, today)
  const synchronize = useSynchronization(shop)
  const reread = () => client.invalidateQueries({ queryKey: campaignQueries.all })
  useEvents('/events', event => (event.event === 'campaigns' || event.event === 'figures') && void reread(), {
    onReconnect: () => void reread(),
  })
  const refresh = () => Promise.all([synchronize(), reread()])
  return { shop, facts, today, range, refresh }
}

/** Asks for the rows with which the list of campaigns opens, so that the first tap finds them there. */
export async function askFirstRows(client: QueryClient): Promise<void> {
  const shop = knownShop(client)
  const user = client.getQueryData(userQueries.user().queryKey)
  if (!shop || !user || !authoritiesOfUser(user).includes('MERCHANT_MANAGER')) return
  await client.prefetchInfiniteQuery(
    campaignQueries.campaigns(shop, filterOf({}, usualRange(shop.marketplaceId), 'cost')),
  )
}

const synchronizeMs = 60_000

/**
 * Asks for what was changed at the marketplace itself: when a screen opens or comes back to sight, every minute while it is
 * looked at, and by the returned function. What comes in is announced by an event.
 */
function useSynchronization(shop: Shop): () => Promise<unknown> {
  const { refetch } = useQuery({
    queryKey: ['synchronization', shop],
    queryFn: ({ signal }) => call(structureEndpoints.synchronize, {}, { signal }),
    staleTime: synchronizeMs / 2,
    refetchInterval: synchronizeMs,
    refetchOnWindowFocus: true,
    retry: false,
    meta: { silent: true },
  })
  return refetch
}
