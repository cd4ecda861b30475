import { fromMicros } from '#shared/money.ts'
import type { PublicCtx } from '#server/context.ts'
import type { Plan } from '../contract.ts'
import { trialDays } from '../rules.ts'
import { allPlans } from './sql.ts'

/** What can be subscribed to, the cheapest first; prices in USD a month. */
export async function listPlans(ctx: PublicCtx): Promise<Plan[]> {
  const rows = await allPlans(ctx.db.system)
  return rows.map(row => ({
    id: row.id,
    name: row.name,
    type: row.type,
    basePrice: fromMicros(row.base_price_micros),
    minimumTaxablePrice: fromMicros(row.minimum_taxable_price_micros),
    adSpendPercentage: row.ad_spend_percentage,
    maxMerchants: row.max_merchants,
    maxProfiles: row.max_profiles,
    maxSpend: row.max_spend_micros === null ? null : fromMicros(row.max_spend_micros),
    currency: 'USD',
    trialDays,
    stripePriceId: row.stripe_price_id,
  }))
}
