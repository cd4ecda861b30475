import { type RawBuilder, sql } from 'kysely'
import type { FileAnswer } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import type { ExportFormat } from '#shared/export-file.ts'
import { fromMicros, type Micros } from '#shared/money.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { addDays, dayIn } from '#shared/time.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type Cell, fileColumn, fileName, readInParts, tableFile } from '#server/http/table-file.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { type InventoryColumn, inventoryColumns, type InventoryPage, type InventoryProduct } from '../contract.ts'
import type { InventorySort } from '../inventory-sorts.ts'
import { removeCost, setCost } from './costs/change-costs.ts'
import { joinCost } from './costs/cost-rows.ts'
import { joinSnapshot, listedProducts, type Product, productColumns, stockByAsin } from './product-rows.ts'
import { coverOf, joinPace, type Pace, salesPace } from './sales-pace.ts'

interface Filter {
  search?: string | undefined
  /** Comma-separated. */
  asins?: string | undefined
  snapshotDate?: string | undefined
  sortBy?: InventorySort
  sortDir?: 'asc' | 'desc'
}

/**
 * A page of the current marketplace's products with stock, price and cost as of a day. Unknown values come last in both
 * directions. Throws RULE_VIOLATED without a marketplace.
 */
export function listInventory(ctx: Ctx, query: Filter & { page: number; size: number }): Promise<InventoryPage> {
  const { page, size, snapshotDate } = query
  return readAccount(ctx, async (tx, profile) => {
    const days = daysOf(ctx, profile, snapshotDate)
    const { merchantId, marketplaceId } = profile
    const pace = await salesPace(tx, profile, days.lastFull)
    const ids = await readOrder(tx, profile, query, { ...days, pace, limit: sql`limit ${size} offset ${page * size}` })
    const until = sql`(${snapshotDate ?? null}::date is null or d.date <= ${snapshotDate ?? null}::date)`
    const { rows } = await sql<{ total: number; asOf: Date | null; firstDay: string | null }>`
      select (select count(*) ${listedProducts(profile, filterOf(query))})::float8 as total,
        max(d.taken_at) filter (where ${until}) as "asOf", min(d.date) as "firstDay"
      from product_day d join product p on p.merchant_id = d.merchant_id and p.id = d.product_id
      where d.merchant_id = ${merchantId} and p.merchant_id = ${merchantId} and p.marketplace_id = ${marketplaceId}`.execute(
      tx,
    )
    const [counted] = rows
    return {
      content: await readProducts(tx, ctx, profile, ids, days),
      page: pageInfo(page, size, counted?.total ?? 0),
      asOf: counted?.asOf?.toISOString() ?? null,
      firstDay: counted?.firstDay ?? null,
    }
  })
}

/** All products that match as a file, in the order of the screen. */
export async function exportInventory(
  ctx: Ctx,
  { format, columns, ...query }: Filter & { format: ExportFormat; columns?: string[] | undefined },
): Promise<FileAnswer> {
  const { profile, days, ids } = await readAccount(ctx, async (tx, account) => {
    const of = daysOf(ctx, account, query.snapshotDate)
    const pace = await salesPace(tx, account, of.lastFull)
    return { profile: account, days: of, ids: await readOrder(tx, account, query, { ...of, pace, limit: sql`` }) }
  })
  const shown = (columns?.length ? columns : Object.keys(inventoryColumns)) as InventoryColumn[]
  const read = (part: number[]) => ctx.db.reading(profile.merchantId, tx => readProducts(tx, ctx, profile, part, days))
  async function* rows(): AsyncGenerator<Cell[]> {
    for await (const row of readInParts(ids, one => one.productId, read))
      yield [row.sku, row.asin, row.title, ...shown.map(name => row[name] ?? null)]
  }
  const text = (label: string, width: number) => ({ ...fileColumn(label, 'text', profile.currency), width })
  return tableFile({
    name: fileName(query.snapshotDate ? `inventory ${query.snapshotDate}` : 'inventory', profile),
    format,
    sheet: 'inventory',
    columns: [
      text('SKU', 24),
      text('ASIN', 14),
      text('Product', 40),
      ...shown.map(name => fileColumn(inventoryColumns[name], unitOfColumn(name), profile.currency)),
    ],
    rows: rows(),
  })
}

const texts = new Set<InventoryColumn>([
  'brand',
  'category',
  'availability',
  'condition',
  'fnsku',
  'spEligibilityStatus',
  'spEligibilityMessage',
])
function unitOfColumn(name: InventoryColumn): 'text' | 'money' | 'count' {
  if (name === 'customerPrice' || name === 'cogs') return 'money'
  return texts.has(name) ? 'text' : 'count'
}

/** The day that is shown (null for now), the day whose cost counts, and the last day that is over by then. */
function daysOf(ctx: Ctx, { timezone }: Profile, snapshotDate: string | undefined): Days {
  const today = dayIn(ctx.clock.now(), timezone)
  const shown = snapshotDate !== undefined && snapshotDate < today ? snapshotDate : null
  return { shown, day: shown ?? today, lastFull: shown ?? addDays(today, -1) }
}
interface Days {
  shown: string | null
  day: string
  lastFull: string
}

const filterOf = ({ search, asins }: Filter) => ({ search, asins: asins?.split(',') })

async function readOrder(
  tx: Db,
  profile: Profile,
  filter: Filter,
  { shown, day, pace, limit }: Days & { pace: Pace | null; limit: RawBuilder<unknown> },
): Promise<number[]> {
  const { sortBy = 'title', sortDir = 'asc' } = filter
  const stock = sql`(select d.available from product_day d where d.merchant_id = ${profile.merchantId} and d.product_id = product.id
    and (${shown}::date is null or d.date <= ${shown}::date) order by d.date desc limit 1)`
  const keys: Record<InventorySort, () => RawBuilder<unknown>> = {
    title: () => sql`lower(title)`,
    price: () => sql`price_micros`,
    available: () => stock,
    cogs: () => sql`cogs_micros`,
    rank: () => sql`best_seller_rank`,
    cover: () => (pace ? sql`${stock} / nullif(w.total_units, 0)` : sql`null::float8`),
  }
  const direction = sortDir === 'asc' ? sql`asc` : sql`desc`
  const listed = listedProducts(profile, filterOf(filter))
  const joined = { cogs: joinCost(profile, 'product', day), cover: joinPace(pace, sql`product.asin`) }
  const isJoined = sortBy === 'cogs' || sortBy === 'cover'
  const rowsOf = isJoined ? sql`from (select * ${listed}) as product ${joined[sortBy]}` : listed
  const { rows } = await sql<{ id: number }>`select id ${rowsOf}
    order by ${keys[sortBy]()} ${direction} nulls last, id ${limit}`.execute(tx)
  return rows.map(row => row.id)
}

/**
 * Sets the cost of a unit, as `setCost` does, and answers the product as it is now.
 */
export async function setCogs(ctx: Ctx, input: Parameters<typeof setCost>[1]): Promise<InventoryProduct> {
  await setCost(ctx, input)
  return readProduct(ctx, input.productId)
}

/** Removes a cost, as `removeCost` does, and answers the product as it is now. */
export async function removeCogs(ctx: Ctx, input: Parameters<typeof removeCost>[1]): Promise<InventoryProduct> {
  await removeCost(ctx, input)
  return readProduct(ctx, input.productId)
}

async function readProduct(ctx: Ctx, productId: number): Promise<InventoryProduct> {
  return readAccount(ctx, async (tx, profile) => {
    const [product] = await readProducts(tx, ctx, profile, [productId], daysOf(ctx, profile, undefined))
    if (!product) throw new AppError('NOT_FOUND', 'There is no such product.')
    return product
  })
}

type InventoryRow = Product & { cogsMicros: Micros | null; coverDays: number | null }

/** The merchant's products of these ids, in their order. */
async function readProducts(
  tx: Db,
  ctx: Ctx,
  profile: Profile,
  ids: readonly number[],
  { shown, day, lastFull }: Days,
): Promise<InventoryProduct[]> {
  const { merchantId } = profile
  const ofIds = sql`select * from product where merchant_id = ${merchantId} and id = any(${[...ids]}::bigint[])`
  const found = await sql<{ asin: string }>`select asin from (${ofIds}) p where asin is not null`.execute(tx)
  const asins = found.rows.map(row => row.asin)
  const pace = await salesPace(tx, profile, lastFull)
  const { rows } = await sql<InventoryRow>`select ${productColumns}, cost.cogs_micros as "cogsMicros",
      ${coverOf(pace)} as "coverDays", ${shown === null ? sql`p.price_micros` : sql`s.price_micros`} as "priceMicros"
    from (${ofIds}) as p ${joinSnapshot(profile, shown)} ${joinCost(profile, 'p', day, sql`array(select sku from (${ofIds}) o)`)}
    left join ${stockByAsin(profile, asins, shown)} k on k.asin = p.asin ${joinPace(pace, sql`p.asin`, asins)}
    order by array_position(${[...ids]}::bigint[], p.id)`.execute(tx)
  return rows.map(row => presentProduct(row, profile.currency, ctx.config.IMAGE_HOSTS))
}

const money = (micros: Micros | null) => (micros === null ? null : fromMicros(micros))

/** A row as the contract shows it. `marketCurrency` is the marketplace's, for rows without a price. */
function presentProduct(row: InventoryRow, marketCurrency: string, imageHosts: readonly string[]): InventoryProduct {
  const { priceMicros, currency, eligibilityStatus, eligibilityMessage, cogsMicros, coverDays, ...same } = row
  const inbound = [row.inboundWorking, row.inboundShipped, row.inboundReceived].filter(n => n !== null)
  return {
    ...same,
    customerPrice: money(priceMicros),
    customerCurrency: currency ?? marketCurrency,
    imageUrl: allowedPicture(row.imageUrl, imageHosts),
    spEligibilityStatus: eligibilityStatus,
    spEligibilityMessage: eligibilityMessage,
    totalReservedQuantity: row.reservedQuantity,
    // No call of ours returns it.
    pendingRemovalQuantity: null,
    inboundQuantity: inbound.length ? inbound.reduce((sum, n) => sum + n, 0) : null,
    cogs: money(cogsMicros),
    coverDays: coverDays === null ? null : Math.max(0, Math.round(coverDays * 10) / 10),
  }
}

/** The address if the content security policy allows it, else null. A host may begin with `*.`, as in the policy. */
export function allowedPicture(address: string | null, hosts: readonly string[]): string | null {
  const url = address === null ? null : URL.parse(address)
  return url && hosts.some(host => covers(host, url)) ? address : null
}

function covers(host: string, url: URL): boolean {
  const any = host.match(/^(https?:)\/\/\*\.(.+)$/)
  if (any) return url.protocol === any[1] && url.host.endsWith(`.${any[2]}`)
  return URL.parse(host)?.origin === url.origin
}
