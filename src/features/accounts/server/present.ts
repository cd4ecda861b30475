import { marketplaceById, type MarketplaceFacts, regions } from '#shared/marketplaces.ts'
import { fromMicros } from '#shared/money.ts'
import type { AmazonProfile, Marketplace, Merchant } from '../contract.ts'
import type { MerchantRow } from './sql/merchants.ts'
import type { ProfileRow } from './sql/profiles.ts'

/** The facts of a marketplace we stored by its number. Throws RangeError on a number that never was one. */
export function factsOf(marketplaceId: number): MarketplaceFacts {
  const facts = marketplaceById(marketplaceId)
  if (!facts) throw new RangeError(`no marketplace has the number ${marketplaceId}`)
  return facts
}

export function marketplaceAnswer(marketplaceId: number): Marketplace {
  const { id, amazonId, name, key, currency } = factsOf(marketplaceId)
  return { id, amazonId, name, key, currency }
}

export function merchantAnswer({ merchantId, name, accountType, region: key }: MerchantRow): Merchant {
  const region = regions.find(r => r.key === key)
  if (!region) throw new RangeError(`no region is called ${key}`)
  return { id: merchantId, name, accountType, regionId: region.id, regionName: region.name }
}

export function profileAnswer(row: ProfileRow): AmazonProfile {
  const { connectionId: _, sellingPartnerId: _s, sellingPartnerConnectionId: _c, ...shown } = row
  const { currency, dailyBudgetMicros, marketplaceId, createdAt, updatedAt, ...same } = shown
  return {
    ...same,
    amazonProfileId: Number(row.amazonProfileId),
    currencyCode: currency,
    dailyBudget: dailyBudgetMicros === null ? null : fromMicros(dailyBudgetMicros),
    marketplace: marketplaceAnswer(marketplaceId),
    dateCreated: createdAt.toISOString(),
    dateUpdated: updatedAt.toISOString(),
    lastFetched: row.lastFetched?.toISOString() ?? null,
  }
}
