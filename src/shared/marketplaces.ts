import { timezoneOfMarketplace } from './marketplace-timezones.ts'
import { type Micros, toMicros } from './money.ts'

/** An advertising region. Each has its own API host, and a profile belongs to exactly one. */
export type RegionKey = 'NA' | 'EU' | 'FE'

/**
 * What the marketplace defines per country. Money limits are in micros of `currency`.
 * Source: Amazon Ads API documentation, reference/concepts/limits and the profiles specification; marketplace ids from
 * the Selling Partner API's documentation. Egypt's maximum bid looks like a misprint in the source, but is as published.
 */
export interface MarketplaceFacts {
  /** Our own id; never changed or reused. */
  id: number
  /** The marketplace's id in the Selling Partner API. */
  amazonId: string
  /** The country code that the marketplace uses (UK, never GB). */
  key: string
  name: string
  region: RegionKey
  currency: string
  timezone: string
  domain: string
  sellerCentralUrl: string | null
  minBidMicros: Micros
  maxBidMicros: Micros
  minDailyBudgetMicros: Micros
  maxDailyBudgetMicros: Micros
}

/** The marketplace's regions, with our own ids. */
export const regions: readonly { id: number; key: RegionKey; name: string }[] = [
  { id: 1, key: 'NA', name: 'North America' },
  { id: 2, key: 'EU', name: 'Europe' },
  { id: 3, key: 'FE', name: 'Far East' },
]

type Row = [
  id: number,
  key: string,
  name: string,
  region: RegionKey,
  amazonId: string,
  currency: string,
  domain: string,
  sellerCentralUrl: string | null,
  minBid: string,
  maxBid: string,
  minDailyBudget: string,
  maxDailyBudget: string,
]

// biome-ignore format: one marketplace a line
const rows: Row[] = [
  [1, 'US', 'United States', 'NA', 'ATVPDKIKX0DER', 'USD', 'amazon.com', 'https://sellercentral.amazon.com', '0.02', '1000', '1', '1000000'],
  [2, 'BR', 'Brazil', 'NA', 'A2Q3Y263D00KWC', 'BRL', 'amazon.com.br', 'https://sellercentral.amazon.com.br', '0.07', '3700', '1.32', '5300000'],
  [3, 'CA', 'Canada', 'NA', 'A2EUQ1WTGCTBG2', 'CAD', 'amazon.ca', 'https://sellercentral.amazon.ca', '0.02', '1000', '1', '1000000'],
  [4, 'MX', 'Mexico', 'NA', 'A1AM78C64UM0Y8', 'MXN', 'amazon.com.mx', 'https://sellercentral.amazon.com.mx', '0.1', '20000', '1', '21000000'],
  [5, 'AE', 'United Arab Emirates', 'EU', 'A2VIGQ35RCS4UG', 'AED', 'amazon.ae', 'https://sellercentral.amazon.ae', '0.24', '184', '4', '3700000'],
  [6, 'BE', 'Belgium', 'EU', 'AMEN7PMS3EDWL', 'EUR', 'amazon.com.be', 'https://sellercentral.amazon.com.be', '0.02', '1000', '1', '1000000'],
  [7, 'DE', 'Germany', 'EU', 'A1PA6795UKMFR9', 'EUR', 'amazon.de', 'https://sellercentral-europe.amazon.com', '0.02', '1000', '1', '1000000'],
  [8, 'EG', 'Egypt', 'EU', 'ARBP9OOSHTCHU', 'EGP', 'amazon.eg', 'https://sellercentral.amazon.eg', '0.15', '5.50', '7', '7400000'],
  [9, 'ES', 'Spain', 'EU', 'A1RKKUPIHCS9HS', 'EUR', 'amazon.es', 'https://sellercentral-europe.amazon.com', '0.02', '1000', '1', '1000000'],
  [10, 'FR', 'France', 'EU', 'A13V1IB3VIYZZH', 'EUR', 'amazon.fr', 'https://sellercentral-europe.amazon.com', '0.02', '1000', '1', '1000000'],
  [11, 'IE', 'Ireland', 'EU', 'A28R8C7NBKEWEA', 'EUR', 'amazon.ie', null, '0.02', '1000', '1', '1000000'],
  [12, 'IN', 'India', 'EU', 'A21TJRUUN4KGV', 'INR', 'amazon.in', 'https://sellercentral.amazon.in', '1', '5000', '50', '21000000'],
  [13, 'IT', 'Italy', 'EU', 'APJ6JRA9NG5V4', 'EUR', 'amazon.it', 'https://sellercentral-europe.amazon.com', '0.02', '1000', '1', '1000000'],
  [14, 'NL', 'Netherlands', 'EU', 'A1805IZSGTT6HS', 'EUR', 'amazon.nl', 'https://sellercentral.amazon.nl', '0.02', '1000', '1', '1000000'],
  [15, 'PL', 'Poland', 'EU', 'A1C3SOZRARQ6R3', 'PLN', 'amazon.pl', 'https://sellercentral.amazon.pl', '0.04', '2000', '2', '2000000'],
  [16, 'SA', 'Saudi Arabia', 'EU', 'A17E79C6D8DWNP', 'SAR', 'amazon.sa', 'https://sellercentral.amazon.sa', '0.10', '3670', '4', '3700000'],
  [17, 'SE', 'Sweden', 'EU', 'A2NODRKZP88ZB9', 'SEK', 'amazon.se', 'https://sellercentral.amazon.se', '0.18', '9300', '9', '9300000'],
  [18, 'TR', 'Turkey', 'EU', 'A33AVAJ2PDY3EV', 'TRY', 'amazon.com.tr', 'https://sellercentral.amazon.com.tr', '0.05', '2500', '2', '2500000'],
  [19, 'UK', 'United Kingdom', 'EU', 'A1F83G8C2ARO7P', 'GBP', 'amazon.co.uk', 'https://sellercentral-europe.amazon.com', '0.02', '1000', '1', '1000000'],
  [20, 'ZA', 'South Africa', 'EU', 'AE08WJ6YKNBMC', 'ZAR', 'amazon.co.za', 'https://sellercentral.amazon.co.za', '1', '7000', '20', '7000000'],
  [21, 'AU', 'Australia', 'FE', 'A39IBJ37TRP1C6', 'AUD', 'amazon.com.au', 'https://sellercentral.amazon.com.au', '0.02', '1410', '1.4', '1500000'],
  [22, 'JP', 'Japan', 'FE', 'A1VC38T7YXB528', 'JPY', 'amazon.co.jp', 'https://sellercentral.amazon.co.jp', '2', '100000', '100', '21000000'],
  [23, 'SG', 'Singapore', 'FE', 'A19VAU5U5O7RUS', 'SGD', 'amazon.sg', 'https://sellercentral.amazon.sg', '0.02', '1100', '1.39', '1300000'],
]

/** Every supported marketplace, with limits in its own currency. */
export const marketplaces: readonly MarketplaceFacts[] = rows.map(
  ([id, key, name, region, amazonId, currency, domain, sellerCentralUrl, minBid, maxBid, minBudget, maxBudget]) => ({
    id,
    key,
    name,
    region,
    amazonId,
    currency,
    timezone: timezoneOfMarketplace(id),
    domain,
    sellerCentralUrl,
    minBidMicros: toMicros(minBid),
    maxBidMicros: toMicros(maxBid),
    minDailyBudgetMicros: toMicros(minBudget),
    maxDailyBudgetMicros: toMicros(maxBudget),
  }),
)

// Some sources use other country codes.
const aliases: Record<string, string> = { GB: 'UK', KSA: 'SA' }

/** The marketplace of a country code (or of the aliases GB and KSA), or undefined. */
export const marketplaceByKey = (key: string): MarketplaceFacts | undefined =>
  marketplaces.find(m => m.key === (aliases[key] ?? key))
/** The marketplace of a Selling Partner marketplace id, or undefined. */
export const marketplaceByAmazonId = (amazonId: string): MarketplaceFacts | undefined =>
  marketplaces.find(m => m.amazonId === amazonId)
/** The marketplace with our own id, or undefined. */
export const marketplaceById = (id: number): MarketplaceFacts | undefined => marketplaces.find(m => m.id === id)
