import { queryOptions, skipToken } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
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
