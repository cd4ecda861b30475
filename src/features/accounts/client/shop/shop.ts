import { type Query, type QueryClient, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { forOffline } from '#client/api/query-meta.ts'
import { userQueries } from '#features/auth/client/public.ts'
import { accountQueries } from '../queries.ts'
import type { Marketplace } from '../../contract.ts'

/** One merchant in one marketplace: part of the key of each query that the server answers for the current ones. */
export interface Shop {
  merchantId: number
  marketplaceId: number
}

/** The shop that is worked in. Suspends until the first answer. */
export function useShop(): Shop {
  const { id: marketplaceId } = useCurrentMarketplace()
  const { data: merchant } = useSuspenseQuery(accountQueries.currentMerchant())
  const merchantId = merchant?.id ?? 0
  return useMemo(() => ({ merchantId, marketplaceId }), [merchantId, marketplaceId])
}

/**
 * Whether the user may change anything of the current merchant: a viewer may not, and gets no controls for it. False until
 * that is known; when it cannot be asked for, the server decides.
 */
export function useMayChange(): boolean {
  const { role, isError } = useRoleIn(useShop().merchantId)
  return isError || role === 'OWNER'
}

/**
 * What the user is to a merchant; undefined until that is known. Of the current one the user's own answer says it, which is
 * on the device without network too.
 */
export function useRoleIn(merchantId: number | undefined): { role: 'OWNER' | 'VIEWER' | undefined; isError: boolean } {
  // Only what the guards have read already: nobody waits for it, and its failure is theirs to report.
  const { data: user } = useQuery({ ...userQueries.user(), enabled: false })
  const current = user && user.currentMerchantId === merchantId ? user.currentMerchantRole : undefined
  const { data, isError } = useQuery({
    ...accountQueries.merchant(merchantId ?? 0),
    enabled: merchantId !== undefined && current === undefined,
    meta: { ...forOffline, silent: true },
  })
  return { role: current ?? data?.role, isError }
}

export function knownShop(client: QueryClient): Shop | undefined {
  const merchant = client.getQueryData(accountQueries.currentMerchant().queryKey)
  const marketplace = client.getQueryData(accountQueries.currentMarketplace().queryKey)
  return merchant && marketplace ? { merchantId: merchant.id, marketplaceId: marketplace.id } : undefined
}

/** True for a query whose key names its shop. */
export function isOfShop({ queryKey }: Pick<Query, 'queryKey'>): boolean {
  return queryKey.some(
    part => typeof part === 'object' && part !== null && 'merchantId' in part && 'marketplaceId' in part,
  )
}

/** A shop as the outbox notes it beside a change. */
export const shopText = ({ merchantId, marketplaceId }: Shop): string => `${merchantId}/${marketplaceId}`

// Behind the guard one is chosen; before the first answer of an offline start amounts are shown in the default currency.
const fallback: Marketplace = { id: 1, amazonId: 'ATVPDKIKX0DER', name: 'United States', key: 'US', currency: 'USD' }

/** The marketplace that is worked in; its currency defaults to USD. Suspends until the first answer. */
export function useCurrentMarketplace(): Marketplace {
  return useSuspenseQuery(accountQueries.currentMarketplace()).data ?? fallback
}
