import { sql } from 'kysely'
import type { LaunchScene } from './launch-scene.ts'

/** Lists further eligible products for a scene's seller, at the marketplace and in the inventory. */
export async function listMoreProducts(scene: LaunchScene, count: number): Promise<{ asin: string; sku: string }[]> {
  const pattern = scene.products.find(p => p.eligibility === 'ELIGIBLE')
  if (!pattern) throw new Error('the scenario has no eligible product')
  const added = Array.from({ length: count }, (_, i) => ({
    asin: `B0MANY${String(i).padStart(4, '0')}`,
    sku: `MANY-${i}`,
  }))
  scene.world.change(store => {
    for (const one of added)
      store.products.set(`${pattern.sellerId}|${pattern.marketplaceId}|${one.sku}`, { ...pattern, ...one })
  })
  await sql`insert into product (merchant_id, marketplace_id, sku, asin, title, price_micros, currency, eligibility_status)
    select ${scene.merchantId}::bigint, ${scene.market.id}::int, u.sku, u.asin, u.asin, 20000000, ${scene.market.currency}, 'ELIGIBLE'
    from unnest(${added.map(p => p.sku)}::text[], ${added.map(p => p.asin)}::text[]) as u(sku, asin)`.execute(
    scene.services.db.system,
  )
  return added
}
