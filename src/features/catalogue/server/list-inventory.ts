import { pageInfo } from '#shared/query-schemas.ts'
import { currentProfile } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { InventoryPage } from '../contract.ts'
import { presentProduct } from './present-product.ts'
import { inventoryCount, inventoryPage } from './sql/inventory-rows.ts'

interface InventoryQuery {
  page: number
  size: number
  search?: string | undefined
  /** Comma-separated. */
  asins?: string | undefined
  snapshotDate?: string | undefined
}

/**
 * A page of the products of the current marketplace, by title, with stock as of a day (else the newest). Throws
 * RULE_VIOLATED when no marketplace is chosen.
 */
export async function listInventory(
  ctx: Ctx,
  { page, size, search, asins, snapshotDate }: InventoryQuery,
): Promise<InventoryPage> {
  const filter = { search, asins: asins?.split(',') }
  const profile = await currentProfile(ctx)
  return ctx.db.tenant(profile.merchantId, async tx => {
    const rows = await inventoryPage(tx, profile, { ...filter, page, size, asOfDay: snapshotDate ?? null })
    const { total, asOf } = await inventoryCount(tx, profile, filter)
    return {
      content: rows.map(row => presentProduct(row, profile.currency, ctx.config.IMAGE_HOSTS)),
      page: pageInfo(page, size, total),
      asOf: asOf?.toISOString() ?? null,
    }
  })
}
