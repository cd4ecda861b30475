import { useSuspenseQuery } from '@tanstack/react-query'
import type { Marketplace } from '../../contract.ts'
import { accountQueries } from '../queries.ts'

// Behind the guard one is chosen; before the first answer of an offline start amounts are shown in the default currency.
const fallback: Marketplace = {
  id: 1,
  amazonId: 'ATVPDKIKX0DER',
  name: 'United States',
  key: 'US',
  currency: 'USD',
}

/** The marketplace that is worked in; its currency defaults to USD. Suspends until the first answer. */
export function useCurrentMarketplace(): Marketplace {
  return useSuspenseQuery(accountQueries.currentMarketplace()).data ?? fallback
}
