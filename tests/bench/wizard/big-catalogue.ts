import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { freshWizard, type WizardState } from '#features/launches/draft/wizard-state.ts'
import { openServer } from '#server/db/open-database.ts'

const each = 50
const chosen = 20
const template = {
  guided: 'MULTI_PRODUCT_AD_GROUP_KEYWORD_CAMPAIGN',
  smart: 'MULTI_PRODUCT_AD_GROUP_FUNNEL',
} as const
export type Mode = keyof typeof template

const asinOf = (n: number): string => `B0${String(n).padStart(8, '0')}`

/** Lists further products of the demonstration's seller in the United States until there are `count`. */
export async function fillCatalogue(databaseUrl: string, count: number): Promise<void> {
  const db = await openServer(databaseUrl)
  try {
    await sql`insert into product (merchant_id, marketplace_id, sku, asin, title, price_micros, currency, eligibility_status)
      select a.current_merchant_id, a.current_marketplace_id, 'SKU-' || n, 'B0' || lpad(n::text, 8, '0'),
        'Harborlane product no. ' || n || ', with a title as long as such titles are', 24000000, 'USD', 'ELIGIBLE'
      from account a cross join generate_series(1, ${count}::int
        - (select count(*)::int from product p join account b on p.merchant_id = b.current_merchant_id
           and p.marketplace_id = b.current_marketplace_id and b.email = 'demo@tideline.test')) as g(n)
      where a.email = 'demo@tideline.test'`.execute(db.system)
    await sql`analyze product`.execute(db.system)
  } finally {
    await db.close()
  }
}

// As many as one ad group holds: fifty for each product, of which each is the whole campaign's too.
function keywords() {
  const lists = Array.from({ length: chosen }, (_, product) =>
    Array.from({ length: each }, (_, n) => ({
      keyword: `steel flask no. ${product * each + n}`,
      matchType: 'EXACT' as const,
      bid: 0.5 + n / 100,
      lowBid: 0.4,
      medianBid: 0.8,
      highBid: 1.6,
    })),
  )
  return Object.fromEntries([
    ...lists.map((list, product) => [asinOf(product + 1), list]),
    ['campaign', lists.flatMap(list => list.slice(0, 1))],
  ])
}

/** A campaign for 20 products with 50 keywords each, complete, on step 1. */
export function bigDraft(mode: Mode): { id: string; changedAt: string; state: WizardState } {
  return {
    id: randomUUID(),
    changedAt: new Date().toISOString(),
    state: {
      ...freshWizard(mode === 'guided' ? 'GUIDED' : 'SMART'),
      template: template[mode],
      strategy: 'NORMAL',
      campaignName: `Measured, ${mode}`,
      budget: 120,
      targetAcos: 30,
      automationMode: mode === 'guided' ? 'MANUAL' : null,
      keywordMatchType: mode === 'guided' ? 'EXACT' : null,
      products: Array.from({ length: chosen }, (_, n) => ({
        asin: asinOf(n + 1),
        sku: `SKU-${n + 1}`,
        title: `Harborlane product no. ${n + 1}, with a title as long as such titles are`,
        imageUrl: null,
      })),
      keywords: keywords(),
    },
  }
}
