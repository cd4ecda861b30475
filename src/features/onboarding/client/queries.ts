import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { onboardingEndpoints, type SeedingItem } from '../contract.ts'

const pollMs = 2000

/** True while an import is under way. */
export const isUnderWay = (item: SeedingItem): boolean => item.status === 'IN_PROGRESS' || item.status === 'PENDING'

export const seedingQueries = {
  all: ['seeding'] as const,
  /** Asked again every 2 seconds while an import is under way and the page is in sight. */
  active: () =>
    queryOptions({
      queryKey: ['seeding', 'active'],
      queryFn: ({ signal }) =>
        call(onboardingEndpoints.activeSeeding, {}, { signal, shapeError: 'Failed to fetch seeding status' }),
      meta: { silent: true },
      refetchInterval: query => (query.state.data?.some(isUnderWay) ? pollMs : false),
    }),
}

/** Tries a failed import again; the list of imports is fetched again. */
export function retrySeeding() {
  return mutationOptions({
    mutationFn: (id: number) => call(onboardingEndpoints.retrySeeding, { params: { id } }),
    onSettled: (_item, _error, _id, _result, { client }) => client.invalidateQueries({ queryKey: seedingQueries.all }),
  })
}
