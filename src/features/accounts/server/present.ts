import { marketplaceById, type MarketplaceFacts, regions } from '#shared/marketplaces.ts'
import { fromMicros } from '#shared/money.ts'
import type { AmazonProfile, Connection, Marketplace, Merchant } from '../contract.ts'
import type { ConnectionRow } from './sql/connections.ts'
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

export function merchantAnswer(row: MerchantRow): Merchant {
  const region = regions.find(r => r.key === row.region)
  if (!region) throw new RangeError(`no region is called ${row.region}`)
  return {
    id: row.merchantId,
    name: row.name,
    accountType: row.accountType,
    regionId: region.id,
    regionName: region.name,
  }
}

export function connectionAnswer(row: ConnectionRow): Connection {
  return {
    id: row.id,
    kind: row.kind,
    health: row.health,
    connectedAt: row.connectedAt.toISOString(),
    lostAt: row.lostAt?.toISOString() ?? null,
  }
}

export function profileAnswer(row: ProfileRow): AmazonProfile {
  return {
    id: row.id,
    amazonProfileId: Number(row.amazonProfileId),
    countryCode: row.countryCode,
    currencyCode: row.currency,
    dailyBudget: row.dailyBudgetMicros === null ? null : fromMicros(row.dailyBudgetMicros),
    timezone: row.timezone,
    merchantId: row.merchantId,
    accountType: row.accountType,
    accountSubType: row.accountSubType,
    accountName: row.accountName,
    validPaymentMethod: row.validPaymentMethod,
    campaignPrefix: row.campaignPrefix,
    adSpendPercentage: row.adSpendPercentage,
    region: row.region,
    marketplace: marketplaceAnswer(row.marketplaceId),
    dateCreated: row.createdAt.toISOString(),
    dateUpdated: row.updatedAt.toISOString(),
    lastFetched: row.lastFetched?.toISOString() ?? null,
    isManaged: row.isManaged,
  }
}
