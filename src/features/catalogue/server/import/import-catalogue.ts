import { dayIn } from '#shared/time.ts'
import { adsOf, type Profile } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import { UpstreamForbidden, UpstreamMalformed, UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import { askEligibility } from './ask-eligibility.ts'
import { mergeProducts, type ImportedProduct, type Listed } from './merge-products.ts'
import type { Seller } from '#integrations/selling-partner/index.ts'
import type { Micros } from '#shared/money.ts'
import { CompiledQuery, sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { addEmptySince, replaceEvents } from '../product-events.ts'
import type { Shop } from '../costs/cost-rows.ts'

export interface CatalogueProgress {
  /** Stops the import between two calls. */
  signal: AbortSignal
  /** Called before each part: how much is done, 0 to 1, and what comes next. */
  onProgress: (share: number, what: string) => Promise<void>
}

/**
 * Brings in what the seller lists in the profile's marketplace, with stock, catalogue facts and eligibility. Everything is
 * read first and saved in one transaction, so a run that is broken off changes nothing and a second run over an
 * unchanged account neither. What the marketplace refuses to tell stays as it was; COGS are never touched. Without a
 * connection to the seller account there is nothing to read. Returns the number of products.
 */
export async function importCatalogue(
  services: Services,
  profile: Profile,
  { signal, onProgress }: CatalogueProgress,
): Promise<number> {
  const { db, clock, log, integrations } = services
  if (profile.sellingPartnerConnectionId === null) return 0
  const { region, sellerId, marketplaceAmazonId } = profile
  const seller = integrations.sellingPartner.forSeller({
    connectionId: profile.sellingPartnerConnectionId,
    region,
    sellerId,
  })
  const ads = adsOf(integrations, profile)
  const unanswered = new Set<Question>()
  const orUnknown = async <T>(what: Question, read: () => Promise<T[]>): Promise<T[]> => {
    signal.throwIfAborted()
    try {
      return await read()
    } catch (error) {
      if (!isPermanent(error)) throw error
      log.warn({ err: error, profileId: profile.profileId, what }, 'the marketplace does not answer it')
      unanswered.add(what)
      return []
    }
  }

  await onProgress(0, 'listings')
  const listings = await readListings(seller, profile, signal)
  await onProgress(0.3, 'stock')
  const inventory = await orUnknown('stock', () => allPages(seller.inventory(marketplaceAmazonId)))
  const noDetails = { catalog: [], facts: [], eligibility: [], fees: new Map<string, number>() }
  const listed = mergeProducts({ listings, inventory, ...noDetails })
  const asins = [...new Set(listed.flatMap(product => product.asin ?? []))]
  await onProgress(0.5, 'catalogue facts')
  const catalog = await orUnknown('catalogue facts', () => seller.catalogItems(asins, marketplaceAmazonId))
  await onProgress(0.7, 'advertising facts')
  const facts = await orUnknown('advertising facts', async () =>
    asins.length ? ads.advice.productFacts({ asins }) : [],
  )
  await onProgress(0.8, 'eligibility')
  const requested = listed.flatMap(({ asin, sku }) => (asin ? [{ asin, sku }] : []))
  const eligibility = await orUnknown('eligibility', () => askEligibility(ads, requested, signal))
  await onProgress(0.9, 'fees')
  const estimates = await orUnknown('fees', () => askFees(seller, listed, marketplaceAmazonId))
  const products = mergeProducts({ listings, inventory, catalog, facts, eligibility, fees: new Map(estimates) })
  signal.throwIfAborted()
  const now = clock.now()
  await db.tenant(profile.merchantId, tx =>
    saveProducts(tx, profile, products, { now, timezone: profile.timezone, unanswered }),
  )
  return products.length
}

async function allPages<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const all: T[] = []
  for await (const page of pages) all.push(...page)
  return all
}

/** What the marketplace keeps of a sale at the present price, by sku, in micros; missing where it has no estimate. */
async function askFees(
  seller: Pick<Seller, 'feesEstimates'>,
  products: readonly ImportedProduct[],
  marketplaceId: string,
): Promise<[sku: string, micros: Micros][]> {
  const questions = products.flatMap(({ sku, priceMicros, currency, fulfilledByAmazon }) =>
    priceMicros === null || currency === null
      ? []
      : [{ id: { sku }, marketplaceId, priceMicros, currency, fulfilledByAmazon: fulfilledByAmazon ?? false }],
  )
  const estimates = await seller.feesEstimates(questions)
  return estimates.flatMap((estimate, i): [string, number][] => {
    const question = questions[i]
    return estimate.ok && question ? [[question.id.sku, estimate.totalMicros]] : []
  })
}

/** True for an error that a retry would not change: the values stay unknown. */
const isPermanent = (error: unknown): boolean =>
  error instanceof UpstreamRejected || error instanceof UpstreamForbidden || error instanceof UpstreamMalformed

/** What an import requests besides the listings themselves; the marketplace may reject any of it. */
type Question = 'stock' | 'catalogue facts' | 'advertising facts' | 'eligibility' | 'fees'

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
    `${name} = ${isUnknown ? `coalesce(excluded.${name}, product_day.${name})` : `excluded.${name}`}`
  return `
  insert into product_day (merchant_id, product_id, date, ${list(stock)}, price_micros, taken_at)
  select $1::bigint, p.id, $3::date, ${list(stock, ofRow)}, p.price_micros, $4::timestamptz
  from unnest($5::text[], ${unnest(stock, 6)}) as u(sku, ${list(stock)})
  join product p on p.merchant_id = $1 and p.marketplace_id = $2 and p.sku = u.sku
  ${isUnknown ? 'where u.available is not null' : ''}
  on conflict (merchant_id, product_id, date) do update set ${list(stock, assigned)}, ${assigned('taken_at')},
    price_micros = excluded.price_micros`
}

/**
 * Saves the imported products of a merchant in one marketplace, in the caller's transaction: existing skus are changed, new
 * ones added, the others marked as gone; today's snapshot and its events are replaced, and snapshots older than 24 months
 * removed. What depends on an unanswered question stays unchanged.
 */
async function saveProducts(
  tx: Db,
  { merchantId, marketplaceId }: Shop,
  products: readonly ImportedProduct[],
  { now, timezone, unanswered }: { now: Date; timezone: string; unanswered: Unanswered },
): Promise<void> {
  const today = dayIn(now, timezone)
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
  await replaceEvents(tx, { merchantId, marketplaceId }, today)
  const empty = products.flatMap(({ sku, available, stockChangedAt }) =>
    available !== null && available <= 0 && stockChangedAt ? [{ sku, date: dayIn(stockChangedAt, timezone) }] : [],
  )
  await addEmptySince(tx, { merchantId, marketplaceId }, today, empty)
  await sql`delete from product_day where merchant_id = ${merchantId} and date < ${today}::date - interval '24 months'`.execute(
    tx,
  )
}

// A search of listings returns at most this many.
const SEARCH_LIMIT = 1000
const POLL_MS = 15_000
const POLLS = 120

/**
 * Everything that the seller lists in the profile's marketplace. Listings beyond the limit of a search come from the
 * report of listings, which has fewer columns (no condition, no fnsku). Throws when the marketplace cannot make that report.
 */
async function readListings(seller: Seller, profile: Profile, signal: AbortSignal): Promise<Listed[]> {
  const found: Listed[] = []
  for await (const page of seller.listings(profile.marketplaceAmazonId)) {
    signal.throwIfAborted()
    found.push(...page)
  }
  if (found.length < SEARCH_LIMIT) return found
  const searched = new Map(found.map(listing => [listing.sku, listing]))
  const rows = await readFile(seller, profile, signal)
  const fromFile = rows.map((row): Listed => {
    const { sku, asin, title, imageUrl, priceMicros, fulfilledByAmazon } = row
    const currency = priceMicros === null ? null : profile.currency
    const merchantQuantity = fulfilledByAmazon ? null : row.quantity
    const missing = { fnsku: null, condition: null }
    const fromRow = {
      sku,
      asin,
      title,
      imageUrl,
      priceMicros,
      currency,
      merchantQuantity,
      fulfilledByAmazon,
      ...missing,
    }
    return searched.get(sku) ?? fromRow
  })
  const inFile = new Set(rows.map(row => row.sku))
  return [...fromFile, ...found.filter(listing => !inFile.has(listing.sku))]
}

async function readFile(seller: Seller, profile: Profile, signal: AbortSignal) {
  const marketplaceId = profile.marketplaceAmazonId
  const { reportId } = await seller.reports.request({
    type: 'GET_MERCHANT_LISTINGS_ALL_DATA',
    marketplaceIds: [marketplaceId],
  })
  for (let i = 0; i < POLLS; i++) {
    const report = await seller.reports.get(reportId)
    if (report.status === 'DONE' && report.documentId) return seller.reports.listings(report.documentId, marketplaceId)
    if (report.status === 'CANCELLED') return []
    if (report.status === 'FATAL') break
    await wait(POLL_MS, undefined, { signal })
  }
  throw new Error('The marketplace did not make the report of listings.')
}
