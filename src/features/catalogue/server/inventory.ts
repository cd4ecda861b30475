import { type RawBuilder, sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { fromMicros, type Micros } from '#shared/money.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { dayIn } from '#shared/time.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { currentProfile } from '#features/accounts/server/public.ts'
import type { InventoryPage, InventoryProduct } from '../contract.ts'
import { removeCost, setCost } from './costs/change-costs.ts'
import { costOn } from './costs/cost-rows.ts'
import { joinSnapshot, listedProducts, type Product, productColumns } from './product-rows.ts'

interface InventoryQuery {
  page: number
  size: number
  search?: string | undefined
  /** Comma-separated. */
  asins?: string | undefined
  snapshotDate?: string | undefined
}

/** A page of the current marketplace's products, by title, with stock as of a day. Throws RULE_VIOLATED without one. */
export async function listInventory(ctx: Ctx, query: InventoryQuery): Promise<InventoryPage> {
  const { page, size, search, asins, snapshotDate = null } = query
  const profile = await currentProfile(ctx)
  const { merchantId, marketplaceId } = profile
  const listed = listedProducts(profile, { search, asins: asins?.split(',') })
  const ofPage = sql`select * ${listed} order by lower(title) nulls last, id limit ${size} offset ${page * size}`
  const today = dayIn(ctx.clock.now(), profile.timezone)
  const count = sql<{ total: number; asOf: Date | null }>`
    select (select count(*) ${listed}) as total,
      (select max(d.taken_at) from product_day d join product p on p.merchant_id = d.merchant_id and p.id = d.product_id
        where d.merchant_id = ${merchantId} and p.merchant_id = ${merchantId} and p.marketplace_id = ${marketplaceId}) as "asOf"`
  return ctx.db.tenant(merchantId, async tx => {
    const rows = await readRows(tx, ofPage, { today, snapshotDate })
    const [counted] = (await count.execute(tx)).rows
    return {
      content: rows.map(row => presentProduct(row, profile.currency, ctx.config.IMAGE_HOSTS)),
      page: pageInfo(page, size, counted?.total ?? 0),
      asOf: counted?.asOf?.toISOString() ?? null,
    }
  })
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
  const profile = await currentProfile(ctx)
  const { merchantId, currency, timezone } = profile
  const one = sql`select * from product where merchant_id = ${merchantId} and id = ${productId}`
  const [row] = await ctx.db.reading(merchantId, tx =>
    readRows(tx, one, { today: dayIn(ctx.clock.now(), timezone), snapshotDate: null }),
  )
  if (!row) throw new AppError('NOT_FOUND', 'There is no such product.')
  return presentProduct(row, currency, ctx.config.IMAGE_HOSTS)
}

type InventoryRow = Product & { cogsMicros: Micros | null }

/** Rows `products` of the table `product`, by title, with stock and cost as of a day, which is now when null. */
async function readRows(
  tx: Db,
  products: RawBuilder<unknown>,
  { today, snapshotDate }: { today: string; snapshotDate: string | null },
): Promise<InventoryRow[]> {
  const { rows } =
    await sql<InventoryRow>`select ${productColumns}, ${costOn('p', snapshotDate ?? today)} as "cogsMicros"
    from (${products}) as p ${joinSnapshot(snapshotDate)} order by lower(p.title) nulls last, p.id`.execute(tx)
  return rows
}

const money = (micros: Micros | null) => (micros === null ? null : fromMicros(micros))

/** A row as the contract shows it. `marketCurrency` is the marketplace's, for rows without a price. */
function presentProduct(row: InventoryRow, marketCurrency: string, imageHosts: readonly string[]): InventoryProduct {
  const { priceMicros, currency, eligibilityStatus, eligibilityMessage, cogsMicros, ...same } = row
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
