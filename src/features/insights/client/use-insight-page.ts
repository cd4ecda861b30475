import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEvents } from '#client/api/events.ts'
import { useToday } from '#client/api/server-clock.ts'
import { resolveRange, usualRange } from '#client/ui/forms/date-range.ts'
import type { RangeSearch } from '#client/ui/forms/range-search.ts'
import { knownShop, useShop } from '#features/accounts/client/public.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { dayIn } from '#shared/time.ts'
import { firstMetric } from './insight-pages.ts'
import { insightQueries } from './queries.ts'

/** What every page of insights stands on: the shop, its today, the days shown; and fresh figures when new ones came. */
export function useInsightPage(search: RangeSearch) {
  const shop = useShop()
  const client = useQueryClient()
  const timezone = timezoneOfMarketplace(shop.marketplaceId)
  const today = useToday(at => dayIn(at, timezone))
  const refresh = () => client.invalidateQueries({ queryKey: insightQueries.all })
  useEvents('/events', event => (event.event === 'campaigns' || event.event === 'figures') && void refresh(), {
    onReconnect: () => void refresh(),
  })
  return { shop, timezone, today, range: resolveRange(search, today), refresh }
}

/** Asks for the hours with which Insights opens, so that the first tap finds them there. */
export async function askFirstHours(client: QueryClient): Promise<void> {
  const shop = knownShop(client)
  if (!shop) return
  const { from, to } = usualRange(shop.marketplaceId)
  await client.prefetchQuery(insightQueries.hours(shop, { dateFrom: from, dateTo: to, metric: firstMetric }))
}
