import { type RawBuilder, sql } from 'kysely'
import type { Micros } from '#shared/money.ts'
import type { Db } from '#server/db/tables.ts'

/** One marketplace of one merchant. */
export interface Shop {
  merchantId: number
  marketplaceId: number
}

/** What a unit of a sku costs from a day on. */
export interface CostRow {
  sku: string
  validFrom: string
  cogsMicros: Micros
}

const ofShop = ({ merchantId, marketplaceId }: Shop) =>
  sql`merchant_id = ${merchantId} and marketplace_id = ${marketplaceId}`

/**
 * Joins rows `product` with what a unit of their sku cost on a day, as `cost.cogs_micros`; null where none was entered for
 * it. With `skus`, an array, only those costs are read.
 */
export const joinCost = (shop: Shop, product: string, day: string, skus?: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`left join (select distinct on (sku) sku, cogs_micros from product_cost
    where ${ofShop(shop)} and valid_from <= ${day} ${skus ? sql`and sku = any(${skus})` : sql``}
    order by sku, valid_from desc) cost on cost.sku = ${sql.ref(`${product}.sku`)}`

/** The costs of some skus, the newest first, with when each was entered and by which import. */
export async function readCosts(tx: Db, shop: Shop, skus: readonly string[]) {
  const { rows } = await sql<CostRow & { changedAt: Date; importId: number | null }>`
    select sku, valid_from as "validFrom", cogs_micros as "cogsMicros", changed_at as "changedAt", import_id as "importId"
    from product_cost where ${ofShop(shop)} and sku = any(${[...skus]}::text[]) order by sku, valid_from desc`.execute(
    tx,
  )
  return rows
}

/** Adds costs, or replaces those of the same sku and day. No sku has two costs of one day among `rows`. */
export async function saveCosts(
  tx: Db,
  { merchantId, marketplaceId }: Shop,
  rows: readonly CostRow[],
  { at, importId = null }: { at: Date; importId?: number | null },
): Promise<void> {
  await sql`insert into product_cost (merchant_id, marketplace_id, sku, valid_from, cogs_micros, changed_at, import_id)
    select ${merchantId}::bigint, ${marketplaceId}::int, u.*, ${at}::timestamptz, ${importId}::bigint
    from unnest(${rows.map(row => row.sku)}::text[], ${rows.map(row => row.validFrom)}::date[], ${rows.map(row => row.cogsMicros)}::bigint[]) as u
    on conflict (merchant_id, marketplace_id, sku, valid_from) do update set cogs_micros = excluded.cogs_micros,
      changed_at = excluded.changed_at, import_id = excluded.import_id`.execute(tx)
}

/** Removes the costs that these skus have from these days on. */
export async function deleteCosts(tx: Db, shop: Shop, rows: readonly Omit<CostRow, 'cogsMicros'>[]): Promise<void> {
  await sql`delete from product_cost using unnest(${rows.map(row => row.sku)}::text[], ${rows.map(row => row.validFrom)}::date[]) as u(sku, day)
    where ${ofShop(shop)} and product_cost.sku = u.sku and valid_from = u.day`.execute(tx)
}
