import { CompiledQuery, sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { ImportedProduct } from '../import/merge-products.ts'
import './catalogue-tables.ts'

type Column = readonly [name: string, type: string, of: (product: ImportedProduct) => string | number | boolean | null]

// What may be told at one time and not at another keeps its last known value; a price or rank that is gone is gone.
const kept: readonly Column[] = [
  ['asin', 'text', p => p.asin],
  ['fnsku', 'text', p => p.fnsku],
  ['title', 'text', p => p.title],
  ['brand', 'text', p => p.brand],
  ['category', 'text', p => p.category],
  ['condition', 'text', p => p.condition],
  ['image_url', 'text', p => p.imageUrl],
  ['fulfilled_by_amazon', 'boolean', p => p.fulfilledByAmazon],
]
const replaced: readonly Column[] = [
  ['price_micros', 'bigint', p => p.priceMicros],
  ['currency', 'text', p => p.currency],
  ['best_seller_rank', 'int', p => p.bestSellerRank],
  ['availability', 'text', p => p.availability],
  ['eligibility_status', 'text', p => p.eligibilityStatus],
  ['eligibility_message', 'text', p => p.eligibilityMessage],
  ['fees_micros', 'bigint', p => p.feesMicros],
]
const columns = [...kept, ...replaced]
const stock: readonly Column[] = [
  ['available', 'int', p => p.available],
  ['reserved', 'int', p => p.reserved],
  ['unfulfillable', 'int', p => p.unfulfillable],
  ['inbound_working', 'int', p => p.inboundWorking],
  ['inbound_shipped', 'int', p => p.inboundShipped],
  ['inbound_received', 'int', p => p.inboundReceived],
]

const names = (of: readonly Column[]) => of.map(([name]) => name)
const unnest = (of: readonly Column[], first: number) => of.map(([, type], i) => `$${i + first}::${type}[]`).join(', ')
const arrays = (of: readonly Column[], products: readonly ImportedProduct[]) =>
  of.map(([, , valueOf]) => products.map(valueOf))

const upsertText = `
  insert into product (merchant_id, marketplace_id, sku, ${names(columns).join(', ')}, eligibility_checked_at, created_at, updated_at)
  select $1::bigint, $2::int, u.sku, ${names(columns)
    .map(n => `u.${n}`)
    .join(', ')}, case when u.eligibility_status is not null then $3::timestamptz end, $3::timestamptz, $3::timestamptz
  from unnest($4::text[], ${unnest(columns, 5)}) as u(sku, ${names(columns).join(', ')})
  on conflict (merchant_id, marketplace_id, sku) do update set
    ${names(kept)
      .map(n => `${n} = coalesce(excluded.${n}, product.${n})`)
      .join(', ')},
    ${names(replaced)
      .map(n => `${n} = excluded.${n}`)
      .join(', ')},
    eligibility_checked_at = excluded.eligibility_checked_at, gone_at = null, updated_at = excluded.updated_at`

const stockText = `
  insert into product_stock_day (merchant_id, product_id, date, ${names(stock).join(', ')}, taken_at)
  select $1::bigint, p.id, $3::date, ${names(stock)
    .map(n => `u.${n}`)
    .join(', ')}, $4::timestamptz
  from unnest($5::text[], ${unnest(stock, 6)}) as u(sku, ${names(stock).join(', ')})
  join product p on p.merchant_id = $1 and p.marketplace_id = $2 and p.sku = u.sku
  on conflict (merchant_id, product_id, date) do update set
    ${[...names(stock), 'taken_at'].map(n => `${n} = excluded.${n}`).join(', ')}`

/**
 * Brings the products of a merchant in one marketplace up to what was read, in the caller's transaction: known skus are
 * changed, new ones added, the others marked as gone; today's stock is replaced. COGS stay as they are.
 */
export const saveProducts = async (
  tx: Db,
  { merchantId, marketplaceId }: { merchantId: number; marketplaceId: number },
  products: readonly ImportedProduct[],
  { now, today }: { now: Date; today: string },
): Promise<void> => {
  const skus = products.map(p => p.sku)
  await tx.executeQuery(
    CompiledQuery.raw(upsertText, [merchantId, marketplaceId, now, skus, ...arrays(columns, products)]),
  )
  await sql`update product set gone_at = ${now}, updated_at = ${now}
    where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and gone_at is null
      and not (sku = any(${skus}::text[]))`.execute(tx)
  await tx.executeQuery(
    CompiledQuery.raw(stockText, [merchantId, marketplaceId, today, now, skus, ...arrays(stock, products)]),
  )
}
