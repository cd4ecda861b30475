import { useQueryClient } from '@tanstack/react-query'
import { useToday } from '#client/api/server-clock.ts'
import { useEvents } from '#client/api/events.ts'
import { type DateRange, resolveRange } from '#client/ui/forms/date-range.ts'
import { useShop } from '#features/accounts/client/public.ts'
import { type MarketplaceFacts, marketplaceById } from '#shared/marketplaces.ts'
import { dayIn } from '#shared/time.ts'
import { campaignQueries } from '../queries.ts'
import type { ListSearch } from './list-search.ts'

/** What every screen of campaigns stands on: the shop, its today, the days shown; and fresh rows when something changed. */
export function useListPage(search: Pick<ListSearch, 'days' | 'from' | 'to'>) {
  const shop = useShop()
  const client = useQueryClient()
  const facts: MarketplaceFacts | undefined = marketplaceById(shop.marketplaceId)
  const today = useToday(at => dayIn(at, facts?.timezone ?? 'UTC'))
  const range: DateRange = resolveRange(search, today)
  const refresh = () => client.invalidateQueries({ queryKey: campaignQueries.all })
  useEvents('/events', event => (event.event === 'campaigns' || event.event === 'figures') && void refresh(), {
    onReconnect: () => void refresh(),
  })
  return { shop, facts, today, range, refresh }
}
