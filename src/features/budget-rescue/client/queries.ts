import { queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { useEvents } from '#client/api/events.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { budgetRescueEndpoints as endpoints } from '../contract.ts'

export const rescueQueries = {
  all: ['budget-rescue'] as const,
  /** The budget that a campaign needs today; asked for while somebody looks at it, since a pace changes with the hour. */
  advice: (shop: Shop, campaignId: number | null) =>
    queryOptions({
      queryKey: ['budget-rescue', shop, campaignId],
      queryFn:
        campaignId === null
          ? skipToken
          : ({ signal }) => call(endpoints.read, { params: { id: campaignId }, query: { ...shop } }, { signal }),
      staleTime: 60_000,
      meta: { persist: 'idb', figures: true, silent: true },
    }),
}

// Its budget was changed, its figures arrived, or what was reported of it is worth a notification.
const causes = ['campaigns', 'figures', 'notifications']

/** The advice for a campaign, worked out again when something of it changed; nothing without a campaign. */
export function useAdvice(shop: Shop, campaignId: number | null) {
  const client = useQueryClient()
  const read = (): void => void client.invalidateQueries({ queryKey: rescueQueries.all })
  useEvents('/events', ({ event }) => causes.includes(event) && read(), {
    enabled: campaignId !== null,
    onReconnect: read,
  })
  return useQuery(rescueQueries.advice(shop, campaignId))
}
