import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { Micros } from '#shared/money.ts'
import type { EligibilityStatus, InventoryProduct } from '../contract.ts'
import { joinCost, type Shop } from './costs/cost-rows.ts'

// What the contract shows in another form, or adds.
type Presented =
  | 'customerPrice'
  | 'customerCurrency'
  | `spEligibility${'Status' | 'Message'}`
  | `${'totalReserved' | 'pendingRemoval' | 'inbound'}Quantity`
  | 'cogs'

/** A product with its stock; null is what the marketplace did not report. */
export interface Product extends Omit<InventoryProduct, Presented> {
  priceMicros: Micros | null
  currency: string | null
  eligibilityStatus: EligibilityStatus | null
  eligibilityMessage: string | null
}

/** The columns of a row `p` of `product` and its stock `s`, as `Product` has them. */
export const productColumns = sql`p.id as "productId", p.asin, p.sku, p.title, p.brand, p.category, p.price_micros as "priceMicros",
  p.currency, p.availability, p.best_seller_rank as "bestSellerRank", p.image_url as "imageUrl",
  p.eligibility_status as "eligibilityStatus", p.eligibility_message as "eligibilityMessage", p.fnsku, p.condition,
  s.available, s.reserved as "reservedQuantity", s.unfulfillable as "unfulfillableQuantity",
  s.inbound_working as "inboundWorking", s.inbound_shipped as "inboundShipped", s.inbound_received as "inboundReceived"`

/** Joins rows `p` of `product` with their snapshot `s` of a day, or the last one before it; of now when null. */
export const joinSnapshot = (
  { merchantId }: Pick<Shop, 'merchantId'>,
  asOfDay: string | null,
): RawBuilder<unknown> => sql`left join lateral (
  select * from product_day d
  where d.merchant_id = ${merchantId} and d.product_id = p.id and (${asOfDay}::date is null or d.date <= ${asOfDay}::date)
  order by d.date desc limit 1) as s on true`

const contains = (search: string) => `%${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`

/** The rest of a select statement: what is listed now, by part of a title, sku or ASIN, and by ASINs. */
export function listedProducts(
  { merchantId, marketplaceId }: Shop,
  { search, asins }: { search?: string | undefined; asins?: readonly string[] | undefined } = {},
): RawBuilder<unknown> {
  return sql`
  from product where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and gone_at is null
  ${search ? sql`and ${matchesText(search)}` : sql``}
  ${asins ? sql`and asin = any(${[...asins]}::text[])` : sql``}`
}

/** A condition on rows of `product`: part of a title, sku or ASIN. */
export function matchesText(search: string): RawBuilder<unknown> {
  const part = contains(search)
  return sql`(lower(coalesce(title, '')) like ${part} or lower(sku) like ${part} or lower(coalesce(asin, '')) like ${part})`
}

/** A subquery: the pieces in stock of the listed skus of each product, by `asin`, as of a day; of now when it is null. */
export const stockByAsin = (
  { merchantId, marketplaceId }: Shop,
  asins: readonly string[] | null = null,
  asOfDay: string | null = null,
): RawBuilder<unknown> => sql`(
  select p.asin, sum(s.available)::float8 as available from product p ${joinSnapshot({ merchantId }, asOfDay)}
  where p.merchant_id = ${merchantId} and p.marketplace_id = ${marketplaceId} and p.gone_at is null and p.asin is not null
    ${asins ? sql`and p.asin = any(${[...asins]}::text[])` : sql``}
  group by p.asin)`

/** A merchant's listed products of these ASINs in one marketplace, a row for each sku, in a tenant's transaction. */
export async function productsByAsin(
  tx: Db,
  merchantId: number,
  marketplaceId: number,
  asins: readonly string[],
): Promise<Product[]> {
  const { rows } = await sql<Product>`select ${productColumns}
    from (select * ${listedProducts({ merchantId, marketplaceId }, { asins })}) as p ${joinSnapshot({ merchantId }, null)}
    order by p.id`.execute(tx)
  return rows
}

/** The brands of a merchant's products that are listed in one marketplace, once each, in a tenant's transaction. */
export async function brandsOfProducts(tx: Db, merchantId: number, marketplaceId: number): Promise<string[]> {
  const listed = listedProducts({ merchantId, marketplaceId })
  const { rows } = await sql<{ brand: string }>`select distinct brand ${listed} and brand is not null`.execute(tx)
  return rows.map(row => row.brand)
}

interface UnitEconomics {
  productId: number
  asin: string
  sku: string
  priceMicros: Micros | null
  /** What one unit costs the seller; null until the user enters it. */
  cogsMicros: Micros | null
  /** What the marketplace keeps of a sale, by its estimate; null when it gave none. */
  feesMicros: Micros | null
}

/** Price, cost on a day and fees of a unit of these skus, by sku; those that the seller does not list in the marketplace are missing. */
export async function unitEconomics(
  tx: Db,
  shop: Shop,
  skus: readonly string[],
  day: string,
): Promise<UnitEconomics[]> {
  const some = sql`${skus}::text[]`
  const { rows } = await sql<UnitEconomics>`select p.id as "productId", coalesce(p.asin, '') as asin, p.sku,
      p.price_micros as "priceMicros", cost.cogs_micros as "cogsMicros", p.fees_micros as "feesMicros"
    from product p ${joinCost(shop, 'p', day, some)}
    where p.merchant_id = ${shop.merchantId} and p.marketplace_id = ${shop.marketplaceId} and p.sku = any(${some})
    order by p.sku`.execute(tx)
  return rows
}
