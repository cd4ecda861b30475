import { marketplaceByKey, type RegionKey } from '#shared/marketplaces.ts'
import type { Seller } from '../core/model/store.ts'

/** A seller's account; ids look like the marketplace's own: an A and 13 letters or digits. */
function seller(sellerId: string, name: string, region: RegionKey, ...countries: string[]): Seller {
  const marketplaceIds = countries.map(country => marketplaceByKey(country)?.amazonId ?? '')
  return { sellerId, name, region, type: 'seller', marketplaceIds }
}

export const sellers = {
  harborlane: seller('A1HARBORLANEUS', 'Harborlane Goods', 'NA', 'US', 'CA'),
  nordhafen: seller('A2NORDHAFENDE1', 'Nordhafen Handel GmbH', 'EU', 'DE'),
  minato: seller('A3MINATOSHOJI1', '港商事株式会社', 'FE', 'JP'),
  driftwood: seller('A4DRIFTWOODUSX', 'Driftwood & Daughters', 'NA', 'US', 'MX'),
  idle: seller('A5IDLEHARBORUS', 'Idle Harbor', 'NA', 'US'),
  grandbank: seller('A6GRANDBANKUSX', 'Grandbank Trading', 'NA', 'US', 'CA'),
  doggerbank: seller('A7DOGGERBANKDE', 'Doggerbank Versand GmbH', 'EU', 'DE'),
  oddfellow: seller('A8ODDFELLOWUKX', '<Oddfellow> & "Söhne" 🎩', 'EU', 'UK'),
}
