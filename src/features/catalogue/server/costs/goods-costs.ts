import { sql } from 'kysely'
import type { Micros } from '#shared/money.ts'
import { addDays } from '#shared/time.ts'
import type { Db } from '#server/db/tables.ts'

/** What a unit cost in some days, both included; null before the first cost that the user entered. */
export interface CostSpan {
  from: string
  to: string
  cogsMicros: Micros | null
}

/**
 * What a unit of each product cost over days, both included, by ASIN: spans in order, without gaps. Where the costs of an
 * ASIN's skus differ the highest counts, so that profit is never overstated. A product without costs is missing.
 */
export async function goodsCosts(
  tx: Db,
  merchantId: number,
  marketplaceId: number,
  from: string,
  to: string,
): Promise<Map<string, CostSpan[]>> {
  const { rows } = await sql<{ asin: string; sku: string; validFrom: string; cogsMicros: Micros }>`
    select p.asin, c.sku, c.valid_from as "validFrom", c.cogs_micros as "cogsMicros" from product_cost c
    join product p on p.merchant_id = c.merchant_id and p.marketplace_id = c.marketplace_id and p.sku = c.sku
    where c.merchant_id = ${merchantId} and c.marketplace_id = ${marketplaceId} and p.merchant_id = ${merchantId}
      and p.asin is not null and c.valid_from <= ${to}
    order by c.valid_from`.execute(tx)
  const spans = [...Map.groupBy(rows, row => row.asin)].map(
    ([asin, changes]) => [asin, spansOf(changes, from, to)] as const,
  )
  return new Map(spans)
}

interface CostChange {
  sku: string
  validFrom: string
  cogsMicros: Micros
}

/** The spans of one product within the days; `changes` are in the order of their days. */
function spansOf(changes: readonly CostChange[], from: string, to: string): CostSpan[] {
  const bySku = new Map<string, Micros>()
  const spans: CostSpan[] = [{ from, to, cogsMicros: null }]
  for (const { sku, validFrom, cogsMicros } of changes) {
    bySku.set(sku, cogsMicros)
    const highest = Math.max(...bySku.values())
    const last = spans.at(-1)
    if (!last || last.cogsMicros === highest) continue
    if (validFrom <= last.from) last.cogsMicros = highest
    else {
      last.to = addDays(validFrom, -1)
      spans.push({ from: validFrom, to, cogsMicros: highest })
    }
  }
  return spans
}
