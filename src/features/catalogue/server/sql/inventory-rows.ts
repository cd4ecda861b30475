import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { Micros } from '#shared/money.ts'
import type { EligibilityStatus } from '../../contract.ts'

export interface InventoryRow {
  productId: number
  asin: string | null
  sku: string
  title: string | null
  brand: string | null
  category: string | null
  priceMicros: Micros | null
  currency: string | null
  availability: string | null
  bestSellerRank: number | null
  imageUrl: string | null
  eligibilityStatus: EligibilityStatus | null
  eligibilityMessage: string | null
  fnsku: string | null
  condition: string | null
  cogsMicros: Micros | null
  available: number | null
  reserved: number | null
  unfulfillable: number | null
  inboundWorking: number | null
  inboundShipped: number | null
  inboundReceived: number | null
}

const fields = sql`p.id as "productId", p.asin, p.sku, p.title, p.brand, p.category, p.price_micros as "priceMicros",
  p.currency, p.availability, p.best_seller_rank as "bestSellerRank", p.image_url as "imageUrl",
  p.eligibility_status as "eligibilityStatus", p.eligibility_message as "eligibilityMessage", p.fnsku, p.condition,
  p.cogs_micros as "cogsMicros", s.available, s.reserved, s.unfulfillable, s.inbound_working as "inboundWorking",
  s.inbound_shipped as "inboundShipped", s.inbound_received as "inboundReceived"`

/** `p` with its stock as of a day (the newest when null) as `s`. */
function withStock(products: RawBuilder<unknown>, asOfDay: string | null) {
  return sql`
  (${products}) as p left join lateral (
    select * from product_stock_day d
    where d.merchant_id = p.merchant_id and d.product_id = p.id and (${asOfDay}::date is null or d.date <= ${asOfDay}::date)
    order by d.date desc limit 1) as s on true`
}

/** One marketplace of one merchant. */
export interface Shop {
  merchantId: number
  marketplaceId: number
}

const contains = (search: string) => `%${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`

interface InventoryFilter {
  /** Part of a title, sku or ASIN. */
  search?: string | undefined
  asins?: readonly string[] | undefined
}

function listed({ merchantId, marketplaceId }: Shop, { search, asins }: InventoryFilter) {
  return sql`
  from product where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and gone_at is null
  ${search ? sql`and (lower(coalesce(title, '')) like ${contains(search)} or lower(sku) like ${contains(search)} or lower(coalesce(asin, '')) like ${contains(search)})` : sql``}
  ${asins ? sql`and asin = any(${[...asins]}::text[])` : sql``}`
}

/** A page of what is listed now, by title (those without one last), with its stock as of a day. */
export async function inventoryPage(
  tx: Db,
  shop: Shop,
  { page, size, asOfDay, ...filter }: InventoryFilter & { page: number; size: number; asOfDay: string | null },
): Promise<InventoryRow[]> {
  const order = (t: string) => sql.raw(`lower(${t}title) nulls last, ${t}id`)
  const products = sql`select * ${listed(shop, filter)} order by ${order('')} limit ${size} offset ${page * size}`
  const { rows } =
    await sql<InventoryRow>`select ${fields} from ${withStock(products, asOfDay)} order by ${order('p.')}`.execute(tx)
  return rows
}

/** How many are listed now, and when their stock was last read (null: never). */
export async function inventoryCount(
  tx: Db,
  shop: Shop,
  filter: InventoryFilter,
): Promise<{ total: number; asOf: Date | null }> {
  const { rows } = await sql<{ total: number; asOf: Date | null }>`
    select (select count(*) ${listed(shop, filter)}) as total,
      (select max(d.taken_at) from product_stock_day d join product p on p.merchant_id = d.merchant_id and p.id = d.product_id
        where d.merchant_id = ${shop.merchantId} and p.merchant_id = ${shop.merchantId} and p.marketplace_id = ${shop.marketplaceId}) as "asOf"`.execute(
    tx,
  )
  return rows[0] ?? { total: 0, asOf: null }
}

/** Products of these ASINs that are listed now; one ASIN may have several skus. */
export async function rowsByAsin(tx: Db, shop: Shop, asins: readonly string[]): Promise<InventoryRow[]> {
  const products = sql`select * ${listed(shop, { asins })}`
  const { rows } = await sql<InventoryRow>`select ${fields} from ${withStock(products, null)} order by p.id`.execute(tx)
  return rows
}

/** The brands of all that is listed now, once each. */
export async function brandsListed(tx: Db, shop: Shop): Promise<string[]> {
  const { rows } = await sql<{
    brand: string
  }>`select distinct brand ${listed(shop, {})} and brand is not null`.execute(tx)
  return rows.map(row => row.brand)
}

/** One product of a merchant; undefined when there is none. */
export async function rowById(tx: Db, merchantId: number, productId: number): Promise<InventoryRow | undefined> {
  const products = sql`select * from product where merchant_id = ${merchantId} and id = ${productId}`
  const { rows } = await sql<InventoryRow>`select ${fields} from ${withStock(products, null)}`.execute(tx)
  return rows[0]
}

/** Sets what a piece costs; answers the marketplace of the product, undefined when there is none. */
export async function saveCogs(
  tx: Db,
  merchantId: number,
  productId: number,
  cogsMicros: Micros,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('product')
    .set({ cogs_micros: cogsMicros, updated_at: now })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', productId)
    .execute()
}

/** Keeps fresh answers on eligibility, each for its sku. */
export async function saveEligibility(
  tx: Db,
  shop: Shop,
  answers: readonly { sku: string; status: EligibilityStatus; message: string | null }[],
  now: Date,
): Promise<void> {
  await sql`update product p
    set eligibility_status = u.status, eligibility_message = u.message, eligibility_checked_at = ${now}
    from unnest(${answers.map(a => a.sku)}::text[], ${answers.map(a => a.status)}::text[], ${answers.map(a => a.message)}::text[])
      as u(sku, status, message)
    where p.merchant_id = ${shop.merchantId} and p.marketplace_id = ${shop.marketplaceId} and p.sku = u.sku`.execute(tx)
}
