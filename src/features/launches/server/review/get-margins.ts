import { currentProfile } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { type Micros, fromMicros } from '#shared/money.ts'
import { BREAK_EVEN_CAVEAT, breakEvenOf, lowestBreakEven } from '../../review/break-even.ts'
import type { Margins } from '../../contract.ts'
import { productUnits } from '../sql/facts.ts'

const amountOf = (micros: Micros | null): number | null => (micros === null ? null : fromMicros(micros))

/** The break-even ACOS of products of the current marketplace; those that are not listed are missing. Asks nobody outside. */
export async function getMargins(ctx: Ctx, skus: readonly string[]): Promise<Margins> {
  const profile = await currentProfile(ctx)
  const units = await ctx.db.tenant(profile.merchantId, tx => productUnits(tx, profile, skus))
  const margins = units.map(unit => ({ unit, breakEven: breakEvenOf(unit) }))
  return {
    breakEvenAcos: lowestBreakEven(margins.map(k => k.breakEven)),
    caveat: BREAK_EVEN_CAVEAT,
    products: margins.map(({ unit, breakEven }) => ({
      productId: unit.productId,
      asin: unit.asin,
      sku: unit.sku,
      price: amountOf(unit.priceMicros),
      cogs: amountOf(unit.cogsMicros),
      fees: amountOf(unit.feesMicros),
      breakEvenAcos: breakEven.acos,
      unknownBecause: breakEven.unknownBecause,
    })),
  }
}
