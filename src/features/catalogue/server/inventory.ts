import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { fromMicros, hasUnitPrecision, type Micros, toMicros } from '#shared/money.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import { type Ctx, requireAuthority } from '#server/context.ts'
import { currentProfile, requireOwner } from '#features/accounts/server/public.ts'
import type { InventoryPage, InventoryProduct } from '../contract.ts'
import { listedProducts, type Product, productsWithStock } from './product-rows.ts'

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
  const order = (table: string) => sql.raw(`lower(${table}title) nulls last, ${table}id`)
  const ofPage = sql`select * ${listed} order by ${order('')} limit ${size} offset ${page * size}`
  const count = sql<{ total: number; asOf: Date | null }>`
    select (select count(*) ${listed}) as total,
      (select max(d.taken_at) from product_stock_day d join product p on p.merchant_id = d.merchant_id and p.id = d.product_id
        where d.merchant_id = ${merchantId} and p.merchant_id = ${merchantId} and p.marketplace_id = ${marketplaceId}) as "asOf"`
  return ctx.db.tenant(merchantId, async tx => {
    const rows = await productsWithStock(tx, ofPage, snapshotDate, order('p.'))
    const [counted] = (await count.execute(tx)).rows
    return {
      content: rows.map(row => presentProduct(row, profile.currency, ctx.config.IMAGE_HOSTS)),
      page: pageInfo(page, size, counted?.total ?? 0),
      asOf: counted?.asOf?.toISOString() ?? null,
    }
  })
}

/**
 * Sets what one unit of a product costs the seller, in the product's currency. Throws NOT_FOUND when the current merchant
 * has no such product, VALIDATION_FAILED when the amount is finer than the currency, FORBIDDEN to viewers.
 */
export async function setCogs(
  ctx: Ctx,
  { productId, cogs }: { productId: number; cogs: number },
): Promise<InventoryProduct> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const profile = await currentProfile(ctx)
  const { merchantId } = profile
  await requireOwner(ctx, merchantId)
  return ctx.db.tenant(merchantId, async tx => {
    const one = sql`select * from product where merchant_id = ${merchantId} and id = ${productId}`
    const [before] = await productsWithStock(tx, one)
    if (!before) throw new AppError('NOT_FOUND', 'There is no such product.')
    const currency = before.currency ?? profile.currency
    const cogsMicros = toMicros(cogs)
    if (!hasUnitPrecision(cogsMicros, currency))
      throw new AppError('VALIDATION_FAILED', 'The cost is not valid.', {
        details: [`cogs: ${currency} has no such small amounts`],
      })
    const changes = { cogs_micros: cogsMicros, updated_at: ctx.clock.now() }
    const rows = tx.updateTable('product').set(changes)
    await rows.where('merchant_id', '=', merchantId).where('id', '=', productId).execute()
    const change = { before: { cogsMicros: before.cogsMicros }, after: { cogsMicros }, action: 'product.set-cogs' }
    const { actor, requestId } = ctx
    const by = { merchantId, accountId: actor.accountId, requestId }
    await recordAudit(tx, { ...by, entity: 'product', entityId: productId, ...change })
    return presentProduct({ ...before, cogsMicros }, currency, ctx.config.IMAGE_HOSTS)
  })
}

const money = (micros: Micros | null) => (micros === null ? null : fromMicros(micros))

/** A row as the contract shows it. `marketCurrency` is the marketplace's, for rows without a price. */
function presentProduct(row: Product, marketCurrency: string, imageHosts: readonly string[]): InventoryProduct {
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
