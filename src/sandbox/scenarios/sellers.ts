import { marketplaceByKey } from '#shared/marketplaces.ts'
import type { Profile, Seller } from '../core/model/store.ts'

const idOf = (country: string): string => marketplaceByKey(country)?.amazonId ?? ''

/** Sellers of the scenarios. Their ids look like the marketplace's own: an A and 13 letters or digits. */
export const sellers = {
  harborlane: {
    sellerId: 'A1HARBORLANEUS',
    name: 'Harborlane Goods',
    region: 'NA',
    type: 'seller',
    marketplaceIds: [idOf('US'), idOf('CA')],
  },
  nordhafen: {
    sellerId: 'A2NORDHAFENDE1',
    name: 'Nordhafen Handel GmbH',
    region: 'EU',
    type: 'seller',
    marketplaceIds: [idOf('DE')],
  },
  minato: {
    sellerId: 'A3MINATOSHOJI1',
    name: '港商事株式会社',
    region: 'FE',
    type: 'seller',
    marketplaceIds: [idOf('JP')],
  },
  driftwood: {
    sellerId: 'A4DRIFTWOODUSX',
    name: 'Driftwood & Daughters',
    region: 'NA',
    type: 'seller',
    marketplaceIds: [idOf('US'), idOf('MX')],
  },
  idle: { sellerId: 'A5IDLEHARBORUS', name: 'Idle Harbor', region: 'NA', type: 'seller', marketplaceIds: [idOf('US')] },
  grandbank: {
    sellerId: 'A6GRANDBANKUSX',
    name: 'Grandbank Trading',
    region: 'NA',
    type: 'seller',
    marketplaceIds: [idOf('US'), idOf('CA')],
  },
  doggerbank: {
    sellerId: 'A7DOGGERBANKDE',
    name: 'Doggerbank Versand GmbH',
    region: 'EU',
    type: 'seller',
    marketplaceIds: [idOf('DE')],
  },
  oddfellow: {
    sellerId: 'A8ODDFELLOWUKX',
    name: '<Oddfellow> & "Söhne" 🎩',
    region: 'EU',
    type: 'seller',
    marketplaceIds: [idOf('UK')],
  },
} as const satisfies Record<string, Seller>

/** A profile of a seller in a country; the id is 16 digits, which a number still holds. */
export function profileFor(seller: Seller, country: string, profileId: number): Profile {
  const marketplace = marketplaceByKey(country)
  if (!marketplace) throw new Error(`no marketplace ${country}`)
  return {
    profileId,
    sellerId: seller.sellerId,
    region: seller.region,
    marketplaceId: marketplace.amazonId,
    countryCode: marketplace.key,
    currency: marketplace.currency,
    timezone: marketplace.timezone,
    dailyBudgetMicros: null,
    validPaymentMethod: true,
  }
}
