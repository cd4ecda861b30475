import { CompiledQuery, sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { ImportedProduct } from './merge-products.ts'

/** What an import requests besides the listings themselves; the marketplace may reject any of it. */
export type Question = 'stock' | 'catalogue facts' | 'advertising facts' | 'eligibility' | 'fees'

type Column = readonly [
  name: string,
  type: string,
  of: (product: ImportedProduct) => string | number | boolean | null,
  sources?: readonly Question[],
]

// A value that the marketplace does not always report keeps its last one; a price or rank that is missing is removed.
const retained: readonly Column[] = [
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
  ['price_micros', 'bigint', p => p.priceMicros, ['advertising facts']],
  ['currency', 'text', p => p.currency, ['advertising facts']],
  ['best_seller_rank', 'int', p => p.bestSellerRank, ['catalogue facts', 'advertising facts']],
  ['availability', 'text', p => p.availability, ['stock', 'advertising facts']],
  ['fees_micros', 'bigint', p => p.feesMicros, ['fees']],
]
// The message belongs to the status and is replaced with it.
const eligibility: readonly Column[] = [
  ['eligibility_status', 'text', p => p.eligibilityStatus],
  ['eligibility_message', 'text', p => p.eligibilityMessage],
]
const eligibilitySources: readonly Question[] = ['eligibility', 'advertising facts']
const columns = [...retained, ...replaced, ...eligibility]
const stock: readonly Column[] = [
  ['available', 'int', p => p.available],
  ['reserved', 'int', p => p.reserved],
  ['unfulfillable', 'int', p => p.unfulfillable],
  ['inbound_working', 'int', p => p.inboundWorking],
  ['inbound_shipped', 'int', p => p.inboundShipped],
  ['inbound_received', 'int', p => p.inboundReceived],
]

const list = (of: readonly Column[], shape = (name: string) => name) => of.map(([name]) => shape(name)).join(', ')
const ofRow = (name: string) => `u.${name}`
const unnest = (of: readonly Column[], first: number) => of.map(([, type], i) => `$${i + first}::${type}[]`).join(', ')
const arrays = (of: readonly Column[], products: readonly ImportedProduct[]) =>
  of.map(([, , valueOf]) => products.map(valueOf))

type Unanswered = ReadonlySet<Question>

function assignment([name, , , sources = []]: Column, unanswered: Unanswered): string {
  return sources.some(question => unanswered.has(question))
    ? `${name} = coalesce(excluded.${name}, product.${name})`
    : `${name} = excluded.${name}`
}

function upsertText(unanswered: Unanswered) {
  const statusStays = eligibilitySources.some(question => unanswered.has(question))
  const withStatus = (name: string) =>
    statusStays
      ? `${name} = case when excluded.eligibility_status is null then product.${name} else excluded.${name} end`
      : `${name} = excluded.${name}`
  return `
  insert into product (merchant_id, marketplace_id, sku, ${list(columns)}, eligibility_checked_at, created_at, updated_at)
  select $1::bigint, $2::int, u.sku, ${list(columns, ofRow)},
    case when u.eligibility_status is not null then $3::timestamptz end, $3::timestamptz, $3::timestamptz
  from unnest($4::text[], ${unnest(columns, 5)}) as u(sku, ${list(columns)})
  on conflict (merchant_id, marketplace_id, sku) do update set
    ${list(retained, name => `${name} = coalesce(excluded.${name}, product.${name})`)},
    ${replaced.map(column => assignment(column, unanswered)).join(', ')},
    ${list(eligibility, withStatus)}, ${withStatus('eligibility_checked_at')},
    gone_at = null, updated_at = excluded.updated_at`
}

// Without an answer about stock, the day and the one before it stay unchanged.
function stockText(unanswered: Unanswered) {
  const isUnknown = unanswered.has('stock')
  const assigned = (name: string) =>
    `${name} = ${isUnknown ? `coalesce(excluded.${name}, product_stock_day.${name})` : `excluded.${name}`}`
  return `
  insert into product_stock_day (merchant_id, product_id, date, ${list(stock)}, taken_at)
  select $1::bigint, p.id, $3::date, ${list(stock, ofRow)}, $4::timestamptz
  from unnest($5::text[], ${unnest(stock, 6)}) as u(sku, ${list(stock)})
  join product p on p.merchant_id = $1 and p.marketplace_id = $2 and p.sku = u.sku
  ${isUnknown ? 'where u.available is not null' : ''}
  on conflict (merchant_id, product_id, date) do update set ${list(stock, assigned)}, ${assigned('taken_at')}`
}

/**
 * Saves the imported products of a merchant in one marketplace, in the caller's transaction: existing skus are changed, new
 * ones added, the others marked as gone; today's stock is replaced. What depends on an unanswered question stays
 * unchanged, and so do COGS.
 */
export async function saveProducts(
  tx: Db,
  { merchantId, marketplaceId }: { merchantId: number; marketplaceId: number },
  products: readonly ImportedProduct[],
  { now, today, unanswered }: { now: Date; today: string; unanswered: Unanswered },
): Promise<void> {
  const skus = products.map(p => p.sku)
  await tx.executeQuery(
    CompiledQuery.raw(upsertText(unanswered), [merchantId, marketplaceId, now, skus, ...arrays(columns, products)]),
  )
  // Some products have stock but no listing.
  if (!unanswered.has('stock'))
    await sql`update product set gone_at = ${now}, updated_at = ${now}
      where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and gone_at is null
        and not (sku = any(${skus}::text[]))`.execute(tx)
  await tx.executeQuery(
    CompiledQuery.raw(stockText(unanswered), [merchantId, marketplaceId, today, now, skus, ...arrays(stock, products)]),
  )
}
